import { lstat, readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { chooseEvicted, type KeptClone } from "../../../core/recovery/choose-evicted.js";

/** Clones in folders of one folder, under a quota. One server has the folder, so it alone knows which are in use. */
export class KeptClones {
  readonly #folder: string;
  readonly #quotaBytes: number;
  readonly #users = new Map<string, number>();
  readonly #leaving = new Map<string, Promise<void>>();

  constructor(folder: string, quotaBytes: number) {
    this.#folder = folder;
    this.#quotaBytes = quotaBytes;
  }

  /** Nobody takes the clone away while `act` runs. */
  async use<T>(name: string, act: () => Promise<T>): Promise<T> {
    this.#users.set(name, (this.#users.get(name) ?? 0) + 1);
    try {
      await this.#leaving.get(name);
      return await act();
    } finally {
      this.#users.set(name, (this.#users.get(name) ?? 1) - 1);
      const now = new Date();
      // Where there is no clone, nothing was used.
      await utimes(join(this.#folder, name), now, now).catch(() => {});
    }
  }

  /** Removes what does not fit into the quota; the names. A clone is made again when it is needed. */
  async evict(): Promise<readonly string[]> {
    const evicted: string[] = [];
    for (const name of chooseEvicted(await this.#clones(), this.#quotaBytes)) {
      // Measuring takes a while.
      if (this.#isUsed(name)) continue;
      const gone = rm(join(this.#folder, name), { recursive: true, force: true });
      this.#leaving.set(name, gone);
      await gone.finally(() => this.#leaving.delete(name));
      evicted.push(name);
    }
    return evicted;
  }

  #isUsed(name: string): boolean {
    return (this.#users.get(name) ?? 0) > 0;
  }

  async #clones(): Promise<KeptClone[]> {
    const found = await readdir(this.#folder, { withFileTypes: true }).catch(() => []);
    const clones: KeptClone[] = [];
    for (const { name } of found.filter((each) => each.isDirectory())) {
      const folder = join(this.#folder, name);
      const usedAt = (await lstat(folder).catch(() => null))?.mtimeMs ?? 0;
      clones.push({ name, bytes: await bytesIn(folder), usedAt, inUse: this.#isUsed(name) });
    }
    return clones;
  }
}

/** What goes away meanwhile counts for nothing. */
async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries)
    if (entry.isFile())
      bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  return bytes;
}
