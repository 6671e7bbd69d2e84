import { readdir } from "node:fs/promises";
import { join } from "node:path";

const MOST_FILES = 100_000;
const DEEPEST = 60;
/** Not the project's own code, and often more than all the rest. */
const LEFT_OUT = new Set([".git", "node_modules"]);

/** Paths of the files below a folder, links not followed; null when it is gone or holds more than anyone wrote. */
export async function listFiles(folder: string): Promise<ReadonlySet<string> | null> {
  const files = new Set<string>();
  let folders = [""];
  for (let depth = 0; folders.length > 0; depth += 1) {
    const deeper: string[] = [];
    for (const below of folders) {
      const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => null);
      if (entries === null && below === "") return null;
      for (const entry of entries ?? []) {
        const path = `${below}${entry.name}`;
        if (entry.isFile()) files.add(path);
        else if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) deeper.push(`${path}/`);
      }
      if (files.size > MOST_FILES || deeper.length > MOST_FILES) return null;
    }
    folders = depth < DEEPEST ? deeper : [];
  }
  return files;
}
