import { leadsOutside } from "../../../core/land/content/leads-outside.js";
import { worktreeFinding } from "../../../core/replies/run/worktrees.js";
import type { RangeCommit } from "../../../ports/repo.js";
import { describeObjects } from "../exec/describe-objects.js";
import { objectContents } from "../exec/object-contents.js";
import { quietGit, quietOutput } from "../exec/quiet-git.js";
import type { PathChange, RangeLog } from "./range-log.js";

export interface RangeReading {
  readonly total: number;
  /** Oldest first; empty when there are too many. */
  readonly commits: readonly RangeCommit[];
  /** Every path that a commit touches, sorted; empty when there are too many commits. */
  readonly paths: readonly string[];
  readonly findings: readonly string[];
}

const GITLINK = "160000";
const LINK = "120000";
/** No system takes a longer one. */
const LINK_BYTES = 4_096;
const MOST_PER_KIND = 5;
/** Pointers are at most this long by their specification. */
const POINTER_BYTES = 1_024;
const POINTER = "version https://git-lfs.github.com/spec/v1\n";

/** What the log of `base..tip` amounts to; without one it was too large to be held. */
export async function judgeLog(
  repo: string,
  { base, tip }: { readonly base: string; readonly tip: string },
  log: RangeLog | null,
): Promise<RangeReading> {
  if (log === null) {
    const total = Number(await quietOutput(repo, ["rev-list", "--count", `${base}..${tip}`]));
    return { total, commits: [], paths: [], findings: [worktreeFinding.tooMuch(total)] };
  }
  const { commits, changes } = log;
  const links = changes.filter(({ mode, oldMode }) => mode === GITLINK || oldMode === GITLINK);
  const settings = changes.filter(({ path }) => path.toLowerCase() === ".gitmodules");
  const [pointers, out, related] = await Promise.all([
    lfsPointers(repo, changes),
    linksOut(repo, changes),
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
      ...named(out, worktreeFinding.linkOut),
      ...named(merges, worktreeFinding.mergeCommit),
    ],
  };
}

async function areRelated(repo: string, base: string, tip: string): Promise<boolean> {
  return (await quietGit(repo, ["merge-base", base, tip])).code === 0;
}

async function lfsPointers(repo: string, changes: readonly PathChange[]): Promise<string[]> {
  const files = changes.filter(({ mode }) => mode.startsWith("100"));
  const blobs = [...new Set(files.map(({ blob }) => blob))];
  const small = (await describeObjects(repo, blobs)).flatMap((object) =>
    object !== null && object.size > POINTER.length && object.size <= POINTER_BYTES ? [object.sha] : [],
  );
  const contents = await objectContents(repo, small);
  if (contents === null)
    throw new Error(`git cat-file ended in ${repo} before it had shown ${small.length} files`);
  const pointing = new Set(
    contents.flatMap((found) => (found?.bytes.toString("latin1").startsWith(POINTER) ? [found.sha] : [])),
  );
  return paths(files.filter(({ blob }) => pointing.has(blob)));
}

async function linksOut(repo: string, changes: readonly PathChange[]): Promise<string[]> {
  const links = changes.filter(({ mode }) => mode === LINK);
  if (links.length === 0) return [];
  const blobs = [...new Set(links.map(({ blob }) => blob))];
  const small = (await describeObjects(repo, blobs)).flatMap((object) =>
    object !== null && object.size <= LINK_BYTES ? [object.sha] : [],
  );
  const contents = await objectContents(repo, small);
  if (contents === null)
    throw new Error(`git cat-file ended in ${repo} before it had shown ${small.length} links`);
  const targets = new Map(
    contents.flatMap((found) => (found === null ? [] : [[found.sha, found.bytes.toString("utf8")] as const])),
  );
  return paths(
    links.filter(({ path, blob }) => {
      const target = targets.get(blob);
      return target === undefined || leadsOutside(path, target);
    }),
  );
}

function paths(changes: readonly PathChange[]): string[] {
  return [...new Set(changes.map(({ path }) => path))].sort();
}

function named(values: readonly string[], say: (value: string) => string): string[] {
  const shown = values.slice(0, MOST_PER_KIND).map(say);
  const rest = values.length - shown.length;
  return rest > 0 ? [...shown, worktreeFinding.more(rest, shown[0] ?? "")] : shown;
}
