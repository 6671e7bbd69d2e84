import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/**
 * We hold the other end of descriptor 3. When we let it go or die, however we die, the watcher reads the end
 * and takes the whole group with it.
 */
const WRAPPER = '(cat <&3 >/dev/null; kill -KILL 0) </dev/null >/dev/null 2>&1 & exec 3<&-; exec "$@"';

export interface WatchedProcess {
  readonly stdout: Readable;
  /** Its exit code, or null when it was ended; throws when it could not be started. */
  readonly ended: Promise<number | null>;
  /** Ends it and everything it started, and waits for that. */
  end(): Promise<void>;
}

/** Starts a program in a session of its own, so that nothing asks for a passphrase on the operator's terminal. */
export function startWatched(argv: readonly string[], env: NodeJS.ProcessEnv): WatchedProcess {
  const child = spawn("sh", ["-c", WRAPPER, "sh", ...argv], {
    cwd: "/",
    env,
    detached: true,
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  }) as ChildProcessByStdio<null, Readable, null>;
  const leash = child.stdio[3] as Socket;
  leash.on("error", () => {});
  // None of this keeps our own process alive: with it, the child would end as well.
  for (const handle of [leash, child.stdout as Socket, child]) handle.unref();
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => {
      // What it left running in the background goes, too.
      leash.destroy();
      resolve(code);
    });
  });
  ended.catch(() => {});
  return {
    stdout: child.stdout,
    ended,
    async end() {
      leash.destroy();
      child.ref();
      await ended.catch(() => {});
    },
  };
}
