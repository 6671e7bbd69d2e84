import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { signingAdvice } from "../../core/replies/sign/signing.js";
import { UserError } from "../../lib/user-error.js";
import { type AgentIdentity, isSignature, REQUEST_IDENTITIES, readIdentities } from "./agent-messages.js";
import { askAgent } from "./ask-agent.js";
import { startWatched, type WatchedProcess } from "./watched-process.js";

export interface PrivateAgentFacts {
  readonly socket: string;
  /** After this long without being renewed the agent forgets the key. */
  readonly lifetimeSeconds: number;
  readonly path: string | undefined;
  /** The private key; whoever takes it overwrites it. Asked again each time the agent has forgotten it. */
  readonly readKey: () => Promise<Buffer>;
}

const START_MS = 30_000;

/** A real ssh-agent of our own that holds the signing key and ends with this process. */
export class PrivateAgent {
  readonly #facts: PrivateAgentFacts;
  #process: WatchedProcess | null = null;
  #loading: Promise<void> | null = null;

  constructor(facts: PrivateAgentFacts) {
    this.#facts = facts;
  }

  /** Starts the agent, gives it the key and returns the key's public half. */
  async open(): Promise<AgentIdentity> {
    await this.#load();
    const [identity] = readIdentities(await askAgent(this.#facts.socket, REQUEST_IDENTITIES));
    if (identity === undefined) throw new Error("ssh-agent does not know the key it was just given");
    return identity;
  }

  /** The agent's answer; the key is brought back if its time was over or its agent is gone. */
  async sign(request: Buffer, givenUp: AbortSignal): Promise<Buffer> {
    const first = await askAgent(this.#facts.socket, request, givenUp).catch(() => null);
    if (first !== null && isSignature(first)) return first;
    givenUp.throwIfAborted();
    // Requests that fail together bring it back once.
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
    });
    await this.#loading;
    return askAgent(this.#facts.socket, request, givenUp);
  }

  async close(): Promise<void> {
    await this.#process?.end();
    this.#process = null;
  }

  async #load(): Promise<void> {
    const key = await this.#facts.readKey();
    try {
      if (!(await this.#isUp())) await this.#start();
      await this.#add(key);
    } finally {
      key.fill(0);
    }
  }

  async #isUp(): Promise<boolean> {
    return askAgent(this.#facts.socket, REQUEST_IDENTITIES).then(
      () => true,
      () => false,
    );
  }

  async #start(): Promise<void> {
    await this.close();
    const { socket } = this.#facts;
    await rm(socket, { force: true });
    const started = startWatched(["ssh-agent", "-D", "-a", socket], this.#environment());
    this.#process = started;
    started.stdout.resume();
    let gone = false;
    started.ended.then(
      () => {
        gone = true;
      },
      () => {
        gone = true;
      },
    );
    const deadline = Date.now() + START_MS;
    while (!(await this.#isUp())) {
      if (gone || Date.now() > deadline) throw UserError.of(signingAdvice.noTool("ssh-agent"));
      await setTimeout(5);
    }
  }

  #add(key: Buffer): Promise<void> {
    const lifetime = String(this.#facts.lifetimeSeconds);
    return new Promise((resolve, reject) => {
      const env = { ...this.#environment(), SSH_AUTH_SOCK: this.#facts.socket, SSH_ASKPASS_REQUIRE: "never" };
      const child = execFile(
        "ssh-add",
        ["-q", "-t", lifetime, "-"],
        { env, cwd: "/" },
        (error, _, stderr) => {
          if (error === null) return resolve();
          const missing = error.code === "ENOENT";
          reject(UserError.of(missing ? signingAdvice.noTool("ssh-add") : signingAdvice.notLoaded(stderr)));
        },
      );
      child.stdin?.on("error", () => {});
      child.stdin?.end(key);
    });
  }

  /** Built from nothing: what holds the key needs no settings of anybody. */
  #environment(): NodeJS.ProcessEnv {
    return { PATH: this.#facts.path, HOME: "/nonexistent", LC_ALL: "C" };
  }
}
