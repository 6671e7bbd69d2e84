import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { newFolder, removeFolder } from "../../files/remove-folder.js";
import { quietOutput } from "../exec/quiet-git.js";

/** A work tree without a repository, and the index that git wrote when it checked it out. */
export interface Checkout {
  readonly folder: string;
  readonly index: string;
}

/** Checks a commit out below `place`. For a large tree this is nearly all that preparing a clone takes. */
export async function checkOut(repo: string, tip: string, place: string): Promise<Checkout> {
  const checkout = { folder: join(place, "clone"), index: join(place, "index") };
  await mkdir(checkout.folder, { recursive: true });
  const env = { GIT_WORK_TREE: checkout.folder, GIT_INDEX_FILE: checkout.index };
  await quietOutput(repo, ["read-tree", "-m", "-u", tip], { env });
  return checkout;
}

/**
 * One checkout of the default branch, made while nobody waits for it, so that the next agent gets its clone by
 * two renames. A spare of another commit is of no use and goes; a crash leaves at most a folder that goes too.
 */
export class SpareCheckout {
  readonly #repo: string;
  readonly #folder: string;
  #making: Promise<void> | null = null;

  constructor(repo: string, folder: string) {
    this.#repo = repo;
    this.#folder = folder;
  }

  /** Takes the spare of this commit into `place`; null when there is none. Of several takers, one gets it. */
  async take(tip: string, place: string): Promise<Checkout | null> {
    const taken = join(place, "spare");
    try {
      await rename(join(this.#folder, tip), taken);
    } catch {
      return null;
    }
    return { folder: join(taken, "clone"), index: join(taken, "index") };
  }

  /** Makes a spare of this commit beside whatever else goes on. Failing is no harm: the next clone takes longer. */
  make(tip: string): void {
    this.#making ??= this.#make(tip)
      .catch(() => {})
      .finally(() => {
        this.#making = null;
      });
  }

  async #make(tip: string): Promise<void> {
    const there = await readdir(this.#folder).catch((): string[] => []);
    for (const name of there.filter((other) => other !== tip)) await removeFolder(join(this.#folder, name));
    if (there.includes(tip)) return;
    const place = await newFolder(this.#folder);
    await checkOut(this.#repo, tip, place);
    await rename(place, join(this.#folder, tip));
  }
}
