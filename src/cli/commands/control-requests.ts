import { openWorkSource } from "../../adapters/work/open-work-source.js";
import { isClosed } from "../../core/model/bead.js";
import { controlAdvice, controlWords } from "../../core/replies/control/control.js";
import type { NewEvent } from "../../core/run/ledger/ledger-event.js";
import type { ControlRequest, LedgerState } from "../../core/run/ledger/ledger-state.js";
import { waitsForPerson } from "../../core/run/ledger/slot-groups.js";
import { isTaken } from "../../core/run/tick/answer-requests.js";
import { type Advice, UserError } from "../../lib/user-error.js";
import type { WiredProject } from "../wiring/wire-project.js";

interface Plan {
  /** Null when things are as they were asked for already. */
  readonly event: NewEvent | null;
  readonly said: string;
}

/** A word for the engine, as it is left in the ledger. */
export interface Request {
  /** What is said when no run is under way, where that makes the request pointless. */
  readonly needsRun?: Advice;
  /** A run that starts clears it: it was meant for the one before. */
  readonly clearedByRuns?: true;
  /** Throws a `UserError` when the project's state makes the request pointless or wrong. */
  readonly plan: (state: LedgerState, project: WiredProject) => Plan | Promise<Plan>;
}

export function drain(): Request {
  return {
    needsRun: controlAdvice.noRun("drain"),
    clearedByRuns: true,
    plan: ({ requests }) => {
      const asked = requests.find(({ request }) => request.verb === "drain");
      if (asked !== undefined) return already("drain", asked);
      return { event: { type: "control.drain", data: {} }, said: controlWords.asked("drain") };
    },
  };
}

export function resize(max: number | null, force: boolean): Request {
  return {
    needsRun: max === null ? controlAdvice.noRun("resize") : controlAdvice.noRunToWiden(max),
    plan: (_state, { config }) => {
      const ceiling = config.max_concurrent_slots;
      if (max !== null && max > ceiling && !force) throw UserError.of(controlAdvice.tooWide(max, ceiling));
      return { event: { type: "control.resize", data: { max, force } }, said: controlWords.width(max) };
    },
  };
}

export function nudge(bead: string, text: string): Request {
  return {
    plan: (state) => {
      expectAtWork(state, bead);
      return { event: { type: "control.nudge", bead, data: { text } }, said: controlWords.nudged(bead) };
    },
  };
}

/** Null for all agents. */
export function stop(bead: string | null, force: boolean): Request {
  const said = controlWords.asked(`stop of ${bead ?? "all agents"}`);
  return {
    ...(bead === null ? { needsRun: controlAdvice.noRun("stop") } : {}),
    clearedByRuns: true,
    plan: (state) => {
      if (bead !== null) expectAtWork(state, bead);
      return { event: { type: "control.stop", ...(bead === null ? {} : { bead }), data: { force } }, said };
    },
  };
}

export function retry(bead: string): Request {
  return {
    plan: (state) => {
      const slot = expectSlot(state, bead);
      if (!waitsForPerson(slot)) throw UserError.of(controlAdvice.notBlocked(bead, slot.status));
      return { event: { type: "control.retry", bead, data: {} }, said: controlWords.retried(bead) };
    },
  };
}

export function hold(bead: string, reason: string): Request {
  return {
    plan: async (state, project) => {
      const before = state.holds[bead];
      if (before !== undefined && (reason === "" || reason === before.reason))
        return { event: null, said: controlWords.heldAlready(bead, before) };
      await expectHoldable(state, project, bead);
      const said = before === undefined ? controlWords.held(bead) : controlWords.heldOtherwise(bead, before);
      return { event: { type: "hold.placed", bead, data: { reason } }, said };
    },
  };
}

export function unhold(bead: string): Request {
  return {
    plan: ({ holds }) => {
      if (holds[bead] === undefined) throw UserError.of(controlAdvice.notHeld(bead));
      return { event: { type: "hold.lifted", bead, data: {} }, said: controlWords.unheld(bead) };
    },
  };
}

export function inject(bead: string): Request {
  return {
    needsRun: controlAdvice.noRunToInject(bead),
    plan: async ({ slots, run, requests }, project) => {
      const slot = slots[bead];
      if (slot !== undefined && slot.status !== "merged" && isTaken(slot, run?.id ?? ""))
        throw UserError.of(controlAdvice.takenAlready(bead, slot.status));
      const found = await openWorkSource(project).get(bead);
      if (slot?.status === "merged" && (!slot.settled || found === null || isClosed(found)))
        throw UserError.of(controlAdvice.landed(bead, "inject"));
      if (found === null) throw UserError.of(controlAdvice.noBead(bead));
      if (isClosed(found)) throw UserError.of(controlAdvice.closedBead(bead));
      const asked = requests.find(({ request }) => request.verb === "inject" && request.bead === bead);
      if (asked !== undefined) return already(`inject of ${bead}`, asked);
      return { event: { type: "control.inject", bead, data: {} }, said: controlWords.injected(bead) };
    },
  };
}

function already(what: string, asked: ControlRequest): Plan {
  return { event: null, said: controlWords.askedAlready(what, asked) };
}

function expectSlot({ slots }: LedgerState, bead: string) {
  const slot = slots[bead];
  if (!slot) throw UserError.of(controlAdvice.noSlot(bead));
  return slot;
}

/** What has ended by itself by the time the engine looks is no mistake; what was not at work before is one. */
function expectAtWork(state: LedgerState, bead: string): void {
  const { status } = expectSlot(state, bead);
  if (status !== "dispatching" && status !== "running" && status !== "ended")
    throw UserError.of(controlAdvice.notAtWork(bead, status));
}

async function expectHoldable({ slots }: LedgerState, project: WiredProject, bead: string): Promise<void> {
  const slot = slots[bead];
  if (slot !== undefined && slot.status !== "merged") return;
  const found = await openWorkSource(project).get(bead);
  // One that was opened again may be begun anew.
  if (slot !== undefined && (!slot.settled || found === null || isClosed(found)))
    throw UserError.of(controlAdvice.landed(bead, "hold"));
  if (found === null) throw UserError.of(controlAdvice.noBead(bead));
}
