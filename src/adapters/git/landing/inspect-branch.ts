import { LRUCache } from "lru-cache";
import { worktreeFinding } from "../../../core/replies/run/worktrees.js";
import type { RangeCommit } from "../../../ports/repo.js";
import { describeObjects } from "../exec/describe-objects.js";
import { quietGit, quietOutput } from "../exec/quiet-git.js";

export interface BranchFacts {
  /** Commits that `base` does not have. */
  readonly commits: number;
  readonly findings: readonly string[];
}

interface Change {
  readonly mode: string;
  readonly oldMode: string;
  readonly blob: string;
  readonly path: string;
}

const GITLINK = "160000";
/** More than any honest bead; what lies beyond is said not to have been looked at. */
const MOST_COMMITS = 2_000;
const MOST_PER_KIND = 5;
/** Pointers are at most this long by their specification. */
const POINTER_BYTES = 1_024;
const POINTER = "version https://git-lfs.github.com/spec/v1\n";

/**
 * What is on a branch beyond `base`. Every commit is looked at, not the sum of them: all of them land, so a
 * submodule that one adds and the next removes counts.
 */
export async function inspectBranch(repo: string, base: string, tip: string): Promise<BranchFacts> {
  const { total, findings } = await inspectRange(repo, base, tip);
  return { commits: total, findings };
}

export interface RangeReading {
  readonly total: number;
  /** Oldest first; empty when there are too many. */
  readonly commits: readonly RangeCommit[];
  /** Every path that a commit touches, sorted; empty when there are too many commits. */
  readonly paths: readonly string[];
  readonly findings: readonly string[];
}

/** Commits do not change, and a branch is looked at when it is finished, before its review and when it lands. */
const known = new LRUCache<string, RangeReading>({ max: 64 });

/** The same with the commits themselves, at the price of one look at the history and one at the files. Both are hashes. */
export async function inspectRange(repo: string, base: string, tip: string): Promise<RangeReading> {
  if (base === tip) return NOTHING;
  const key = [repo, base, tip].join("\0");
  const reading = known.get(key) ?? (await readRange(repo, base, tip));
  known.set(key, reading);
  return reading;
}

async function readRange(repo: string, base: string, tip: string): Promise<RangeReading> {
  const log = await readLog(repo, `${base}..${tip}`);
  if (log === null) {
    const total = Number(await quietOutput(repo, ["rev-list", "--count", `${base}..${tip}`]));
    return { ...NOTHING, total, findings: [worktreeFinding.tooMuch(total)] };
  }
  const { commits, changes } = log;
  const links = changes.filter(({ mode, oldMode }) => mode === GITLINK || oldMode === GITLINK);
  const settings = changes.filter(({ path }) => path.toLowerCase() === ".gitmodules");
  const [pointers, related] = await Promise.all([
    lfsPointers(repo, changes),
    // Only a history that has a beginning of its own can share nothing with the base.
    commits.every(({ parents }) => parents.length > 0) || areRelated(repo, base, tip),
  ]);
  const merges = commits.filter(({ parents }) => parents.length > 1).map(({ sha }) => sha);
  return {
    total: commits.length,
    commits,
    paths: paths(changes),
    findings: [
      ...(related ? [] : [worktreeFinding.unrelated()]),
      ...named(paths(links), worktreeFinding.submodule),
      ...named(paths(settings), worktreeFinding.submoduleFile),
      ...named(pointers, worktreeFinding.lfsPointer),
      ...named(merges, worktreeFinding.mergeCommit),
    ],
  };
}

const NOTHING: RangeReading = { total: 0, commits: [], paths: [], findings: [] };

async function areRelated(repo: string, base: string, tip: string): Promise<boolean> {
  return (await quietGit(repo, ["merge-base", base, tip])).code === 0;
}

interface Log {
  readonly commits: readonly RangeCommit[];
  readonly changes: readonly Change[];
}

const LOG = [
  ...["log", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-merges=first-parent"],
  ...["--topo-order", "--reverse", `--max-count=${MOST_COMMITS + 1}`],
  // Nothing of this can hold a line break, whatever somebody put into a commit by hand.
  "--format=%H %P%n%ae%n%ce%n%s",
];

/** Null when it is too large to be held. */
async function readLog(repo: string, range: string): Promise<Log | null> {
  let text: string;
  try {
    text = await quietOutput(repo, [...LOG, range, "--"]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return null;
    throw error;
  }
  const commits: RangeCommit[] = [];
  const changes: Change[] = [];
  const fields = text.split("\0");
  for (let at = 0; at < fields.length; at += 1) {
    const field = (fields[at] ?? "").replace(/^\n/, "");
    if (field.startsWith(":")) {
      const [oldMode = "", mode = "", , blob = ""] = field.slice(1).split(" ");
      at += 1;
      changes.push({ oldMode, mode, blob, path: fields[at] ?? "" });
    } else if (field !== "") {
      commits.push(commitOf(field));
    }
  }
  return commits.length > MOST_COMMITS ? null : { commits, changes };
}

function commitOf(field: string): RangeCommit {
  const [names = "", authorEmail = "", committerEmail = "", ...subject] = field.split("\n");
  const [sha = "", ...parents] = names.trimEnd().split(" ");
  return { sha, parents, subject: subject.join(" "), authorEmail, committerEmail };
}

async function lfsPointers(repo: string, changes: readonly Change[]): Promise<string[]> {
  const files = changes.filter(({ mode }) => mode.startsWith("100"));
  if (files.length === 0) return [];
  const blobs = [...new Set(files.map(({ blob }) => blob))];
  const small = (await describeObjects(repo, blobs)).flatMap((object) =>
    object !== null && object.size > POINTER.length && object.size <= POINTER_BYTES ? [object.sha] : [],
  );
  if (small.length === 0) return [];
  const input = small.map((blob) => `${blob}\n`).join("");
  const contents = await quietOutput(repo, ["cat-file", "--batch=%(objectname)"], { input });
  const pointing = new Set(small.filter((blob) => contents.includes(`${blob}\n${POINTER}`)));
  return paths(files.filter(({ blob }) => pointing.has(blob)));
}

function paths(changes: readonly Change[]): string[] {
  return [...new Set(changes.map(({ path }) => path))].sort();
}

function named(values: readonly string[], say: (value: string) => string): string[] {
  const shown = values.slice(0, MOST_PER_KIND).map(say);
  const rest = values.length - shown.length;
  return rest > 0 ? [...shown, worktreeFinding.more(rest, shown[0] ?? "")] : shown;
}
