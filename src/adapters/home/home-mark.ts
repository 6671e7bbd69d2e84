import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * A random word that a project's home has from its first use on. Machines made from one image have the same name and
 * the same paths, and an engine that took another's lease for one of its own would not wait until that is dead. Empty
 * where nothing can be written.
 */
export async function homeMark(projectHome: string): Promise<string> {
  const path = join(projectHome, "mark");
  const known = await read(path);
  if (known !== "") return known;
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, randomUUID(), { mode: 0o600 });
    // Whoever comes second finds the first one's.
    await link(draft, path).catch(() => {});
    return await read(path);
  } catch {
    return "";
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
