import { type Dirent, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
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
    return fromFiles(repo, patterns);
  } catch (error) {
    if (error instanceof StrangeRef) return null;
    throw error;
  }
}

/** In place: they are a few short files, and handing each to another thread and back takes longer than reading it. */
function fromFiles(repo: string, patterns: readonly string[]): ListedRef[] {
  const loose = new Map(patterns.flatMap((name) => readLoose(repo, name)));
  // Read last: a ref is in here before its own file goes.
  const packed = readPacked(repo);
  const isAsked = (ref: string) => patterns.some((name) => ref === name || ref.startsWith(`${name}/`));
  const found = new Map([...packed].filter(([ref]) => isAsked(ref)));
  for (const [ref, text] of loose) found.set(ref, text);
  const listed: ListedRef[] = [];
  for (const [ref, text] of found) {
    const target = /^ref: (refs\/.+)$/.exec(text)?.[1] ?? "";
    const sha = target === "" ? text : refTarget(repo, target, packed);
    // Git does not list what points nowhere either.
    if (sha === null) continue;
    if (!/^[0-9a-f]{40,64}$/.test(sha)) throw new StrangeRef(ref);
    listed.push({ ref, sha, target });
  }
  return listed.sort((a, b) => (a.ref < b.ref ? -1 : 1));
}

function refTarget(repo: string, ref: string, packed: ReadonlyMap<string, string>) {
  const [loose] = readLoose(repo, ref);
  return loose?.[0] === ref ? loose[1] : (packed.get(ref) ?? null);
}

/** A ref of this name, or those in a folder of this name, with what their files hold. */
function readLoose(repo: string, name: string): (readonly [string, string])[] {
  // Not text: what is read under a name that was understood wrongly would be another ref.
  if (name.includes("\u{FFFD}")) throw new StrangeRef(name);
  const path = join(repo, name);
  const found = statOf(path);
  if (found === null) return [];
  if (found.isFile()) {
    const text = textOf(path);
    return text === null ? [] : [[name, text.trimEnd()]];
  }
  // Reading a pipe would wait for ever.
  if (!found.isDirectory()) throw new StrangeRef(name);
  const inside = entriesOf(path).filter((entry) => !entry.name.endsWith(".lock"));
  return inside.flatMap((entry) => readLoose(repo, `${name}/${entry.name}`));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readPacked(repo: string): Map<string, string> {
  const text = textOf(join(repo, "packed-refs")) ?? "";
  // Lines that begin otherwise are a heading, or say what the tag above them leads to.
  return new Map(
    [...text.matchAll(/^([0-9a-f]{40,64}) (.+)$/gm)].map(([, sha = "", ref = ""]) => [ref, sha]),
  );
}

/** Null when nothing is there: also below a ref, which is a file and has nothing in it. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

/** Null when it is gone. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
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
