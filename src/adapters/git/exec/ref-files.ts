import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { quietOutput } from "./quiet-git.js";

export interface ListedRef {
  readonly ref: string;
  readonly sha: string;
  /** What a symbolic ref points to; empty for the others. */
  readonly target: string;
}

/** What is there and cannot be understood: git says what it is. */
class StrangeRef extends Error {}

/**
 * What `git for-each-ref` lists for these names and folders of refs, in its order, for koryph's own repositories. Git puts
 * each of their files in place whole, so they can be read without it: the engine looks at them many times for every
 * agent, and a process takes ten times as long.
 */
export async function readRefFiles(repo: string, patterns: readonly string[]): Promise<ListedRef[]> {
  return (await refsOnDisk(repo, patterns)) ?? fromGit(repo, patterns);
}

/** The same without git's help, also of other people's repositories; null when there is something git must explain. */
export async function refsOnDisk(repo: string, patterns: readonly string[]): Promise<ListedRef[] | null> {
  try {
    return await fromFiles(repo, patterns);
  } catch (error) {
    if (error instanceof StrangeRef) return null;
    throw error;
  }
}

async function fromFiles(repo: string, patterns: readonly string[]): Promise<ListedRef[]> {
  const loose = new Map((await Promise.all(patterns.map((name) => readLoose(repo, name)))).flat());
  // Read last: a ref is in here before its own file goes.
  const packed = await readPacked(repo);
  const isAsked = (ref: string) => patterns.some((name) => ref === name || ref.startsWith(`${name}/`));
  const found = new Map([...packed].filter(([ref]) => isAsked(ref)));
  for (const [ref, text] of loose) found.set(ref, text);
  const listed: ListedRef[] = [];
  for (const [ref, text] of found) {
    const target = /^ref: (refs\/.+)$/.exec(text)?.[1] ?? "";
    const sha = target === "" ? text : await refTarget(repo, target, packed);
    // Git does not list what points nowhere either.
    if (sha === null) continue;
    if (!/^[0-9a-f]{40,64}$/.test(sha)) throw new StrangeRef(ref);
    listed.push({ ref, sha, target });
  }
  return listed.sort((a, b) => (a.ref < b.ref ? -1 : 1));
}

async function refTarget(repo: string, ref: string, packed: ReadonlyMap<string, string>) {
  const [loose] = await readLoose(repo, ref);
  return loose?.[0] === ref ? loose[1] : (packed.get(ref) ?? null);
}

/** A ref of this name, or those in a folder of this name, with what their files hold. */
async function readLoose(repo: string, name: string): Promise<(readonly [string, string])[]> {
  // Not text: what is read under a name that was understood wrongly would be another ref.
  if (name.includes("\u{FFFD}")) throw new StrangeRef(name);
  try {
    return [[name, (await readFile(join(repo, name), "utf8")).trimEnd()]];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    if (code !== "EISDIR") throw error;
  }
  const entries = await readdir(join(repo, name), { withFileTypes: true }).catch((): Dirent[] => []);
  const inside = entries.filter((entry) => !entry.name.endsWith(".lock"));
  return (await Promise.all(inside.map((entry) => readLoose(repo, `${name}/${entry.name}`)))).flat();
}

async function readPacked(repo: string): Promise<Map<string, string>> {
  const text = await readFile(join(repo, "packed-refs"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  // Lines that begin otherwise are a heading, or say what the tag above them leads to.
  return new Map(
    [...text.matchAll(/^([0-9a-f]{40,64}) (.+)$/gm)].map(([, sha = "", ref = ""]) => [ref, sha]),
  );
}

async function fromGit(repo: string, patterns: readonly string[]): Promise<ListedRef[]> {
  const format = "--format=%(refname) %(objectname) %(symref)";
  const listing = await quietOutput(repo, ["for-each-ref", format, ...patterns]);
  return listing
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [ref = "", sha = "", target = ""] = line.split(" ");
      return { ref, sha, target };
    });
}
