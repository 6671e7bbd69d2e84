import type { EventData, LedgerEvent } from "./ledger-event.js";
import type { Slot } from "./slot.js";

export type SlotEvent = Extract<LedgerEvent, { type: `slot.${string}` | "control.retry" }>;

/** Moves the bead's slot, in place. What comes late, twice or from another run moves nothing. */
export function foldSlot(slots: Record<string, Slot>, bead: string, event: SlotEvent): void {
  const slot = slots[bead];
  if (event.type === "slot.dispatching") {
    slots[bead] = dispatched(bead, event, slot);
    return;
  }
  if (!slot) return;
  if (event.type === "slot.adopted") {
    if (slot.run === event.data.from) slot.run = event.run ?? slot.run;
    return;
  }
  // Only the run that owns a slot moves it; a request for a retry comes from outside any run.
  if (event.type !== "control.retry" && event.run !== undefined && event.run !== slot.run) return;
  if (event.type === "slot.dropped") {
    delete slots[bead];
    return;
  }
  if (moved(slot, event)) slot.at = event.at;
}

const UNDER_WAY: ReadonlySet<string> = new Set(["queued", "dispatching", "running", "ended"]);

/** False when the event does not fit the slot as it is, which then stays as it is. */
function moved(
  slot: Slot,
  event: Exclude<SlotEvent, { type: "slot.dispatching" | "slot.adopted" | "slot.dropped" }>,
): boolean {
  switch (event.type) {
    case "slot.started":
      if (event.data.attempt !== slot.attempt || slot.status !== "dispatching") return false;
      slot.status = "running";
      slot.process = event.data.process;
      return true;
    case "slot.stopping":
      if (event.data.attempt !== slot.attempt) return false;
      slot.stopping = { why: event.data.why, force: event.data.force };
      return true;
    case "slot.ended":
      if (event.data.attempt !== slot.attempt) return false;
      if (slot.status !== "running" && slot.status !== "dispatching") return false;
      ended(slot, event.data);
      return true;
    case "slot.queued":
      if (!UNDER_WAY.has(slot.status)) return false;
      slot.status = "queued";
      slot.start = event.data.start;
      slot.notBefore = event.data.not_before;
      slot.note = event.data.reason;
      if (event.data.counts === "death") slot.deaths += 1;
      if (event.data.counts === "limit") slot.limits += 1;
      return true;
    case "slot.finished":
      if (!UNDER_WAY.has(slot.status)) return false;
      slot.status = event.data.status;
      slot.head = event.data.head;
      slot.commits = event.data.commits;
      slot.note = "";
      return true;
    case "slot.blocked":
      if (!UNDER_WAY.has(slot.status)) return false;
      slot.status = "blocked";
      slot.note = event.data.reason;
      return true;
    case "control.retry":
      if (slot.status !== "blocked") return false;
      slot.status = "queued";
      slot.start = slot.commits > 0 ? "resume" : "fresh";
      slot.notBefore = 0;
      slot.deaths = 0;
      slot.limits = 0;
      slot.note = `retry asked for by ${event.actor}`;
      return true;
  }
}

function ended(
  slot: Slot,
  { outcome, detail, session, usage, commits, head }: EventData<"slot.ended">,
): void {
  slot.status = "ended";
  slot.outcome = outcome;
  slot.note = detail;
  // A session that could not be started is not to be asked for again.
  slot.session = outcome === "start-failed" ? null : (session ?? slot.session);
  slot.costUsd += usage.cost_usd;
  slot.costKnown &&= usage.cost_known;
  if (usage.cost_known) slot.sessionCostUsd += usage.cost_usd;
  slot.commits = commits;
  slot.head = head;
}

function dispatched(
  bead: string,
  { run, at, data }: Extract<SlotEvent, { type: "slot.dispatching" }>,
  before: Slot | undefined,
): Slot {
  return {
    bead,
    run: run ?? "",
    dispatchedBy: run ?? "",
    title: data.title,
    status: "dispatching",
    attempt: data.attempt,
    start: data.start,
    footprint: data.footprint,
    resources: data.resources,
    runtime: data.runtime,
    model: data.model,
    modelWhy: data.model_why,
    mergePolicy: data.merge_policy,
    riskTier: data.risk_tier,
    timeoutSeconds: data.timeout_seconds,
    estimateUsd: data.estimate_usd,
    costUsd: before?.costUsd ?? 0,
    costKnown: before?.costKnown ?? true,
    sessionCostUsd: data.session !== null ? (before?.sessionCostUsd ?? 0) : 0,
    session: data.session,
    process: null,
    commits: data.start === "resume" ? (before?.commits ?? 0) : 0,
    head: data.start === "resume" ? (before?.head ?? null) : null,
    deaths: before?.deaths ?? 0,
    limits: before?.limits ?? 0,
    notBefore: 0,
    stopping: null,
    outcome: null,
    lastEnd: before?.note ?? "",
    note: "",
    at,
  };
}
