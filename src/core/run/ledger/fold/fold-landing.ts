import type { LedgerEvent } from "../ledger-event.js";
import type { Landing, LedgerState } from "../ledger-state.js";
import type { Slot } from "../slot.js";
import { refuseSlot } from "./refuse-slot.js";

type LandEvent = Extract<LedgerEvent, { type: `land.${string}` }>;

/** From these a landing may begin: the engine goes on with what it has in hand, a person with whatever has no agent. */
const LANDABLE: Readonly<Record<Landing["by"], ReadonlySet<string>>> = {
  engine: new Set(["passed", "refused"]),
  operator: new Set(["passed", "refused", "merge-pending", "blocked", "conflict"]),
};

/** Moves the landing queue and the slot that waits in it, in place. What names no open request moves nothing. */
export function foldLanding(state: LedgerState, bead: string, event: LandEvent): void {
  const slot = state.slots[bead];
  if (!slot) return;
  if (event.type === "land.requested") {
    request(state, slot, event);
    return;
  }
  if (event.type === "land.settled") {
    if (slot.status === "merged") slot.settled = true;
    return;
  }
  const landing = state.landings.find(({ id }) => id === event.data.request);
  if (landing === undefined || landing.bead !== bead) return;
  switch (event.type) {
    case "land.rebased":
      landing.base = event.data.base;
      landing.head = event.data.head;
      if (event.data.moved) landing.moves += 1;
      return;
    case "land.intended":
      landing.intended = { from: event.data.from, head: event.data.head };
      return;
    case "land.landed":
      close(state, landing);
      slot.status = "merged";
      slot.landed = event.data.head;
      slot.landedFrom = event.data.from;
      slot.head = event.data.head;
      slot.note = "";
      slot.noteCode = null;
      slot.at = event.at;
      return;
    case "land.refused": {
      close(state, landing);
      refuseSlot(slot, event.data);
      slot.status = landing.by === "engine" ? "refused" : landing.before;
      if (landing.by === "engine" && event.data.result === "error")
        slot.setbacks = { ...slot.setbacks, error: slot.setbacks.error + 1 };
      slot.at = event.at;
    }
  }
}

function request(
  state: LedgerState,
  slot: Slot,
  { id, at, actor, data }: Extract<LandEvent, { type: "land.requested" }>,
): void {
  if (!LANDABLE[data.by].has(slot.status)) return;
  const { branch, base, head, method, by } = data;
  state.landings.push({
    id,
    at,
    actor,
    bead: slot.bead,
    branch,
    base,
    head,
    method,
    by,
    allowProtected: data.allow_protected,
    before: slot.status === "passed" || slot.status === "refused" ? "merge-pending" : slot.status,
    moves: 0,
    intended: null,
  });
  if (data.from !== undefined) slot.candidate = { branch, from: data.from, base, head };
  slot.status = "landing";
  slot.note = "";
  slot.noteCode = null;
  slot.refusal = null;
  slot.at = at;
}

function close(state: LedgerState, { id }: Landing): void {
  state.landings = state.landings.filter((other) => other.id !== id);
}
