import { ulidTime } from "../../lib/ulid.js";
import type { LedgerEvent } from "../run/ledger/ledger-event.js";
import { isUnderWay, type LedgerState } from "../run/ledger/ledger-state.js";
import type { ControlDecision, ControlRefusal } from "./control-decision.js";
import { silentSince } from "./silent-since.js";

/** What an engine has shared so lately counts as now. */
const FRESH_MS = 2_000;

/** An engine names its run or its lease; what people ask for names neither. */
export function isOfEngine({ type, run, lease }: Pick<LedgerEvent, "type" | "run" | "lease">): boolean {
  return run !== undefined || lease !== undefined || type.startsWith("lease.");
}

/**
 * When the engine of the run that is under way last shared what it knows, where an answer should say so. Null where no
 * run is under way, where it was a moment ago, and where the engine has been silent for so long that the answer says
 * that. `recent` are the ledger's last events.
 */
export function knownAsOf(state: LedgerState, recent: readonly LedgerEvent[], now: number): number | null {
  if (!isUnderWay(state) || silentSince(state, now) !== null) return null;
  const last = recent.findLast(isOfEngine);
  const told = [Date.parse(last?.at ?? ""), state.lease === null ? Number.NaN : ulidTime(state.lease.seenAs)];
  const at = Math.max(...told.filter((time) => !Number.isNaN(time)));
  return Number.isFinite(at) && now - at > FRESH_MS ? at : null;
}

const OF_STANDING: ReadonlySet<string> = new Set<ControlRefusal["code"]>([
  "unknown_bead",
  "not_at_work",
  "not_blocked",
  "taken",
]);

/** Whether a command is refused for how its bead stands, which an engine may have changed since. */
export function isRefusedByStanding(decision: ControlDecision): boolean {
  return decision.kind === "refuse" && OF_STANDING.has(decision.refusal.code);
}
