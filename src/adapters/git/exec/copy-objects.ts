import { type Dirent, existsSync } from "node:fs";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "../../files/remove-folder.js";
import { copyAgentFile } from "./agent-file.js";
import { quietGit } from "./quiet-git.js";

const AT_ONCE = 16;

/** Makes the engine's own bare repository that an agent's objects are copied into, borrowing from `repo`. */
export async function openIncoming(incoming: string, repo: string): Promise<void> {
  if (existsSync(join(incoming, "HEAD"))) return;
  await removeFolder(incoming);
  await mkdir(join(incoming, "objects", "pack"), { recursive: true });
  await mkdir(join(incoming, "objects", "info"));
  await mkdir(join(incoming, "refs", "heads", "agent"), { recursive: true });
  await writeFile(join(incoming, "objects", "info", "alternates"), `${join(repo, "objects")}\n`);
  await writeFile(
    join(incoming, "config"),
    "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\thooksPath = /dev/null\n",
  );
  // HEAD last: with it the folder counts as made.
  await writeFile(join(incoming, "HEAD"), "ref: refs/heads/none\n");
}

/**
 * Copies the agent's loose objects and packs that have not been copied before. Names are believed here and
 * checked later, by hash, when git takes the objects into `repo.git`. Everything else in the agent's
 * object store (alternates, commit graphs, indexes, links) could mislead and is left where it is.
 */
export async function copyObjects(objects: string, incoming: string): Promise<void> {
  const target = join(incoming, "objects");
  for (const entry of await list(objects)) {
    if (!entry.isDirectory()) continue;
    if (/^[0-9a-f]{2}$/.test(entry.name))
      await copyLoose(join(objects, entry.name), join(target, entry.name));
    if (entry.name === "pack") await copyPacks(join(objects, "pack"), join(target, "pack"), incoming);
  }
}

async function copyLoose(from: string, to: string): Promise<void> {
  const wanted = await list(from);
  if (wanted.length === 0) return;
  await mkdir(to, { recursive: true });
  const known = new Set(await readdir(to));
  const names = wanted
    .filter((entry) => entry.isFile() && /^[0-9a-f]{38}$/.test(entry.name) && !known.has(entry.name))
    .map((entry) => entry.name);
  for (let first = 0; first < names.length; first += AT_ONCE) {
    await Promise.all(
      names.slice(first, first + AT_ONCE).map((name) => copyAgentFile(join(from, name), join(to, name))),
    );
  }
}

async function copyPacks(from: string, to: string, incoming: string): Promise<void> {
  for (const entry of await list(from)) {
    const name = /^(pack-[0-9a-f]{40})\.pack$/.exec(entry.name)?.[1];
    if (name === undefined || !entry.isFile() || existsSync(join(to, `${name}.idx`))) continue;
    // Copied under a name git does not look at, and indexed anew: an agent's index may point anywhere.
    const copy = join(to, `incoming-${name}.pack`);
    if (!(await copyAgentFile(join(from, entry.name), copy))) continue;
    const index = join(to, `incoming-${name}.idx`);
    const indexed = await quietGit(incoming, ["index-pack", "-o", index, copy]);
    if (indexed.code !== 0) continue;
    await rename(copy, join(to, `${name}.pack`));
    await rename(index, join(to, `${name}.idx`));
  }
}

async function list(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
