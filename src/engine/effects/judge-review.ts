import type { Judged } from "../../core/model/agent-end.js";
import { acceptanceCriteria } from "../../core/prompt/acceptance-criteria.js";
import { degradedReviewText, reviewReport, reviewSummary } from "../../core/replies/review/review.js";
import { readVerdict } from "../../core/review/read-verdict.js";
import { placeOf } from "../../core/run/ledger/place-of.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import type { Outcome } from "../../core/runtimes/agent-outcome.js";
import type { EngineParts } from "../engine-parts.js";
import { markerOf } from "../marker.js";
import { refuseWithheld } from "./refuse-withheld.js";

/** The checkout that a bead's reviewer reads. */
export function reviewCheckout(bead: string): string {
  return `${bead}-review`;
}

/**
 * What the reviewer's answer amounts to. The words stay in the slot's folder, for the implementer and for people;
 * only counts leave it.
 */
export async function judgeReview(slot: Slot, outcome: Outcome | null, parts: EngineParts): Promise<Judged> {
  const { processes, folders, source, repo, worktrees } = parts;
  const place = placeOf(slot);
  await processes.sweep(markerOf(slot), worktrees.pathOf(slot.bead));
  await repo.dropCheckout(reviewCheckout(slot.bead));
  if (outcome === null || outcome.kind !== "completed")
    return {
      verdict: "degraded",
      note: degradedReviewText({ code: "died", outcome: outcome?.kind ?? "lost" }),
    };
  const bead = await source.get(slot.bead);
  // Its criteria are somebody else's by now, and without any every review is clean.
  refuseWithheld(bead);
  const reading = readVerdict(outcome, acceptanceCriteria(bead?.acceptance ?? ""));
  if (reading.kind === "degraded") {
    const note = degradedReviewText(reading.why);
    await folders.writeReview(place, { degraded: note });
    return { verdict: "degraded", note };
  }
  const { verdict } = reading;
  await folders.writeReview(place, verdict);
  await folders.writeReport(place, "review", reviewReport(verdict));
  const criteria = verdict.criteria.map(({ id, status }) => ({ id, status }));
  return { verdict: verdict.blocking ? "blocking" : "clean", note: reviewSummary(verdict), criteria };
}
