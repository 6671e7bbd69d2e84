import { worktreeFinding } from "../../core/replies/worktrees.js";
import { quietGit, quietOutput } from "./quiet-git.js";

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
  if (base === tip) return { commits: 0, findings: [] };
  const range = `${base}..${tip}`;
  const counted = Number(await quietOutput(repo, ["rev-list", "--count", range]));
  if (counted === 0) return { commits: 0, findings: [] };
  const log = counted > MOST_COMMITS ? null : await readLog(repo, range);
  if (log === null) return { commits: counted, findings: [worktreeFinding.tooMuch(counted)] };
  const related = await quietGit(repo, ["merge-base", base, tip]);
  const links = log.changes.filter(({ mode, oldMode }) => mode === GITLINK || oldMode === GITLINK);
  const settings = log.changes.filter(({ path }) => path.toLowerCase() === ".gitmodules");
  const pointers = await lfsPointers(repo, log.changes);
  return {
    commits: counted,
    findings: [
      ...(related.code === 0 ? [] : [worktreeFinding.unrelated()]),
      ...named(paths(links), worktreeFinding.submodule),
      ...named(paths(settings), worktreeFinding.submoduleFile),
      ...named(pointers, worktreeFinding.lfsPointer),
      ...named(log.merges, worktreeFinding.mergeCommit),
    ],
  };
}

interface Log {
  readonly merges: readonly string[];
  readonly changes: readonly Change[];
}

/** Null when it is too large to be held. */
async function readLog(repo: string, range: string): Promise<Log | null> {
  const args = ["log", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-merges=first-parent"];
  let text: string;
  try {
    text = await quietOutput(repo, [...args, "--format=%H %P", range, "--"]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return null;
    throw error;
  }
  const merges: string[] = [];
  const changes: Change[] = [];
  const fields = text.split("\0");
  for (let at = 0; at < fields.length; at += 1) {
    const field = (fields[at] ?? "").trimStart();
    if (field.startsWith(":")) {
      const [oldMode = "", mode = "", , blob = ""] = field.slice(1).split(" ");
      at += 1;
      changes.push({ oldMode, mode, blob, path: fields[at] ?? "" });
    } else {
      const [sha = "", ...parents] = field.trimEnd().split(" ");
      if (parents.length > 1) merges.push(sha);
    }
  }
  return { merges, changes };
}

async function lfsPointers(repo: string, changes: readonly Change[]): Promise<string[]> {
  const files = changes.filter(({ mode }) => mode.startsWith("100"));
  if (files.length === 0) return [];
  const blobs = [...new Set(files.map(({ blob }) => blob))];
  const sizes = await quietOutput(repo, ["cat-file", "--batch-check=%(objectname) %(objectsize)"], {
    input: lines(blobs),
  });
  const small = sizes
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, size]) => Number(size) > POINTER.length && Number(size) <= POINTER_BYTES)
    .map(([blob = ""]) => blob);
  if (small.length === 0) return [];
  const contents = await quietOutput(repo, ["cat-file", "--batch=%(objectname)"], { input: lines(small) });
  const pointing = new Set(small.filter((blob) => contents.includes(`${blob}\n${POINTER}`)));
  return paths(files.filter(({ blob }) => pointing.has(blob)));
}

function lines(values: readonly string[]): string {
  return values.map((value) => `${value}\n`).join("");
}

function paths(changes: readonly Change[]): string[] {
  return [...new Set(changes.map(({ path }) => path))].sort();
}

function named(values: readonly string[], say: (value: string) => string): string[] {
  const shown = values.slice(0, MOST_PER_KIND).map(say);
  const rest = values.length - shown.length;
  return rest > 0 ? [...shown, worktreeFinding.more(rest, shown[0] ?? "")] : shown;
}
