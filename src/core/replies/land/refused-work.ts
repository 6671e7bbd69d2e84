import { shellWord } from "../../../lib/shell-word.js";
import { isProtected, LIFTABLE_PATHS } from "../../land/protected-paths.js";

/** What was refused, and where a person finds it. */
export interface RefusedWork {
  readonly bead: string;
  /** The commit that was to land; null when there is none. */
  readonly head: string | null;
  /** The engine's own repository, which has the commit. */
  readonly repository: string;
  /** The project's own, besides the built-in ones. */
  readonly protectedPaths: readonly string[];
  /** The page that tells how work is landed by hand. */
  readonly page: string;
}

/**
 * How a person goes on with the work: in a checkout of their own. Nobody is sent into the clone, for whatever an agent left
 * in its settings and hooks would run as that person. Empty where there is no commit.
 */
function takeOver(work: RefusedWork, then: string): string {
  const { bead, head, repository } = work;
  if (head === null) return "";
  const fetch = `git fetch ${shellWord(repository)} ${head}:refs/heads/agent/${bead}`;
  return `; or take it over in your checkout: ${fetch}, ${then}, and land it as ${handPage(work)} tells`;
}

/** Back to an agent, or a person takes it over. */
export function sendBackHint(work: RefusedWork): string {
  return `koryph retry ${work.bead} sends it back to an agent with the report${takeOver(work, "mend it")}`;
}

/** A subject can be mended by hand without a new commit; git has one way for the last commit, another for the others. */
export function restyleHint(commits: readonly string[], work: RefusedWork): string {
  const { bead, head } = work;
  const isLast = commits.length === 1 && commits[0] === head;
  const anew = isLast
    ? "git commit --amend"
    : `git rebase -i, with reword for ${commits.length === 1 ? "it" : "each of them"}`;
  return `koryph retry ${bead} sends it back to an agent with the report${takeOver(work, `write the subject anew by ${anew}`)}`;
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
export function signAllHint(work: RefusedWork): string {
  const over = takeOver(
    work,
    "sign all of them with a key that is allowed there by git rebase --force-rebase -S",
  );
  return `let an agent make them anew with koryph retry ${work.bead}: koryph signs what agents commit${over}`;
}

/** For what no landing can carry: a merge commit, a submodule, a pointer of Git LFS, a link that leads elsewhere. */
export function straightenHint(work: RefusedWork): string {
  const over = takeOver(work, "take it out (git rebase makes a straight line of merged commits)");
  return `koryph retry ${work.bead} lets an agent do it again without that${over}`;
}

/** Whatever was committed is in the history of the clone for good, and an agent may have sent it anywhere. */
export function secretsHint(work: RefusedWork): string {
  const { bead } = work;
  const over = takeOver(work, "take it out of every commit by git rebase -i");
  return `revoke it if it is real, and koryph retry ${bead} lets an agent do it again without it${over}; if it is no secret: koryph land ${bead} --allow-secrets`;
}

export function handPage({ page }: RefusedWork): string {
  return `${page} ("By hand")`;
}
