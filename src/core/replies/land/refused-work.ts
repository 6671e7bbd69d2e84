import { shellWord } from "../../../lib/shell-word.js";
import { isProtected, LIFTABLE_PATHS } from "../../land/protected-paths.js";

/** What was refused, and where a person finds it. */
export interface RefusedWork {
  readonly bead: string;
  /** The commit that was to land; null when there is none. */
  readonly head: string | null;
  /** The bead's clone; null when there is none on this machine. */
  readonly clone: string | null;
  /** The engine's own repository, which has the commit. */
  readonly repository: string;
  /** The project's own, besides the built-in ones. */
  readonly protectedPaths: readonly string[];
  /** The page that tells how work is landed by hand. */
  readonly page: string;
}

/** Without a clone nothing can be mended by hand: what lands must have been accepted, or lie in a clone here. */
export function sendBackHint({ bead, clone }: RefusedWork): string {
  const byHand = clone === null ? "" : `; or mend it in ${shellWord(clone)}, commit, and koryph land ${bead}`;
  return `koryph retry ${bead} sends it back to an agent with the report${byHand}`;
}

/** A subject can be mended by hand without a new commit; git has one way for the last commit, another for the others. */
export function restyleHint(commits: readonly string[], work: RefusedWork): string {
  const { bead, clone, head } = work;
  if (clone === null) return sendBackHint(work);
  const place = `git -C ${shellWord(clone)}`;
  const amend =
    commits.length === 1 && commits[0] === head
      ? `${place} commit --amend`
      : `${place} rebase -i origin/HEAD, with reword for ${commits.length === 1 ? "it" : "each of them"}`;
  return `koryph retry ${bead} sends it back to an agent with the report; or write the subject anew: ${amend}, then koryph land ${bead}`;
}

export function protectedHint(paths: readonly string[], work: RefusedWork): string {
  const { bead, head, repository, protectedPaths } = work;
  if (!paths.some((path) => isProtected(path, protectedPaths, LIFTABLE_PATHS)))
    return `after a look: koryph land ${bead} --allow-protected`;
  const byHand = `only a person can land that, by hand as ${handPage(work)} tells`;
  if (head === null) return byHand;
  return `${byHand}; to look at it first: git fetch ${shellWord(repository)} ${head}:refs/heads/agent/${bead}`;
}

/** Koryph signs what agents commit; what somebody else put on the branch is signed by them, or made anew. */
export function signAllHint({ bead, clone }: RefusedWork): string {
  return clone === null
    ? `let an agent make them anew with koryph retry ${bead}: koryph signs what agents commit`
    : `sign all of them with a key that is allowed there: git -C ${shellWord(clone)} rebase --force-rebase -S origin/HEAD, then koryph land ${bead}`;
}

/** For what no landing can carry: a merge commit, a submodule, a pointer of Git LFS, a link that leads elsewhere. */
export function straightenHint({ bead, clone }: RefusedWork): string {
  return clone === null
    ? `koryph retry ${bead} lets an agent do it again without that`
    : `take it out in ${shellWord(clone)} (git rebase origin/HEAD makes a straight line of merged commits), then koryph land ${bead}`;
}

/** Whatever was committed is in the history of the clone for good, and an agent may have sent it anywhere. */
export function secretsHint({ bead, clone }: RefusedWork): string {
  const takeOut =
    clone === null
      ? `koryph retry ${bead} lets an agent do it again without it`
      : `take it out of every commit in ${shellWord(clone)} (git rebase -i origin/HEAD), then koryph land ${bead}`;
  return `revoke it if it is real, and ${takeOut}; if it is no secret: koryph land ${bead} --allow-secrets`;
}

export function clonePlace({ clone }: RefusedWork): string {
  return clone === null ? "its clone" : shellWord(clone);
}

export function handPage({ page }: RefusedWork): string {
  return `${page} ("By hand")`;
}
