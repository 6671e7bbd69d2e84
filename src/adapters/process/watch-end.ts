import type { ChildProcess } from "node:child_process";
import { type FSWatcher, watch } from "node:fs";
import { SLOT_FILES } from "./slot-files.js";

export interface Watched {
  readonly folder: string;
  /** The wrapper, if this very process started it. */
  readonly child: ChildProcess | null;
  readonly hasEnded: () => Promise<boolean>;
}

/** Only for ends that no event tells of: a wrapper killed from outside that was started by an engine before us. */
const POLL_MS = 3_000;

/** Calls back once, at the end or soon after it. None of this keeps our own process from ending. */
export function watchEnd({ folder, child, hasEnded }: Watched, onEnd: () => void): () => void {
  const stops: (() => void)[] = [];
  let done = false;
  function stop(): void {
    done = true;
    for (const stopOne of stops.splice(0)) stopOne();
  }
  async function look(): Promise<void> {
    // A look that fails tells nothing; the next one may.
    if (done || !(await hasEnded().catch(() => false)) || done) return;
    stop();
    onEnd();
  }
  const first = setImmediate(look);
  stops.push(() => clearImmediate(first));
  if (child !== null && child.exitCode === null && child.signalCode === null) {
    child.once("exit", look);
    stops.push(() => child.off("exit", look));
  } else {
    const poll = setInterval(look, POLL_MS).unref();
    const files = watchFolder(folder, look);
    stops.push(() => clearInterval(poll));
    stops.push(() => files?.close());
  }
  return stop;
}

/** Null where the folder does not exist yet or the system has no watches left: then the poll has to do. */
function watchFolder(folder: string, look: () => void): FSWatcher | null {
  try {
    const files = watch(folder, { persistent: false }, (_event, name) => {
      if (name === SLOT_FILES.exit) look();
    });
    files.on("error", () => files.close());
    return files;
  } catch {
    return null;
  }
}
