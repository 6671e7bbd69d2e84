import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RecordReading, SpentMessage, ToldLimit } from "../../core/runtimes/spent-message.js";
import { readBytes } from "../files/plain-file.js";
import { ifRealFolder } from "../home/real-folder.js";
import type { RecordKind } from "./record-kinds.js";

export interface RecordBounds {
  /** Files and folders looked at, over all folders of a look. */
  readonly entries: number;
  /** Of one file; of a larger one only the end is read. */
  readonly fileBytes: number;
  /** Newly read in one look. */
  readonly bytes: number;
}

const BOUNDS: RecordBounds = { entries: 50_000, fileBytes: 64 * 1024 * 1024, bytes: 1024 * 1024 * 1024 };
/** Sub-agents' transcripts lie deepest. */
const DEPTH = 8;

interface KnownFile extends RecordReading {
  readonly size: number;
  readonly mtimeMs: number;
  readonly cut: boolean;
}

/** More was there than can be read in time: the sum would be too small. */
export class TooManyRecords extends Error {}

/** What a look found. */
export interface RecordLook {
  readonly messages: SpentMessage[];
  readonly limits: ToldLimit[];
  /** Folders that there are. */
  folders: number;
  broken: number;
  unpriced: number;
  cut: number;
}

/**
 * Reads the records that runtimes keep. Agents can write theirs: no link is followed out of a folder, and sizes have
 * bounds. A file that has not changed is not read again.
 */
export class RecordFiles {
  readonly #bounds: RecordBounds;
  #known = new Map<string, KnownFile>();

  constructor(bounds: Partial<RecordBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds };
  }

  /**
   * All records of these folders that were written since. A folder that is not there has none; one that cannot be read
   * throws. `root` is where a folder's own path begins to be somebody else's to change.
   */
  async look(
    kind: RecordKind,
    folders: readonly { readonly root: string; readonly path: string }[],
    since: number,
  ): Promise<RecordLook> {
    const look: RecordLook = { messages: [], limits: [], folders: 0, broken: 0, unpriced: 0, cut: 0 };
    const seen = new Map<string, KnownFile>();
    const walk = {
      kind,
      since,
      look,
      seen,
      left: { entries: this.#bounds.entries, bytes: this.#bounds.bytes },
    };
    for (const { root, path } of folders) {
      const real = await ifRealFolder(root, path, async (held) => {
        look.folders += 1;
        await this.#walk(held, path, DEPTH, walk);
      });
      if (real === null && root === path && (await isThere(path))) throw new Error(`${path} cannot be read`);
    }
    this.#known = seen;
    return look;
  }

  async #walk(held: string, path: string, depth: number, walk: Walk): Promise<void> {
    for (const entry of await entriesOf(held)) {
      walk.left.entries -= 1;
      if (walk.left.entries < 0) throw new TooManyRecords();
      const named = join(path, entry.name);
      if (entry.isDirectory() && depth > 0)
        await ifRealFolder(held, join(held, entry.name), (below) =>
          this.#walk(below, named, depth - 1, walk),
        );
      else if (entry.isFile() && walk.kind.file.test(entry.name))
        await this.#file(join(held, entry.name), named, walk);
    }
  }

  async #file(held: string, path: string, { kind, since, look, seen, left }: Walk): Promise<void> {
    const found = await stat(held).catch(() => null);
    if (found === null || found.mtimeMs < since) return;
    const { size, mtimeMs } = found;
    let known = this.#known.get(path);
    if (known === undefined || known.size !== size || known.mtimeMs !== mtimeMs) {
      const length = Math.min(size, this.#bounds.fileBytes);
      left.bytes -= length;
      if (left.bytes < 0) throw new TooManyRecords();
      const text = (await readBytes(held, size - length, length)).toString("utf8");
      const cut = length < size;
      const reading = kind.read(cut ? text.slice(text.indexOf("\n") + 1) : text);
      known = { ...reading, messages: reading.messages.filter(({ at }) => at >= since), size, mtimeMs, cut };
    }
    seen.set(path, known);
    for (const message of known.messages) look.messages.push(message);
    look.limits.push(...(known.limits ?? []));
    look.broken += known.broken;
    look.unpriced += known.unpriced;
    look.cut += known.cut ? 1 : 0;
  }
}

interface Walk {
  readonly kind: RecordKind;
  readonly since: number;
  readonly look: RecordLook;
  readonly seen: Map<string, KnownFile>;
  readonly left: { entries: number; bytes: number };
}

/** An agent may take its folders away while they are read. */
function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT" && error.code !== "ENOTDIR",
  );
}
