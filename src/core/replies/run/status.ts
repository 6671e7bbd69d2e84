import { cutText } from "../../../lib/cut-text.js";
import { displayWidth } from "../../../lib/display-width.js";
import { naturalOrder } from "../../../lib/natural-order.js";
import { type Paint, PLAIN } from "../../../lib/paint.js";
import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import { agoText, durationText } from "../../../lib/time-text.js";
import { CONTAINED_MARKS, type ContainedMark } from "../../contain/containment.js";
import type { EngineObservation } from "../../control/judge-engine.js";
import type { PoolStanding } from "../../govern/governor-standing.js";
import { type ControlRequest, isUnderWay, type LedgerState } from "../../run/ledger/ledger-state.js";
import type { Slot } from "../../run/ledger/slot.js";
import { hasAgent, isOpen } from "../../run/ledger/slot-groups.js";
import { runModelCosts } from "../../run/metrics/run-limits.js";
import { quotaReports } from "../../run/plan/quota-facts.js";
import type { QuotaFacts } from "../../run/plan/quota-refusal.js";
import type { WaitedFor } from "../../run/plan/waited-for.js";
import { statusWord } from "../beads/status-word.js";
import { waitsLine } from "../govern/denial-text.js";
import { poolLine } from "../govern/governor-text.js";
import { flagLine } from "../land/work-flags.js";
import { neededVersion } from "../ledger/needed-version.js";
import { quotaLine } from "../quota/quota-news.js";
import { modelCostLine } from "../report/cost-ranking.js";
import { billedText } from "../runtimes/spend-words.js";
import { engineLine } from "./engine-line.js";
import { pausedLine } from "./pauses.js";
import { standsText } from "./reason-text.js";
import { degradedReview } from "./slot-reason.js";

/** What one screen, or one comment, can hold; the rest is in the JSON. */
const MOST_ROWS = 500;

/** Cells come from a ledger that others can write: one that is as wide as a book makes every row so. */
const WIDEST = 60;
const LONGEST = 300;
const LONGEST_TITLE = 50;
const SHORTEST_TITLE = 16;

/** For whoever looks at a terminal just now; a comment is read later, and has none of it. */
export interface StatusView {
  readonly now?: number;
  readonly paint?: Paint;
  /** Runtimes whose account is pinned; absent for whoever does not look at the machine. */
  readonly pinned?: readonly string[] | undefined;
  /** How wide the terminal is: titles give way to keep to it. */
  readonly columns?: number | undefined;
  /** By bead: what its agent, or its landing, is doing, as far as this machine can tell. */
  readonly steps?: ReadonlyMap<string, string>;
  /** What keeps agents from being started on this machine. */
  readonly waits?: readonly WaitedFor[];
  /** Accounts whose cap moves by itself. */
  readonly pools?: readonly PoolStanding[];
  /** Absent where nobody has calibrated an account. */
  readonly quota?: QuotaFacts | undefined;
}

