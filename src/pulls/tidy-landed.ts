import { beadOfBranch } from "../core/model/pull.js";
import type { Pulls } from "../ports/pulls.js";

/** GitHub marks a pull request as merged once its head is on the base branch; it may take a while, or forget it. */
export const MERGED_WITHIN_MS = 300_000;

/** What GitHub shows of a landed pull request: `open` as long as it has not noticed. */
export type ShownLanded = "merged" | "open" | "closed";

/** A branch of koryph's own goes once GitHub shows its pull request as merged, and not before. May be repeated. */
export async function tidyLanded(
  pulls: Pick<Pulls, "read" | "deleteBranch">,
  landed: { readonly pull: number; readonly head: string },
): Promise<ShownLanded> {
  const pull = await pulls.read(landed.pull);
  if (pull === null) return "closed";
  if (pull.merged === null) return pull.state;
  if (beadOfBranch(pull.head) !== null) await pulls.deleteBranch(pull.head.branch, landed.head);
  return "merged";
}
