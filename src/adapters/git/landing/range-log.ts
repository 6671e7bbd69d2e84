import type { RangeCommit } from "../../../ports/repo.js";
import { quietOutput } from "../exec/quiet-git.js";

/** What one commit of a range does to one path. */
export interface PathChange {
  readonly mode: string;
  readonly oldMode: string;
  readonly blob: string;
  readonly oldBlob: string;
  readonly path: string;
}

export interface RangeLog {
  /** Oldest first. */
  readonly commits: readonly RangeCommit[];
  readonly changes: readonly PathChange[];
}

/** More than any honest bead; what lies beyond is said not to have been looked at. */
export const MOST_COMMITS = 2_000;

/** Every commit by itself, and what a merge brought in. */
export const EACH_COMMIT = [
  ...[
    "log",
    "--no-show-signature",
    "-z",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--diff-merges=first-parent",
  ],
  ...["--topo-order", "--reverse"],
];
/** Nothing of this can hold a line break, whatever somebody put into a commit by hand. */
export const HEADER = "%H %P%n%ae%n%ce%n%s";

/** Null when it is too large to be held. */
export async function readRangeLog(repo: string, range: string): Promise<RangeLog | null> {
  const args = [...EACH_COMMIT, `--max-count=${MOST_COMMITS + 1}`, `--format=${HEADER}`, range, "--"];
  let text: string;
  try {
    text = await quietOutput(repo, args);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return null;
    throw error;
  }
  const commits: RangeCommit[] = [];
  const changes: PathChange[] = [];
  const fields = text.split("\0");
  for (let at = 0; at < fields.length; at += 1) {
    const field = (fields[at] ?? "").replace(/^\n/, "");
    if (field.startsWith(":")) {
      at += 1;
      changes.push(changeIn(field, fields[at] ?? ""));
    } else if (field !== "") {
      commits.push(commitIn(field));
    }
  }
  return commits.length > MOST_COMMITS ? null : { commits, changes };
}

/** `raw` is what stands before the path. */
export function changeIn(raw: string, path: string): PathChange {
  const [oldMode = "", mode = "", oldBlob = "", blob = ""] = raw.slice(1).split(" ");
  return { oldMode, mode, oldBlob, blob, path };
}

export function commitIn(header: string): RangeCommit {
  const [names = "", authorEmail = "", committerEmail = "", ...subject] = header.split("\n");
  const [sha = "", ...parents] = names.trimEnd().split(" ");
  return { sha, parents, subject: subject.join(" "), authorEmail, committerEmail };
}
