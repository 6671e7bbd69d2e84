import type { ProjectConfig } from "../../config/project-schema.js";
import type { ReportKind } from "../../model/report-kind.js";
import type { DecidedEvent, ReasonedEvent } from "../ledger/decided-event.js";
import type { NewEvent } from "../ledger/ledger-event.js";
import type { Slot } from "../ledger/slot.js";
import type { Words } from "../ledger/slot-reason.js";
import { blockSlot } from "./block-slot.js";
import type { Checked, RunOptions } from "./tick-facts.js";

export const MOST_BOUNCES = 2;

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
export function wantsReview({ slot, config, options }: StepFacts): boolean {
  if (!options.review && !config.review.auto) return false;
  return slot.review === null || slot.review.head !== slot.candidate?.head;
}

/** Whatever needs no model comes before a review. */
export function wantsCheck(facts: StepFacts): boolean {
  return wantsReview(facts) && facts.slot.checked !== facts.slot.candidate?.head;
}

/** What the look at a candidate found: it may be reviewed, or it has to be mended first. */
export function checkedEvent({ bead, run }: Slot, checked: Checked): NewEvent {
  if (checked.kind === "refused") return { type: "slot.refused", bead, run, data: checked.refusal };
  const { base, head } = checked;
  return { type: "slot.checked", bead, run, data: { base, head } };
}

/** What becomes of a slot whose commits were accepted: the review, then what its merge policy says. */
export function afterAcceptance(facts: StepFacts): DecidedEvent {
  const { slot, config, now } = facts;
  if (wantsReview(facts)) return nextTask(slot, "review", now);
  const { review } = slot;
  if (review?.verdict === "blocking") {
    return slot.setbacks.bounce < MOST_BOUNCES
      ? sendBack(slot, { report: "review", why: { code: "bounced", note: review.note }, now })
      : waitForPerson(slot, { code: "still-blocking", rounds: MOST_BOUNCES });
  }
  if (review?.verdict === "degraded" && config.review.on_degraded === "block")
    return blockSlot(slot, { code: "review-degraded", note: review.note });
  return byPolicy(facts);
}

/** Whether this run lands what passes, without a person's word. */
export function landsByItself(
  slot: Pick<Slot, "mergePolicy" | "contained">,
  options: StepFacts["options"],
): boolean {
  return policyOf(slot, options) === "auto" && Boolean(options.autoMerge || options.direct);
}

/** What an agent made that was to be shut in and was not waits for a person, whatever anybody else asked for. */
function policyOf(
  { mergePolicy, contained }: Pick<Slot, "mergePolicy" | "contained">,
  { direct }: StepFacts["options"],
) {
  if (contained === "missing") return "manual";
  return direct ? "auto" : mergePolicy;
}

function byPolicy({ slot, config, options }: StepFacts): DecidedEvent {
  const degraded = slot.review?.verdict === "degraded" ? slot.review.note : null;
  const policy = policyOf(slot, options);
  switch (policy) {
    case "manual":
      if (slot.contained === "missing") return waitForPerson(slot, { code: "uncontained", degraded });
      return waitForPerson(slot, degraded === null ? "" : { code: "review-degraded", note: degraded });
    case "pr":
      return askForPull(slot, config.merge_method);
    case "auto":
      return landsByItself(slot, options)
        ? askToLand(slot, config.merge_method)
        : waitForPerson(slot, { code: "needs-auto-merge", degraded });
  }
}

/** Asks for what the engine does with work that passed: that it lands, or becomes a pull request. */
export function askAgain(slot: Slot, { config, options }: Pick<StepFacts, "config" | "options">): NewEvent {
  const ask = policyOf(slot, options) === "pr" ? askForPull : askToLand;
  return ask(slot, config.merge_method);
}

function askForPull(slot: Slot, method: "ff" | "squash"): NewEvent {
  const { branch = "", from, base = "", head = "" } = slot.candidate ?? {};
  const data = { branch, ...(from && { from }), base, head, method };
  return { type: "pull.requested", bead: slot.bead, run: slot.run, data };
}

/** The engine's own request. */
function askToLand(slot: Slot, method: "ff" | "squash"): NewEvent {
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
  readonly report: ReportKind;
  readonly why: Words;
  readonly now: number;
}

/** Back to the implementer, with a report of what is wrong. Each kind of report is counted for itself. */
export function sendBack({ bead, run }: Slot, { report, why, now }: Return): ReasonedEvent {
  const counts = report === "review" ? "bounce" : report;
  const data = { task: "implement", counts, start: "resume", not_before: now, report } as const;
  return { type: "slot.queued", bead, run, data, why };
}

export function waitForPerson({ bead, run, head, commits }: Slot, why: Words): ReasonedEvent {
  const data = { status: "merge-pending", head: head ?? "", commits } as const;
  return { type: "slot.finished", bead, run, data, why };
}
