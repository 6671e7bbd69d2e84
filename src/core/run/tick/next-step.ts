import type { ProjectConfig } from "../../config/project-schema.js";
import { landWords } from "../../replies/land/land.js";
import type { NewEvent } from "../ledger/ledger-event.js";
import type { Slot } from "../ledger/slot.js";
import type { RunOptions } from "./tick-facts.js";

const MOST_BOUNCES = 2;

export interface StepFacts {
  readonly slot: Slot;
  readonly config: Pick<ProjectConfig, "review" | "merge_method">;
  readonly options: Pick<RunOptions, "review" | "autoMerge" | "direct">;
  readonly now: number;
}

/** Whether the slot's next step needs another agent, so that its place is better kept free for it. */
export function wantsAgent(facts: StepFacts): boolean {
  const { slot } = facts;
  return slot.status === "passed" && (nextStage(slot) !== null || wantsReview(facts));
}

/** The stage that comes next; null when all have been passed. */
export function nextStage({ asides, passed }: Slot): string | null {
  return asides.find(({ task }) => task !== "review" && !passed.includes(task))?.task ?? null;
}

/** A review is of one head: whatever moved that head needs another. */
function wantsReview({ slot, config, options }: StepFacts): boolean {
  if (!options.review && !config.review.auto) return false;
  return slot.review === null || slot.review.head !== slot.candidate?.head;
}

/** What becomes of a slot whose commits were accepted: the review, then what its merge policy says. */
export function afterAcceptance(facts: StepFacts): NewEvent {
  const { slot, config, now } = facts;
  if (wantsReview(facts)) return nextTask(slot, "review", now);
  if (slot.review?.verdict === "blocking") {
    return slot.setbacks.bounce < MOST_BOUNCES
      ? sendBack(slot, {
          counts: "bounce",
          report: "review",
          reason: landWords.bounced(slot.review.note),
          now,
        })
      : waitForPerson(slot, landWords.stillBlocking(MOST_BOUNCES));
  }
  if (slot.review?.verdict === "degraded" && config.review.on_degraded === "block")
    return block(slot, landWords.degraded(slot.review.note));
  return byPolicy(facts);
}

function byPolicy({ slot, config, options }: StepFacts): NewEvent {
  const degraded = slot.review?.verdict === "degraded" ? landWords.degraded(slot.review.note) : "";
  const policy = options.direct ? "auto" : slot.mergePolicy;
  switch (policy) {
    case "manual":
      return waitForPerson(slot, degraded);
    case "pr":
      return block(slot, landWords.noPullRequests());
    case "auto":
      return options.autoMerge || options.direct
        ? requestLanding(slot, config.merge_method)
        : waitForPerson(
            slot,
            [degraded, landWords.needsAutoMerge()].filter((note) => note !== "").join("; "),
          );
  }
}

export function requestLanding(slot: Slot, method: "ff" | "squash"): NewEvent {
  const { branch = "", from, base = "", head = "" } = slot.candidate ?? {};
  return {
    type: "land.requested",
    bead: slot.bead,
    run: slot.run,
    data: { branch, ...(from && { from }), base, head, method, by: "engine", allow_protected: false },
  };
}

/** The next agent of a slot that goes well. */
export function nextTask({ bead, run }: Slot, task: string, now: number): NewEvent {
  const data = {
    task,
    reason: task,
    counts: "none",
    start: "resume",
    not_before: now,
    report: null,
  } as const;
  return { type: "slot.queued", bead, run, data };
}

interface Return {
  readonly counts: "bounce" | "gate" | "style" | "conflict";
  readonly report: "review" | "gate" | "style" | "conflict";
  readonly reason: string;
  readonly now: number;
}

/** Back to the implementer, with a report of what is wrong. */
export function sendBack({ bead, run }: Slot, { counts, report, reason, now }: Return): NewEvent {
  const data = { task: "implement", reason, counts, start: "resume", not_before: now, report } as const;
  return { type: "slot.queued", bead, run, data };
}

function waitForPerson({ bead, run, head, commits }: Slot, note: string): NewEvent {
  const data = { status: "merge-pending", head: head ?? "", commits, note } as const;
  return { type: "slot.finished", bead, run, data };
}

export function block(
  { bead, run }: Slot,
  reason: string,
  status: "blocked" | "conflict" = "blocked",
): NewEvent {
  return { type: "slot.blocked", bead, run, data: { reason, status } };
}
