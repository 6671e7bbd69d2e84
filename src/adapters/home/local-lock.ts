import { dirname } from "node:path";
import type { LandWork } from "../../core/land/land-progress.js";
import { makeFolder } from "./koryph-home.js";
import { readHolder, tryLock } from "./lock-file.js";
import { isHolderGone, type LockHolder } from "./lock-holder.js";

interface LocalLock {
  readonly holder: LockHolder;
  /** Says in the lock's file what we do with it. A disk that does not take it is nobody's loss. */
  tell(work: LandWork): void;
  release(): Promise<void>;
}

export type LocalLockAttempt =
  | { readonly kind: "taken"; readonly lock: LocalLock }
  /** A live process, or one of which that cannot be ruled out. */
  | { readonly kind: "held"; readonly by: LockHolder };

/**
 * The right to be the one engine of a project on this machine, kept until it is released or the process
 * ends. A holder that was killed is followed by whoever asks next.
 */
export async function takeLocalLock(path: string): Promise<LocalLockAttempt> {
  await makeFolder(dirname(path));
  const attempt = await tryLock(path);
  if (attempt.kind === "held") return attempt;
  const { holder, tell, release, releaseNow } = attempt.lock;
  let told: Promise<void> = Promise.resolve();
  process.once("exit", releaseNow);
  return {
    kind: "taken",
    lock: {
      holder,
      tell(work) {
        told = told.then(() => tell(work)).catch(() => {});
      },
      async release() {
        await told;
        process.off("exit", releaseNow);
        await release();
      },
    },
  };
}

/** Who has the lock, without asking for it; null when nobody does. `gone` only when that is certain. */
export async function lookAtLock(path: string): Promise<(LockHolder & { readonly gone: boolean }) | null> {
  const holder = readHolder(path);
  return holder === null ? null : { ...holder, gone: isHolderGone(holder) };
}
