import { plainLines, plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { RunningCommand } from "../../land/land-progress.js";
import type { UnseenWork } from "../../land/unseen-work.js";
import type { Bead } from "../../model/bead.js";
import type { LedgerState } from "../../run/ledger/ledger-state.js";
import type { RuntimePause } from "../../run/ledger/runtime-pause.js";
import type { Slot } from "../../run/ledger/slot.js";
import type { Words } from "../../run/ledger/slot-reason.js";
import type { CostRanking } from "../../run/metrics/project-metrics.js";
import { runModelCosts } from "../../run/metrics/run-limits.js";
import { idleAtEnd } from "../../run/plan/idle-at-end.js";
import type { KeptChoices, Resumed } from "../../run/plan/resume-choices.js";
import { reasonCode, runOutcome } from "../../run/tick/run-outcome.js";
import type { RunEndReason, TickEnd, Unaffordable } from "../../run/tick/tick-facts.js";
import type { NotSelected } from "../../schedule/build-wave.js";
import type { Idle, Unreleased } from "../../schedule/why-idle.js";
import { gateAdvice } from "../land/base-gate.js";
import { runningText } from "../land/landing-clock.js";
import { rankingJson } from "../report/cost-ranking.js";
import { idleSentence } from "../schedule/idle.js";
import { dispatchRefusalText } from "../schedule/schedule.js";
import { bare, typed } from "../typed.js";
import { nextOfSlot } from "./next-of-slot.js";
import { pauseJson } from "./pauses.js";
import { type Taken, takenByRuns } from "./taken-by-runs.js";

/** How a run ended, in numbers. */
export interface RunSummary {
  readonly run: string;
  readonly reason: string;
  readonly code: number;
  /** Which end that is. */
  readonly ended: RunEndReason;
  /** Beads that it started an agent for, or took over. */
  readonly dispatched: number;
  readonly landed: number;
  /** Open as pull requests. */
  readonly pulls: number;
  /** Waiting for a person to land them. */
  readonly finished: number;
  /** Those in conflict are among them. */
  readonly blocked: number;
  readonly conflicts: number;
  /** Those among the blocked whose attempts, steps or landings failed; the others wait for an answer. */
  readonly failed: number;
  /** Waiting for another run, and those of them that wait for a person's word besides. */
  readonly queued: number;
  readonly held: number;
  /** What this run left to a person, and what earlier ones left; by id. */
  readonly left: readonly Taken[];
  readonly earlier: readonly Taken[];
  /** The bead that the budget could not pay; absent when the run ended for another reason. */
  readonly unaffordable?: Unaffordable | undefined;
  /** Ready beads that no run of koryph takes as they are; those that runs left are not among them. */
  readonly passedOver: readonly NotSelected[];
  /** Why there was nothing, or nothing more, to do; null when that is no question. */
  readonly idle: Idle | null;
  /** Runtimes that were paused when it ended. */
  readonly pauses: readonly RuntimePause[];
  readonly costUsd: number;
  readonly costKnown: boolean;
  /** What its agents cost by model, those that cost nothing left out. */
  readonly models: CostRanking;
  /** What cut the run short; absent when nothing did. */
  readonly failure?: Advice | undefined;
}

export interface SummaryScope {
  /** All beads of the work source; what runs left of closed ones is over. Null when it could not be read. */
  readonly beads?: readonly Bead[] | null;
  /** What in the work source waits for a release, where that is known. */
  readonly unreleased?: Unreleased | null | undefined;
  /** What the operator's checkout has beyond the commit that agents start from. */
  readonly unseen?: UnseenWork | null;
  /** What the run was limited to. */
  readonly parent?: string | undefined;
  readonly only?: string | undefined;
}

/** These come to an end without anybody's help. */
const PASSING: ReadonlySet<string> = new Set(["at-work", "landing", "over"]);

export function summarise(
  state: LedgerState,
  run: string,
  { reason, code, unaffordable, redBase, passedOver: notTaken = [] }: TickEnd,
  { beads = null, unseen = null, parent, only, unreleased }: SummaryScope = {},
): RunSummary {
  const slots = Object.values(state.slots).filter((slot) => slot.run === run);
  const those = (...wanted: readonly string[]) => slots.filter(({ status }) => wanted.includes(status));
  const queued = those("queued", "passed", "landing", "refused");
  const taken = takenByRuns(state, beads ?? []).filter((each) => !PASSING.has(each.next.kind));
  const passedOver = notTaken.filter(({ bead }) => state.slots[bead.id] === undefined);
  const drained = reason === "drained" || (reason === "all-deferred" && passedOver.length > 0);
  const ended = { taken: slots.length, drained, passedOver, parent, only, unreleased };
  return {
    run,
    reason: runEndText(reason),
    code,
    ended: reason,
    dispatched: slots.length,
    unaffordable,
    landed: those("merged").length,
    pulls: those("pr-opened").length,
    finished: those("merge-pending").length,
    blocked: those("blocked", "conflict").length,
    conflicts: those("conflict").length,
    failed: those("blocked", "conflict").filter(hasFailed).length,
    queued: queued.length,
    held: queued.filter((slot) => nextOfSlot(slot, state.holds[slot.bead]).kind === "held").length,
    left: taken.filter((each) => each.run === run && each.next.kind !== "resume"),
    earlier: taken.filter((each) => each.run !== run && (only === undefined || each.bead === only)),
    passedOver,
    idle: beads === null ? null : idleAtEnd(ended, beads),
    pauses: state.pauses.filter(({ until }) => until !== 0),
    costUsd: slots.reduce((sum, slot) => sum + slot.costUsd, 0),
    costKnown: slots.every((slot) => slot.costKnown),
    models: runModelCosts(state.run?.id === run ? state : { runCosts: {} }),
    failure: redBase && gateAdvice.redBase(redBase, unseen),
  };
}

const FAILURES: ReadonlySet<string | null> = new Set<Exclude<Words, string>["code"]>([
  ...(["agent-ended", "too-many-deaths", "too-many-attempts"] as const),
  ...(["land-refused", "effect-failed", "stage-lost-commits"] as const),
]);

function hasFailed({ status, noteCode }: Slot): boolean {
  return status === "conflict" || FAILURES.has(noteCode);
}

/** Why a run ended, as the ledger and programs get it; empty when it did what it was asked for. */
export function runEndText(reason: RunEndReason): string {
  switch (reason) {
    case "once":
      return "";
    case "all-deferred":
      return "no dispatchable work (all ready items deferred)";
    case "interrupted":
    case "operator-drain":
    case "budget-cap":
    case "quota-cap":
    case "drained":
    case "runtime-fault":
    case "gate-red-on-base":
    case "failed":
      return reason;
  }
}

/** One line: what came of the run and what it cost. */
export function summaryLine(summary: RunSummary): string {
  return bare(summarySentence(summary));
}

/** The same with its commands between backticks, for markdown. */
export function summarySentence(summary: RunSummary): string {
  const { reason, landed, pulls, finished, blocked, conflicts, queued, held, costUsd, costKnown } = summary;
  const parts = [`${finished} finished`, `${blocked - conflicts} blocked`];
  if (conflicts > 0) parts.push(`${conflicts} in conflict`);
  if (pulls > 0) parts.unshift(pulls === 1 ? "1 pull request open" : `${pulls} pull requests open`);
  if (landed > 0) parts.unshift(`${landed} landed`);
  if (queued > held) parts.push(`${queued - held} queued for ${typed("koryph run --resume")}`);
  if (held > 0) parts.push(`${held} held`);
  // Nothing was counted and nobody said anything: agents without a bill.
  const cost = costUsd === 0 && !costKnown ? "" : `; cost ${costKnown ? "" : "about "}$${costUsd.toFixed(2)}`;
  const { top, rest } = summary.models;
  const billed = [...top, rest].reduce((sum, { apiUsd = 0 }) => sum + apiUsd, 0);
  const spent = billed === 0 ? "" : `, $${billed.toFixed(2)} of it billed by use to an API key`;
  return `run ended${reason === "" ? "" : ` (${plainText(reason)})`}: ${parts.join(", ")}${cost}${spent}`;
}

/** A promise to programs, as docs/json.md describes it. */
export function outcomeJson(summary: RunSummary, code = summary.code) {
  return {
    schema_version: 1,
    run_id: summary.run,
    outcome: runOutcome(summary.ended, code),
    reason: summary.reason,
    reason_code: reasonCode(summary.ended),
    code,
    dispatched: summary.dispatched,
    merged: summary.landed,
    pr_opened: summary.pulls,
    finished: summary.finished,
    blocked: summary.blocked,
    failed: summary.failed,
    queued: summary.queued,
    held: summary.held,
    paused: summary.pauses.map(pauseJson),
    cost_usd: Number(summary.costUsd.toFixed(6)),
    cost_known: summary.costKnown,
    models: rankingJson(summary.models),
    error: summary.failure ? { message: summary.failure.message, hint: summary.failure.hint } : null,
    idle: summary.idle && idleSentence(summary.idle),
    waiting: [...summary.left, ...summary.earlier].map(({ bead, run, status, note, next }) => ({
      bead,
      run_id: run,
      status,
      note,
      next: next.text,
    })),
    passed_over: summary.passedOver.map(({ bead, refusal }) => ({
      id: bead.id,
      reason_code: refusal.code,
      reason: dispatchRefusalText(refusal),
    })),
  };
}

/** Above a plan that a run could not begin with. */
export function notStartedLines({ message, hint }: Advice): string {
  return plainLines(
    `koryph run would not start now: ${message}\n  next: ${hint}\n  after that it would do what follows\n`,
  );
}

/** Said beside a plan that could not take earlier runs into account. */
export function planWithoutRuns(why: string): string {
  return `what earlier runs left is not in this plan: ${plainText(why)}`;
}

/** Said before a run whose flag cannot do what was probably meant. */
export function autoMergeAlone(): string {
  return "merge_policy is manual, so --auto-merge lands only beads whose epic says merge:auto; the others wait for koryph land";
}

/** Said when a run goes on: what it keeps to, and what it was allowed before and is not now. */
export function resumedLines({ kept, lapsed }: Resumed): string[] {
  const [same, gone] = [flagsText(kept), flagsText(lapsed)];
  return [
    ...(same === ""
      ? []
      : [`it goes on as it was started, with ${same}; what you give again counts instead`]),
    ...(gone === "" ? [] : [`it was started with ${gone}, which counts only when you give it again`]),
  ];
}

function flagsText(choices: KeptChoices): string {
  return Object.entries(choices)
    .map(
      ([name, value]) => `--${name.replaceAll("_", "-")}${value === true ? "" : ` ${plainText(`${value}`)}`}`,
    )
    .join(" ");
}

/** Said at the first interrupt: what follows may take a while. */
export function interruptedLine(): string {
  return "interrupted: agents are stopped in order, and their beads queued; a second interrupt ends koryph at once";
}

/** Said at the second interrupt: who goes on without an engine, and which command of the gate. */
export function leftAgentsLine(
  agents: readonly Pick<Slot, "bead" | "process">[],
  running: RunningCommand | null = null,
): string {
  if (agents.length === 0 && running === null) return "ended at once; no agent is left at work";
  const named = agents.map((agent) => {
    const pid = agent.process?.pid;
    return pid === undefined ? agent.bead : `${agent.bead} (pid ${pid})`;
  });
  const left = running === null ? named : [...named, runningText(running)];
  const what = running === null ? (left.length === 1 ? " agent" : " agents") : "";
  const [who, they] =
    left.length === 1 ? [`this${what} is left`, "it ends"] : [`these${what} are left`, "they end"];
  return `ended at once; ${who}: ${left.join(", ")}; ${they} when the lease has run out, and koryph run --resume takes over sooner`;
}
