import { unquotePath } from "./unquote-path.js";

/** Path → number → text of every line that a comment can stand on, as the change leaves the file. */
export type ChangedLines = ReadonlyMap<string, ReadonlyMap<number, string>>;

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const SUBMODULE = /^(?:new file mode|new mode|index [0-9a-f]+\.\.[0-9a-f]+) 160000$/;

/**
 * Reads what `git diff` prints of two commits. A line inside a hunk is counted, never looked at for what it says: a file
 * may well hold what looks like another file's header. Files that were deleted, are binary or only got another name have
 * no such line; a path that is no UTF-8 cannot be named to GitHub.
 */
export function changedLines(diff: string): ChangedLines {
  const files = new Map<string, Map<number, string>>();
  const lines = diff.split("\n");
  let path: string | null = null;
  let submodule = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.startsWith("diff --git ")) {
      path = null;
      submodule = false;
    } else if (SUBMODULE.test(line)) submodule = true;
    else if (line.startsWith("+++ ")) path = pathAfter(line.slice("+++ ".length));
    const hunk = HUNK.exec(line);
    if (hunk === null) continue;
    const { found, end } = readHunk(lines, at + 1, hunk);
    at = end - 1;
    if (path === null || submodule) continue;
    const file = files.get(path) ?? new Map<number, string>();
    for (const [number, text] of found) file.set(number, text);
    if (file.size > 0) files.set(path, file);
  }
  return files;
}

function readHunk(
  lines: readonly string[],
  start: number,
  [, before = "1", first = "1", after = "1"]: string[],
) {
  const found: [number, string][] = [];
  let number = Number(first);
  let left = Number(before);
  let right = Number(after);
  let at = start;
  for (; at < lines.length && (left > 0 || right > 0); at += 1) {
    const line = lines[at] ?? "";
    const mark = line.charAt(0);
    if (mark === "-" || mark === " ") left -= 1;
    if (mark === "+" || mark === " ") {
      right -= 1;
      found.push([number, line.slice(1)]);
      number += 1;
    }
    // A text that was cut to its length may end in the middle of a hunk.
    if (mark === "") break;
  }
  return { found, end: at };
}

/** Null for a file that is gone, and for a path that cannot be read. */
function pathAfter(text: string): string | null {
  // Git marks the end of a name with blanks in it by a tab, also behind quotes.
  const written = text.replace(/\t$/, "");
  const name = written.startsWith('"') ? unquotePath(written) : written;
  return name?.startsWith("b/") ? name.slice(2) : null;
}