/** The run, its engine and its slots as a person reads them. */
export function statusText(
  state: LedgerState,
  project: string,
  engine: EngineObservation | null,
  view: StatusView = {},
): string[] {
  const { now, pinned } = view;
  const lines = [runLine(state, project, { engine, now })];
  if (engine) lines.push(engineLine(engine));
  if (pinned)
    lines.push(`accounts: ${pinned.length === 0 ? "none is pinned" : `pinned for ${pinned.join(", ")}`}`);
  if (state.resize && isUnderWay(state)) lines.push(`width ${state.resize.max} by request`);
  for (const { request, actor, at } of state.requests)
    lines.push(`waiting: ${requestText(request)} by ${plainText(actor)} ${when(at, now)}`);
  for (const [bead, { actor, at, reason }] of Object.entries(state.holds))
    lines.push(
      cutText(
        `held: ${plainText(bead)} by ${plainText(actor)} ${when(at, now)}${reason === "" ? "" : `: ${plainText(reason)}`}`,
        LONGEST,
      ),
    );
  for (const pause of state.pauses) lines.push(pausedLine(pause));
  for (const waits of view.waits ?? []) lines.push(waitsLine(waits));
  lines.push(...(view.pools ?? []).map(poolLine));
  for (const report of view.quota ? quotaReports(view.quota) : []) lines.push(quotaLine(report));
  lines.push(...containedLines(state));
  lines.push(...billedLines(state), ...modelCostLine(runModelCosts(state)));
  if (state.readOnly)
    lines.push(
      `read-only: ${cutText(plainText(state.readOnly.type), WIDEST)} needs ${cutText(neededVersion(state.readOnly.needs), WIDEST)}`,
    );
  const slots = Object.values(state.slots).sort((a, b) => naturalOrder(a.bead, b.bead));
  if (slots.length === 0) return [...lines, "no bead has been taken yet"];
  const rest = slots.length - MOST_ROWS;
  return [
    ...lines,
    "",
    ...slotRows(slots.slice(0, MOST_ROWS), state, view),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}

/** What shuts in the agents at work. */
const CONTAINED: Readonly<Record<ContainedMark, string>> = {
  namespaces: "contained",
  none: "not contained",
  missing: "not contained, so what they make waits for a person",
};

function containedLines({ slots }: Pick<LedgerState, "slots">): string[] {
  const atWork = Object.values(slots).filter(hasAgent);
  return CONTAINED_MARKS.flatMap((mark) => {
    const beads = atWork.filter(({ contained }) => contained === mark).map(({ bead }) => plainText(bead));
    return beads.length === 0 ? [] : [cutText(`${CONTAINED[mark]}: ${beads.join(", ")}`, LONGEST)];
  });
}

/** Agents at work that somebody pays for by use, key by key. */
function billedLines({ slots }: Pick<LedgerState, "slots">): string[] {
  const billed = Object.values(slots).filter((slot) => hasAgent(slot) && slot.account?.billing !== undefined);
  const keys = [...new Set(billed.map(({ account }) => account?.fingerprint ?? ""))];
  return keys.map((key) => {
    const beads = billed
      .filter(({ account }) => account?.fingerprint === key)
      .map(({ bead }) => plainText(bead));
    return cutText(`${billedText(key)}: ${beads.join(", ")}`, LONGEST);
  });
}

function runLine(
  { run }: LedgerState,
  project: string,
  { engine, now }: { readonly engine: EngineObservation | null; readonly now: number | undefined },
): string {
  if (run === null) return `${project}: no run yet`;
  const began = plainText(run.startedAt);
  if (run.ended === null && engine?.state === "gone")
    return `${project}: run ${run.id} was cut short; it began at ${began}${also(run.startedAt, now)}`;
  if (run.ended === null)
    return `${project}: run ${run.id} under way since ${began}${also(run.startedAt, now)}`;
  const reason = run.ended.reason ? ` (${plainText(run.ended.reason)})` : "";
  return `${project}: run ${run.id} ended at ${plainText(run.ended.at)}${also(run.ended.at, now)}${reason}`;
}

function also(at: string, now: number | undefined): string {
  return now === undefined ? "" : `, ${plainText(agoText(at, now))}`;
}

function when(at: string, now: number | undefined): string {
  return now === undefined ? `at ${plainText(at)}` : plainText(agoText(at, now));
}

function requestText(request: ControlRequest["request"]): string {
  switch (request.verb) {
    case "drain":
      return "drain";
    case "nudge":
    case "inject":
      return `${request.verb} of ${plainText(request.bead)}`;
    case "stop":
      return `${request.force ? "forced " : ""}stop of ${request.bead === null ? "all agents" : plainText(request.bead)}`;
  }
}

type Holds = Pick<LedgerState, "holds">;

function slotRows(slots: readonly Slot[], state: Holds, view: StatusView): string[] {
  const cells = withoutEmptyColumns(slots.map((slot) => slotCells(slot, state, view)));
  const { columns = Number.POSITIVE_INFINITY } = view;
  const lead = Math.max(...table(cells.map((row) => [...row, "|"])).map(displayWidth));
  const title = Math.min(LONGEST_TITLE, Math.max(SHORTEST_TITLE, columns - lead));
  return table(cells.map((row, at) => [...row, aboutText(slots[at], title, view)]));
}

/** What it is about, what its agent or its landing is doing, and why it stands as it does. */
function aboutText(slot: Slot | undefined, longest: number, { steps }: StatusView): string {
  if (slot === undefined) return "";
  const step = hasAgent(slot) || slot.status === "landing" ? (steps?.get(slot.bead) ?? "") : "";
  const pull = slot.status === "pr-opened" ? (slot.pull?.url ?? "") : "";
  const parts = [
    cutText(plainText(slot.title), longest),
    step,
    standsText(slot),
    pull,
    degradedReview(slot),
    flagLine(slot),
  ];
  return cutText(plainText(parts.filter(Boolean).join(": ")), LONGEST);
}

function slotCells(slot: Slot, state: Holds, { now, paint = PLAIN }: StatusView): string[] {
  // What the first agent spends is known at its end; one without a bill spends nothing that anybody knows of.
  const told = slot.costUsd > 0 || (slot.costKnown && slot.outcome !== null);
  const cost = told ? `${slot.costKnown ? "" : "~"}$${slot.costUsd.toFixed(2)}` : "";
  const commits = slot.commits > 0 ? `${slot.commits} ${slot.commits === 1 ? "commit" : "commits"}` : "";
  const stage = hasAgent(slot) ? slot.asides.find(({ task }) => task === slot.task) : undefined;
  return [
    `  ${cutText(slot.bead, WIDEST)}`,
    painted(slot, paint),
    now === undefined ? "" : sinceText(slot, state, now),
    stage === undefined ? `attempt ${slot.tries}` : stage.task,
    cutText(stage === undefined ? modelText(slot) : plainText(stage.model), WIDEST),
    commits,
    cost,
  ];
}

function modelText({ model, insteadOf }: Slot): string {
  return insteadOf === null
    ? plainText(model)
    : `${plainText(model)} instead of ${plainText(insteadOf.model)}`;
}

/** How long it has been so; for a bead that waits for its next attempt, how long it still has to, or that it is held. */
function sinceText(slot: Slot, { holds }: Holds, now: number): string {
  if (slot.status === "queued" && holds[slot.bead] !== undefined) return "held";
  if (slot.status === "queued") return slot.notBefore > now ? `in ${durationText(slot.notBefore - now)}` : "";
  return isOpen(slot) ? durationText(now - Date.parse(slot.at)) : plainText(agoText(slot.at, now));
}

function painted({ status, stopping }: Slot, paint: Paint): string {
  if (stopping && status === "running") return paint.warning("stopping");
  switch (status) {
    case "merged":
    case "merge-pending":
    case "pr-opened":
      return paint.good(statusWord(status));
    case "blocked":
    case "conflict":
    case "refused":
      return paint.warning(status);
    case "queued":
      return paint.faint(status);
    case "dispatching":
    case "running":
    case "ended":
    case "passed":
    case "landing":
      return status;
  }
}

function withoutEmptyColumns(rows: readonly (readonly string[])[]): (readonly string[])[] {
  return rows.map((row) => row.filter((_, column) => rows.some((each) => each[column] !== "")));
}
