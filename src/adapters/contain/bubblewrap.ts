import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  type BubblewrapFacts,
  bridgeVariables,
  bubblewrapCommand,
  type NetworkBridge,
} from "../../core/contain/bubblewrap-command.js";
import { sandboxView } from "../../core/contain/sandbox-view.js";
import { containmentAdvice, containmentTrouble } from "../../core/replies/config/containment.js";
import { UserError } from "../../lib/user-error.js";
import type {
  ContainedCommand,
  Containment,
  ContainmentProbe,
  Room,
} from "../../ports/contain/containment.js";
import { packagePath } from "../project/package-path.js";
import { findBinary } from "../runtimes/find-binary.js";
import { machineView, withPrograms, withTargets } from "./machine-view.js";

/** `nobody`, on every Linux. What it owns outside does not matter: there it sees nothing. */
const NOBODY = { uid: 65_534, gid: 65_534 };

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The programs that it takes, once they were seen to work together. */
interface Tools {
  readonly version: string;
  readonly bwrap: string;
  readonly env: string;
  readonly bash: string | null;
  readonly user: BubblewrapFacts["user"];
}

/** Shuts processes in by bubblewrap: their own processes, mounts and network, and nobody's rights. */
export class Bubblewrap implements Containment {
  /** Where its programs are looked for; they are tried once. */
  readonly #path: string;
  readonly #self: Owner;
  readonly #hidden: readonly string[];
  #tools: Promise<Tools | string> | null = null;

  /** `hidden` folders are never shown, wherever they lie; `self` is who starts the processes. */
  constructor(
    path: string | undefined,
    hidden: readonly string[] = [],
    self: Owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
  ) {
    this.#path = path ?? "/usr/bin:/bin";
    this.#hidden = hidden;
    this.#self = self;
  }

  async probe(): Promise<ContainmentProbe> {
    const tools = await this.#found();
    return typeof tools === "string"
      ? { reached: "none", why: tools }
      : { reached: "namespaces", version: tools.version };
  }

  async contain(
    { argv, env, cwd }: ContainedCommand & { cwd: string },
    room: Room,
  ): Promise<ContainedCommand> {
    const tools = await this.#found();
    if (typeof tools === "string") throw new Error(`nothing shuts processes in here: ${tools}`);
    const bridge =
      room.network.kind === "hosts" ? await openBridge(room, room.network.hosts, env) : undefined;
    const node = bridge === undefined ? [] : [bridge.node];
    const hidden = await withTargets(this.#hidden);
    const [machine, readable] = await Promise.all([
      machineView(env, [...hidden, ...(await withTargets([homedir()]))]),
      withPrograms([...room.readable, ...node]),
    ]);
    if (tools.user.kind === "dropped") {
      // Nobody could read them, and what people are signed in to is not given away.
      const [shared] = room.shared;
      if (shared !== undefined) throw UserError.of(containmentAdvice.sharedAsRoot(shared));
      await giveAway(room.writable, tools.user);
    }
    const writable = [...room.writable, ...room.shared];
    const mounts = sandboxView(machine, { writable, readable }, hidden);
    const facts = { ...tools, mounts, cwd, network: room.network.kind, bridge };
    const variables = bridge === undefined ? {} : bridgeVariables();
    return { argv: bubblewrapCommand(argv, facts), env: { ...env, ...variables } };
  }

  #found(): Promise<Tools | string> {
    this.#tools ??= findTools(this.#path, this.#self);
    return this.#tools;
  }
}

async function openBridge(
  { folder }: Room,
  hosts: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<NetworkBridge> {
  const own = join(folder, "network");
  await mkdir(own, { recursive: true, mode: 0o755 });
  const program = (name: string) => packagePath(`dist/adapters/contain/bridge/${name}.js`);
  return {
    ...{ node: process.execPath, folder: own, hosts },
    upstream: env.HTTPS_PROXY ?? env.https_proxy ?? null,
    ...{ outside: program("outside"), inside: program("inside") },
  };
}

/** What koryph made as root for somebody who is nobody. */
async function giveAway(folders: readonly string[], { uid, gid }: Owner): Promise<void> {
  const { code, said } = await run(["chown", "-R", "-h", `${uid}:${gid}`, "--", ...folders]);
  if (code !== 0) throw new Error(`the folders of an agent could not be given to it: ${said}`);
}

/** A sentence why there are none. */
async function findTools(path: string, { uid, gid }: Owner): Promise<Tools | string> {
  if (process.platform !== "linux") return containmentTrouble.notLinux(process.platform);
  const find = (name: string) => findBinary(name, { root: "/", path });
  const [bwrap, env, bash, setpriv] = await Promise.all([
    ...([find("bwrap"), find("env"), find("bash"), find("setpriv")] as const),
  ]);
  if (bwrap === null) return containmentTrouble.noBubblewrap();
  if (uid === 0 && setpriv === null) return containmentTrouble.noSetpriv();
  const user =
    uid === 0
      ? { kind: "dropped" as const, ...NOBODY, setpriv: setpriv ?? "" }
      : { kind: "same" as const, uid, gid };
  const { said: version } = await run([bwrap, "--version"]);
  const tools = {
    version: version.replace(/^bubblewrap /, ""),
    bwrap,
    env: env ?? "/usr/bin/env",
    bash,
    user,
  };
  const machine = await machineView({});
  const mounts = sandboxView(machine, { writable: [], readable: [] });
  const tried = await run(bubblewrapCommand(["true"], { ...tools, mounts, cwd: "/", network: "off" }));
  return tried.code === 0 ? tools : containmentTrouble.unusable(tried.said);
}

/** Ends soon, with what it said last. */
function run([program = "", ...args]: readonly string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], timeout: 30_000 });
    let said = "";
    const hear = (data: Buffer) => {
      said = `${said}${data}`.slice(-500);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", (error) => resolve({ code: null, said: error.message }));
    child.once("close", (code) => resolve({ code, said: said.trim() }));
  });
}
