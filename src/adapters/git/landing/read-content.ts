import { posix } from "node:path";
import { foldedName } from "../../../core/land/content/bad-name.js";
import type { RangeContent } from "../../../core/land/content/range-content.js";
import { foldedSegments } from "../../../lib/paths/path-readings.js";
import { describeObjects, type ObjectFacts } from "../exec/describe-objects.js";
import { objectContents } from "../exec/object-contents.js";
import type { PathChange } from "./range-log.js";

const LARGE_BYTES = 1_000_000;
/** Longer than any system lets a link be. */
const LONGEST_TARGET = 4_096;
const LONGEST_ATTRIBUTES = 256 * 1024;
/** A folder with more names than this is not looked through for two that are nearly the same. */
const LARGEST_FOLDER = 1024 * 1024;
const MOST_FOLDERS = 2_000;
const ABSENT = "000000";
const LINK = "120000";
const EXECUTABLE = "100755";

/** What the changes are beside text, without another git: the one that stays tells sizes and small objects. */
export async function readContent(
  repo: string,
  tip: string,
  changes: readonly PathChange[],
): Promise<Omit<RangeContent, "bidi">> {
  const files = changes.filter(({ mode }) => mode.startsWith("100"));
  const links = changes.filter(({ mode }) => mode === LINK);
  const attributes = changes.filter(isAttributes);
  const added = once(changes.filter(({ mode, oldMode }) => oldMode === ABSENT && mode !== ABSENT));
  const sizes = await sizesOf(repo, [
    ...[...files, ...links].map(({ blob }) => blob),
    ...attributes.map(({ oldBlob }) => oldBlob),
  ]);
  const size = (blob: string) => sizes.get(blob)?.size ?? 0;
  const small = [
    ...links.map(({ blob }) => blob).filter((blob) => size(blob) <= LONGEST_TARGET),
    ...attributes
      .flatMap(({ blob, oldBlob }) => [blob, oldBlob])
      .filter((blob) => sizes.has(blob) && size(blob) <= LONGEST_ATTRIBUTES),
  ];
  const texts = await textsOf(repo, small);
  return {
    added,
    colliding: await collisions(repo, tip, added),
    executable: once(files.filter(({ mode, oldMode }) => mode === EXECUTABLE && oldMode !== EXECUTABLE)),
    links: links.map(({ path, blob }) => ({ path, target: texts.get(blob) ?? null })),
    attributes: once(attributes).map((path) => ({
      path,
      drivers: attributes.some(
        (each) => each.path === path && addsDriver(textOf(each.oldBlob), textOf(each.blob)),
      ),
    })),
    large: files.flatMap(({ path, blob }) => (size(blob) > LARGE_BYTES ? [{ path, bytes: size(blob) }] : [])),
    files: once(changes).length,
  };

  /** Null for what is too long to be read. */
  function textOf(blob: string): string | null {
    return sizes.has(blob) ? (texts.get(blob) ?? null) : "";
  }
}

/** Git looks at the first blank-separated word as a pattern, and at the others as attributes. */
const DRIVER = /(?:^|\s)(?:filter|diff|merge)=/;

function addsDriver(before: string | null, after: string | null): boolean {
  if (after === null) return true;
  const known = new Set((before ?? "").split("\n"));
  return after.split("\n").some((line) => DRIVER.test(line) && !known.has(line));
}

function isAttributes({ path }: PathChange): boolean {
  return foldedSegments(path).at(-1) === ".gitattributes";
}

async function sizesOf(repo: string, blobs: readonly string[]): Promise<Map<string, ObjectFacts>> {
  const asked = [...new Set(blobs)].filter((blob) => !/^0+$/.test(blob));
  const found = await describeObjects(repo, asked);
  return new Map(asked.flatMap((blob, at) => (found[at] ? [[blob, found[at]] as const] : [])));
}

async function textsOf(repo: string, blobs: readonly string[]): Promise<Map<string, string>> {
  const contents = await objects(repo, [...new Set(blobs)]);
  return new Map(contents.flatMap((found) => (found ? [[found.sha, found.bytes.toString("utf8")]] : [])));
}

async function objects(repo: string, names: readonly string[]) {
  const contents = await objectContents(repo, names);
  if (contents === null)
    throw new Error(`git cat-file ended in ${repo} before it had shown ${names.length} objects`);
  return contents;
}

/** Added names beside which the branch has one that differs by letter case alone. */
async function collisions(
  repo: string,
  tip: string,
  added: readonly string[],
): Promise<RangeContent["colliding"]> {
  const folders = [...new Set(added.flatMap(foldersOf))]
    .filter((folder) => !folder.includes("\n"))
    .slice(0, MOST_FOLDERS);
  const trees = await describeObjects(
    repo,
    folders.map((folder) => `${tip}:${folder}`),
  );
  const known = folders.flatMap((folder, at) => {
    const tree = trees[at];
    return tree?.type === "tree" && tree.size <= LARGEST_FOLDER ? [{ folder, sha: tree.sha }] : [];
  });
  const contents = await objects(
    repo,
    known.map(({ sha }) => sha),
  );
  const isAdded = new Set(added.flatMap((path) => [path, ...foldersOf(path)]));
  return known.flatMap(({ folder }, at) => {
    const found = contents[at];
    const names = namesIn(found?.bytes ?? Buffer.alloc(0), (found?.sha.length ?? 40) / 2);
    const first = new Map<string, string>();
    return names.flatMap((name) => {
      const other = first.get(foldedName(name));
      if (other === undefined) first.set(foldedName(name), name);
      if (other === undefined) return [];
      const [path, beside] = [posix.join(folder, name), posix.join(folder, other)];
      return isAdded.has(path)
        ? [{ path, other: beside }]
        : isAdded.has(beside)
          ? [{ path: beside, other: path }]
          : [];
    });
  });
}

/** The folders above a path, the root as an empty name. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return ["", ...parts.map((_, at) => parts.slice(0, at + 1).join("/"))];
}

/** A tree is a row of `<mode> <name>\0<hash>`. */
function namesIn(tree: Buffer, hashBytes: number): string[] {
  const names: string[] = [];
  for (let at = 0; at < tree.length; ) {
    const end = tree.indexOf(0, at);
    if (end === -1) break;
    names.push(tree.toString("utf8", tree.indexOf(0x20, at) + 1, end));
    at = end + 1 + hashBytes;
  }
  return names;
}

function once(changes: readonly PathChange[]): string[] {
  return [...new Set(changes.map(({ path }) => path))].sort();
}
