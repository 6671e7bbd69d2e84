import { pullSubject } from "../../../model/pull.js";
import type { LedgerEvent } from "../ledger-event.js";
import type { Landing, LedgerState } from "../ledger-state.js";
import type { Slot } from "../slot.js";
import { refuseSlot } from "./refuse-slot.js";

type LandEvent = Extract<LedgerEvent, { type: `land.${string}` | "pull.requested" | "pull.landing" }>;
type RequestEvent = Extract<LandEvent, { type: "land.requested" | "pull.requested" | "pull.landing" }>;

/**
 * From these a landing may begin: the engine goes on with what it has in hand, a person with whatever has no agent. What
 * is a pull request lands as one, or not at all.
 */
const LANDABLE: Readonly<Record<Landing["by"], ReadonlySet<string>>> = {
  engine: new Set(["passed", "refused"]),
  operator: new Set(["passed", "refused", "merge-pending", "blocked", "conflict"]),
};
const LANDABLE_PULL: ReadonlySet<string> = new Set(["pr-opened"]);

/**
 * Moves the landing queue and the slot that waits in it, in place. A pull request of somebody else's has no slot. What
 * names no open request moves nothing.
 */
export function foldLanding(state: LedgerState, bead: string, event: LandEvent): void {
  const slot = state.slots[bead];
  switch (event.type) {
    case "land.requested":
    case "pull.requested":
    case "pull.landing":
      request(state, bead, event);
      return;
    case "land.settled":
      if (slot?.status === "merged") slot.settled = true;
      return;
  }
  const landing = state.landings.find(({ id }) => id === event.data.request);
  if (landing === undefined || landing.bead !== bead) return;
  switch (event.type) {
    case "land.rebased":
      landing.base = event.data.base;
      landing.head = event.data.head;
      if (event.data.moved) landing.moves += 1;
      // A pull request that is replayed is pushed to its branch anew.
      if (slot && landing.kind === "land-pull") noteBranch(slot, event.data.head);
      return;
    case "land.intended": {
      const { from, head, claims } = event.data;
      landing.intended = { from, head, at: event.at, ...(claims !== undefined && { claims }) };
      return;
    }
    case "land.landed":
      closeLanding(state, landing);
      if (landing.pull !== null) delete state.pulls[landing.pull];
      if (slot) landSlot(slot, event.data, event.at);
      return;
    case "land.refused": {
      closeLanding(state, landing);
      if (!slot) return;
      refuseSlot(slot, event.data);
      slot.status = landing.by === "engine" ? "refused" : landing.before;
      if (landing.by === "engine" && event.data.result === "error")
        slot.setbacks = { ...slot.setbacks, error: slot.setbacks.error + 1 };
      slot.at = event.at;
    }
  }
}

/** Of a branch that is pushed again and again, the last few are enough to know it as our own. */
const MOST_BRANCH_HEADS = 10;

/** What koryph itself has put, or is about to put, on the bead's branch on GitHub. */
export function noteBranch(slot: Slot, head: string): void {
  const others = slot.branchHeads.filter((each) => each !== head);
  slot.branchHeads = [...others, head].slice(-MOST_BRANCH_HEADS);
}

/** The default branch has its work. */
export function landSlot(
  slot: Slot,
  { from, head }: { readonly from?: string | undefined; readonly head: string },
  at: string,
): void {
  slot.status = "merged";
  slot.landed = head;
  slot.landedFrom = from ?? null;
  slot.head = head;
  slot.note = "";
  slot.noteCode = null;
  slot.at = at;
}

function request(state: LedgerState, bead: string, event: RequestEvent): void {
  const slot = state.slots[bead];
  const asked = wishOf(event);
  if (slot === undefined ? !isStrangers(bead, asked) : !mayBegin(slot, asked)) return;
  // Two people may ask for the same pull request: it has one place in the queue.
  if (state.landings.some((landing) => landing.bead === bead)) return;
  const { id, at, actor, data } = event;
  const { branch, base, head, method } = data;
  state.landings.push({
    id,
    at,
    actor,
    bead,
    branch,
    ...asked,
    base,
    head,
    asked: head,
    method,
    before: slot === undefined ? "pr-opened" : statusBefore(slot),
    moves: 0,
    intended: null,
  });
  if (slot === undefined) return;
  if ("from" in data && data.from !== undefined) slot.candidate = { branch, from: data.from, base, head };
  slot.status = "landing";
  slot.note = "";
  slot.noteCode = null;
  slot.refusal = null;
  slot.at = at;
}

type Wish = Pick<Landing, "kind" | "by" | "pull" | "allowProtected">;

function wishOf(event: RequestEvent): Wish {
  switch (event.type) {
    case "land.requested":
      return { kind: "work", by: event.data.by, pull: null, allowProtected: event.data.allow_protected };
    case "pull.requested":
      return { kind: "open-pull", by: "engine", pull: null, allowProtected: false };
    case "pull.landing": {
      const { pull, allow_protected: allowProtected } = event.data;
      return { kind: "land-pull", by: "operator", pull, allowProtected };
    }
  }
}

/** A pull request that carries no bead's work goes by a name of its own. */
function isStrangers(bead: string, { pull }: Wish): boolean {
  return pull !== null && bead === pullSubject(pull);
}

function mayBegin({ status, pull }: Slot, { kind, by, pull: asked }: Wish): boolean {
  if (kind === "land-pull") return LANDABLE_PULL.has(status) && pull?.number === asked;
  return LANDABLE[by].has(status);
}

function statusBefore({ status }: Slot): Slot["status"] {
  return status === "passed" || status === "refused" ? "merge-pending" : status;
}

export function closeLanding(state: LedgerState, { id }: Pick<Landing, "id">): void {
  state.landings = state.landings.filter((other) => other.id !== id);
}
