import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Ended } from "./koryph.js";

const STANDING = fileURLToPath(new URL("./standing-koryph.mjs", import.meta.url));

interface Command {
  readonly variables: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly args: readonly string[];
}

type Told = { readonly stdout: string } | { readonly stderr: string } | { readonly code: number };

/**
 * A process that runs commands of the built koryph one after the other, where how a process starts and ends is not what
 * is shown. Results, words and exit code are those of a process of its own. It ends with the one that started it.
 */
class Standing {
  #child: ChildProcess | null = null;
  #busy = false;

  get isFree(): boolean {
    return !this.#busy;
  }

  /** Ends what is under way, if anything is. */
  stop(): void {
    if (this.#busy) this.#child?.kill("SIGKILL");
  }

  /** `onSaid` gets what is written on either stream, as it comes. */
  run(command: Command, onSaid: (text: string) => void = () => {}): Promise<Ended> {
    if (this.#busy) throw new Error("the standing koryph has a command under way");
    this.#busy = true;
    this.#child ??= start();
    const child = this.#child;
    return new Promise<Ended>((resolve, reject) => {
      let [stdout, stderr] = ["", ""];
      const lost = () => {
        this.#child = null;
        finish();
        reject(new Error(`the standing koryph ended during ${JSON.stringify(command)}`));
      };
      const told = (news: Told) => {
        if ("stdout" in news) {
          stdout += news.stdout;
          onSaid(news.stdout);
        } else if ("stderr" in news) {
          stderr += news.stderr;
          onSaid(news.stderr);
        } else {
          finish();
          resolve({ code: news.code, stdout, stderr });
        }
      };
      const finish = () => {
        this.#busy = false;
        child.off("exit", lost);
        child.off("message", told);
      };
      child.once("exit", lost);
      child.on("message", told);
      child.send(command);
    });
  }
}

function start(): ChildProcess {
  // Nothing of the tests' own environment; what a command gets is sent with it.
  return fork(STANDING, { env: { PATH: process.env.PATH }, execArgv: [] });
}

const standing = new Standing();
/** For a run that goes on beside other commands. */
export const standingBeside = new Standing();

/** One command at a time: whoever needs another meanwhile starts a process. */
export function standingIsFree(): boolean {
  return standing.isFree;
}

export function standingKoryph(
  variables: NodeJS.ProcessEnv,
  folder: string,
  args: readonly string[],
): Promise<Ended> {
  return standing.run({ variables, folder, args });
}

/** As `koryph` of koryph.ts, in the process that stays. */
export function koryph(folder: string, ...args: string[]): Promise<Ended> {
  return koryphWith({}, folder, ...args);
}

export function koryphWith(env: NodeJS.ProcessEnv, folder: string, ...args: string[]): Promise<Ended> {
  const variables = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    KORYPH_MEMINFO: "/dev/null",
    ...env,
  };
  return standingKoryph(variables, folder, args);
}
