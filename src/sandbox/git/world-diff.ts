import type { Repository } from "../world/state.js";
import type { World } from "../world/world.js";

/** The tree with nothing in it; git knows it without being told. */
export const NO_FILES_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

export interface FileChange {
  readonly path: string;
  readonly previousPath: string | null;
  readonly status: "added" | "removed" | "modified" | "renamed" | "copied" | "changed";
  /** Of the blob as it is afterwards; before, for a file that was removed. */
  readonly blob: string;
  readonly additions: number;
  readonly deletions: number;
  /** From the first hunk on; null for binary files and mere renames. */
  readonly patch: string | null;
}

const STATUS: Readonly<Record<string, FileChange["status"]>> = {
  A: "added",
  D: "removed",
  M: "modified",
  R: "renamed",
  C: "copied",
  T: "changed",
};

/** What differs between two commits or trees, in git's order. */
export async function readChanges(
  world: World,
  repository: Repository,
  [before, after]: readonly [string, string],
): Promise<FileChange[]> {
  const text = await world.git(repository, [
    ...[
      "diff",
      "--patch-with-raw",
      "-z",
      "-M",
      "--full-index",
      "--no-color",
      "--no-ext-diff",
      "--no-textconv",
    ],
    ...[before, after, "--"],
  ]);
  const end = text.indexOf("\0\0");
  if (end === -1) return [];
  const patches = text.slice(end + 2).split(/^diff --git .*$/m);
  return readRaw(text.slice(0, end).split("\0")).map((file, index) => {
    const whole = patches[index + 1] ?? "";
    const start = whole.search(/^@@ /m);
    const patch = start === -1 ? null : whole.slice(start).replace(/\n$/, "");
    const lines = patch?.split("\n") ?? [];
    return {
      ...file,
      additions: lines.filter((line) => line.startsWith("+")).length,
      deletions: lines.filter((line) => line.startsWith("-")).length,
      patch,
    };
  });
}

function readRaw(tokens: readonly string[]): Pick<FileChange, "path" | "previousPath" | "status" | "blob">[] {
  const files: Pick<FileChange, "path" | "previousPath" | "status" | "blob">[] = [];
  for (let at = 0; at < tokens.length; ) {
    const [, , old = "", now = "", code = "M"] = (tokens[at] ?? "").split(" ");
    const letter = code.slice(0, 1);
    const twoPaths = letter === "R" || letter === "C";
    files.push({
      path: tokens[at + (twoPaths ? 2 : 1)] ?? "",
      previousPath: twoPaths ? (tokens[at + 1] ?? "") : null,
      status: STATUS[letter] ?? "modified",
      blob: letter === "D" ? old : now,
    });
    at += twoPaths ? 3 : 2;
  }
  return files;
}
