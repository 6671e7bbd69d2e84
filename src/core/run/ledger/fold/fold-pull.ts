import type { LedgerEvent } from "../ledger-event.js";
import type { KnownPull, LedgerState } from "../ledger-state.js";
import type { Slot } from "../slot.js";
import { closeLanding, landSlot, noteBranch } from "./fold-landing.js";

type PullEvent = Exclude<
  Extract<LedgerEvent, { type: `pull.${string}` }>,
  { type: "pull.requested" | "pull.landing" }
>;

/** What a slot is blocked with while its pull request is closed. */
export const PULL_CLOSED = "pull-closed";

/** More people than that approve no pull request; whoever can push could name thousands. */
const MOST_APPROVALS = 50;

/** Moves what is known of a pull request and the slot whose work it carries, in place. */
export function foldPull(state: LedgerState, event: PullEvent): void {
  switch (event.type) {
    case "pull.pushing": {
      const landing = state.landings.find(({ id }) => id === event.data.request);
      const slot = state.slots[event.bead ?? ""];
      if (slot !== undefined && landing?.bead === event.bead) noteBranch(slot, event.data.head);
      return;
    }
    case "pull.opened":
      open(state, event);
      return;
    case "pull.closed":
    case "pull.reopened":
    case "pull.merged":
      follow(state, event);
      return;
    case "pull.approved":
      approve(state, event);
      return;
    case "pull.unapproved": {
      const pull = state.pulls[event.data.pull];
      if (pull)
        pull.approvals = pull.approvals.filter(({ evidence }) => evidence.user_id !== event.data.user);
      return;
    }
    case "pull.analysed": {
      const { pull, head, verdict, findings } = event.data;
      known(state, pull).analysis = { head, verdict, findings, at: event.at };
    }
  }
}

function open(state: LedgerState, { bead, at, data }: Extract<PullEvent, { type: "pull.opened" }>): void {
  const landing = state.landings.find(({ id }) => id === data.request);
  const slot = state.slots[bead ?? ""];
  if (landing?.kind !== "open-pull" || landing.bead !== bead || slot === undefined) return;
  closeLanding(state, landing);
  slot.status = "pr-opened";
  slot.pull = { number: data.pull, url: data.url };
  noteBranch(slot, data.head);
  slot.head = data.head;
  if (slot.candidate !== null) slot.candidate = { ...slot.candidate, base: data.base, head: data.head };
  slot.note = "";
  slot.noteCode = null;
  slot.at = at;
}

/** What GitHub shows of a pull request. A repeat changes nothing. */
function follow(
  state: LedgerState,
  event: Extract<PullEvent, { type: "pull.closed" | "pull.reopened" | "pull.merged" }>,
): void {
  const { pull } = event.data;
  if (event.type !== "pull.reopened") {
    delete state.pulls[pull];
    // Whoever is about to land it finds it gone from the queue. Another bead's slot is not for this event to move.
    const theirs = (bead: string) => bead !== event.bead && state.slots[bead] !== undefined;
    for (const landing of state.landings.filter((each) => each.pull === pull && !theirs(each.bead)))
      closeLanding(state, landing);
  }
  const slot = state.slots[event.bead ?? ""];
  if (slot?.pull?.number !== pull) return;
  // Newer work of the bead is on its way to the branch without the pull request.
  if (state.landings.some(({ bead }) => bead === slot.bead)) return;
  switch (event.type) {
    case "pull.merged":
      if (carries(slot)) landSlot(slot, event.data, event.at);
      return;
    case "pull.closed":
      if (slot.status !== "pr-opened" && slot.status !== "landing") return;
      slot.status = "blocked";
      slot.note = event.data.reason;
      slot.noteCode = PULL_CLOSED;
      slot.at = event.at;
      return;
    case "pull.reopened":
      if (slot.status !== "blocked" || slot.noteCode !== PULL_CLOSED) return;
      slot.status = "pr-opened";
      slot.note = "";
      slot.noteCode = null;
      slot.at = event.at;
  }
}

/** Whether what the pull request brings is the slot's work as it stands: an agent may be at it again by now. */
function carries({ status, noteCode }: Slot): boolean {
  return status === "pr-opened" || status === "landing" || (status === "blocked" && noteCode === PULL_CLOSED);
}

function approve(
  state: LedgerState,
  { id, at, data, evidence }: Extract<PullEvent, { type: "pull.approved" }>,
): void {
  // Nobody could ask GitHub about it.
  if (evidence === undefined) return;
  const pull = known(state, data.pull);
  const others = pull.approvals.filter(({ evidence: by }) => by.user_id !== evidence.user_id);
  const { head, via } = data;
  pull.approvals = [...others, { id, at, head, via, evidence }].slice(-MOST_APPROVALS);
}

function known(state: LedgerState, number: number): KnownPull {
  const there = state.pulls[number];
  if (there !== undefined) return there;
  const fresh: KnownPull = { number, approvals: [], analysis: null };
  state.pulls[number] = fresh;
  return fresh;
}
