import type { ClonePaths } from "./project-paths.js";
import { quietOutput } from "./quiet-git.js";
import { readRefFiles } from "./ref-files.js";

const ORIGIN = "refs/remotes/origin/";

/** What `repo.git` says about the default branch and about one bead, in one reading. */
export interface BeadRefs {
  readonly defaultBranch: string;
  readonly base: string;
  /** Tip of `agent/<bead>`; null when there is none. */
  readonly tip: string | null;
  /** What was last seen on the remote as the bead's saved work. */
  readonly wip: string | null;
  /** What was made of the branch for landing. */
  readonly candidate: string | null;
  /** Earlier tips that were kept when their clone was rebuilt: number → commit. */
  readonly old: ReadonlyMap<number, string>;
  /** `<commit> <ref>` of what every clone gets to see: the default branch and the tags. */
  readonly shared: readonly string[];
}

/** Null when `repo.git` has never been fetched. */
export async function readRefs({ repo, bead, branch, candidate }: ClonePaths): Promise<BeadRefs | null> {
  const wipRef = `refs/koryph/wip/${bead}`;
  const oldRefs = `refs/koryph/old/${bead}`;
  const found = await readRefFiles(repo, [
    ...["refs/remotes/origin", "refs/tags", branch, candidate, wipRef, oldRefs],
  ]);
  const head = found.find(({ ref }) => ref === `${ORIGIN}HEAD`);
  if (head === undefined) return null;
  const at = (name: string) => found.find(({ ref }) => ref === name)?.sha ?? null;
  return {
    defaultBranch: head.target.slice(ORIGIN.length),
    base: head.sha,
    tip: at(branch),
    wip: at(wipRef),
    candidate: at(candidate),
    old: new Map(
      found
        .filter(({ ref }) => ref.startsWith(`${oldRefs}/`))
        .map(({ ref, sha }) => [Number(ref.slice(oldRefs.length + 1)), sha]),
    ),
    shared: found
      // A name that is not UTF-8 did not survive the reading.
      .filter(({ ref }) => !ref.includes("\u{FFFD}") && (ref === head.target || ref.startsWith("refs/tags/")))
      .map(({ sha, ref }) => `${sha} ${ref}`),
  };
}

/** Keeps a commit reachable that its branch is about to leave. A commit that is kept already is not kept twice. */
export async function keepOld(paths: ClonePaths, old: BeadRefs["old"], sha: string): Promise<void> {
  if ([...old.values()].includes(sha)) return;
  const next = Math.max(0, ...old.keys()) + 1;
  await quietOutput(paths.repo, ["update-ref", `refs/koryph/old/${paths.bead}/${next}`, sha]);
}
