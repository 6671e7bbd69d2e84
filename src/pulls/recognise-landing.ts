import type { ArrivedMove } from "../core/land/decide-landing.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { PullRefs, PullRepo } from "../ports/pull-repo.js";

/** What of the landing is on the base branch; null when nothing is, or it was there before. */
export async function arrivedMove(
  repo: PullRepo,
  landing: Landing,
  { base }: PullRefs,
): Promise<ArrivedMove | null> {
  const { head, intended } = landing;
  for (const move of [intended, { from: landing.base, head }]) {
    if (move === null || !(await repo.has(move.head)) || !(await repo.isAncestor(move.head, base))) continue;
    if (!(await repo.isAncestor(move.head, move.from))) return move;
  }
  return null;
}

/** Whether the pull request's branch has the landing's work in a form that koryph gave it. */
export async function isOurs(repo: PullRepo, landing: Landing, { head, base }: PullRefs): Promise<boolean> {
  if (head === null) return false;
  if (head === landing.head || head === landing.asked) return true;
  const number = landing.pull ?? 0;
  if (landing.method === "squash" && (await repo.isSquash(number, landing.asked, head, base))) return true;
  return landing.moves > 1 && repo.isReplay(number, landing.asked, head, base);
}
