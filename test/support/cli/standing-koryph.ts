import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onFileEnd } from "../file-end.js";
import type { Ended } from "./koryph.js";

const STANDING = fileURLToPath(new URL("./standing-koryph.mjs", import.meta.url));

let standing: ChildProcess | null = null;
let busy = false;

/** One command at a time: whoever needs another meanwhile starts a process. */
export function standingIsFree(): boolean {
  return !busy;
}

/**
 * Runs a command of the built koryph in a process that stays for the commands after it, where how a process starts
 * and ends is not what is shown. Results, words and exit code are those of a process of its own.
 */
export async function standingKoryph(
  variables: NodeJS.ProcessEnv,
  folder: string,
  args: readonly string[],
): Promise<Ended> {
  if (busy) throw new Error("the standing koryph has a command under way");
  busy = true;
  try {
    return await ask({ variables, folder, args });
  } finally {
    busy = false;
  }
}

/** As `koryph` of koryph.ts, in the process that stays. */
export function koryph(folder: string, ...args: string[]): Promise<Ended> {
  return koryphWith({}, folder, ...args);
}

export function koryphWith(env: NodeJS.ProcessEnv, folder: string, ...args: string[]): Promise<Ended> {
  const variables = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", ...env };
  return standingKoryph(variables, folder, args);
}

function ask(command: object): Promise<Ended> {
  standing ??= start();
  const child = standing;
  return new Promise((resolve, reject) => {
    const lost = () => {
      standing = null;
      reject(new Error(`the standing koryph ended during ${JSON.stringify(command)}`));
    };
    child.once("exit", lost);
    child.once("message", (ended) => {
      child.off("exit", lost);
      resolve(ended as Ended);
    });
    child.send(command);
  });
}

function start(): ChildProcess {
  // Nothing of the tests' own environment; what a command gets is sent with it.
  const child = fork(STANDING, { env: { PATH: process.env.PATH }, execArgv: [] });
  const ended = once(child, "exit");
  onFileEnd(async () => {
    standing = null;
    child.kill("SIGKILL");
    await ended;
  });
  return child;
}
