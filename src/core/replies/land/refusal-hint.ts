import { shellWord } from "../../../lib/shell-word.js";
import { isProtected, LIFTABLE_PATHS } from "../../land/protected-paths.js";
import type { LandErrorCode, LandRefusal } from "../../land/refusal.js";

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

/** What to do about a refusal, with the commands that do it. */
export function refusalHint(refusal: LandRefusal, work: RefusedWork): string {
  const { bead } = work;
  switch (refusal.result) {
    case "dirty":
      return `commit or discard what is in ${placeOf(work)}, then koryph land ${bead}`;
    case "no-changes":
      return `if its work is on the default branch already, close the bead: ${handPage(work)} tells how`;
    case "protected":
      return protectedHint(refusal.paths, work);
    case "commit-style":
    case "conflict":
    case "gate-failed":
      return `koryph retry ${bead} sends it back to an agent with the report${mendHint(work)}`;
    case "unsigned":
      return refusal.under === undefined || work.clone === null
        ? "see koryph signing status and docs/signing.md"
        : `sign all of them yourself: git -C ${shellWord(work.clone)} rebase --force-rebase -S origin/HEAD, then koryph land ${bead}`;
    case "error":
      return errorHint(refusal.code, work);
  }
}

function protectedHint(paths: readonly string[], work: RefusedWork): string {
  const { bead, head, repository, protectedPaths } = work;
  if (!paths.some((path) => isProtected(path, protectedPaths, LIFTABLE_PATHS)))
    return `after a look: koryph land ${bead} --allow-protected`;
  const byHand = `only a person can land that, by hand as ${handPage(work)} tells`;
  if (head === null) return byHand;
  return `${byHand}; to look at it first: git fetch ${shellWord(repository)} ${head}:refs/heads/agent/${bead}`;
}

/** Without a clone nothing can be mended by hand: what lands must have been accepted, or lie in a clone here. */
function mendHint({ bead, clone }: RefusedWork): string {
  return clone === null ? "" : `; or mend it in ${shellWord(clone)}, commit, and koryph land ${bead}`;
}

function placeOf({ clone }: RefusedWork): string {
  return clone === null ? "its clone" : shellWord(clone);
}

function handPage({ page }: RefusedWork): string {
  return `${page} ("By hand")`;
}

function errorHint(code: LandErrorCode, work: RefusedWork): string {
  const { bead } = work;
  switch (code) {
    case "base_busy":
      return `koryph land ${bead} again when fewer people push`;
    case "push_refused":
      return `see to what it says, then koryph land ${bead} again`;
    case "squash_signed":
      return `koryph land ${bead} --method ff`;
    case "unsupported":
      return `take it out of the branch in ${placeOf(work)}, then koryph land ${bead} again`;
    case "no_candidate":
      return `koryph retry ${bead} lets an agent do the work`;
    case "broken":
      return `koryph log --bead ${bead} tells more`;
    case "other_branch":
      return `switch back, or land it by hand as ${handPage(work)} tells`;
    case "interrupted":
      return `koryph land ${bead} when you want it landed`;
  }
}
