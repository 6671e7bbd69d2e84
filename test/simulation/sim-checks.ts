import { branchOfBead } from "../../src/core/model/pull.js";
import type { LedgerState } from "../../src/core/run/ledger/ledger-state.js";
import type { Slot } from "../../src/core/run/ledger/slot.js";
import { conflicts } from "../../src/core/schedule/conflict.js";
import { footprintOf } from "../../src/core/schedule/footprint.js";
import { frontierOf } from "../../src/core/schedule/work-graph.js";
import { checkBlame } from "./sim-provider.js";
import { BUDGET_USD, type SimWorld } from "./sim-world.js";

/** How often each setback may befall a bead before a person has to look. The last error is the one that blocks. */
const MOST = { gate: 2, conflict: 2, style: 1, bounce: 2, error: 3 } as const;

/** What must hold after every step. Throws what does not. */
export function check(world: SimWorld): void {
  if (world.origin.violation !== null) throw world.origin.violation;
  checkAgents(world);
  // A clock that is set forward by days makes every lease too old.
  if (!world.clocksJump) for (const { governor } of world.machines) governor.check();
  const state = world.truth();
  for (const slot of Object.values(state.slots)) {
    checkBudgets(slot);
    checkBlame(slot);
  }
  // A clock that is set forward ends waits before their time.
  if (!world.clocksJump) world.provider.check(world.now());
  const spent = Object.values(state.slots).reduce((sum, slot) => sum + slot.costUsd, 0);
  if (spent > BUDGET_USD) throw new Error(`spent ${spent} of ${BUDGET_USD}`);
  checkRecord(world, state);
}

function checkAgents(world: SimWorld): void {
  const live = world.machines.flatMap(({ processes }) => processes.live());
  const footprint = (id: string) =>
    footprintOf(world.beads.find(({ bead }) => bead.id === id)?.bead.labels ?? [], {});
  for (const [index, a] of live.entries()) {
    for (const b of live.slice(index + 1)) {
      if (a.bead === b.bead) throw new Error(`two live agents for ${a.bead}`);
      if (conflicts(footprint(a.bead), footprint(b.bead)))
        throw new Error(`${a.bead} and ${b.bead} conflict and both run`);
    }
  }
}

function checkBudgets({ bead, deaths, setbacks }: Slot): void {
  if (deaths > 3) throw new Error(`${bead} died ${deaths} times`);
  for (const kind of Object.keys(MOST) as (keyof typeof MOST)[])
    if (setbacks[kind] > MOST[kind])
      throw new Error(`${bead} had ${setbacks[kind]} setbacks of kind ${kind}`);
}

/**
 * What koryph put on the default branch is recorded as landed, or there is an intention that will be looked into. By the
 * time it is recorded it has its receipt.
 */
function checkRecord({ origin }: SimWorld, { slots, landings }: LedgerState): void {
  const intended = landings.find(({ kind, intended }) => kind === "open-pull" && intended !== null);
  if (intended !== undefined) throw new Error(`${intended.bead} is to be a pull request, and was to land`);
  for (const push of origin.pushed.filter(({ recorded }) => !recorded)) {
    const { bead, head } = push;
    push.recorded = (slots[bead]?.landed ?? null) !== null;
    if (slots[bead]?.landed === head && !origin.receipts.some((receipt) => receipt.head === head))
      throw new Error(`${head} of ${bead} was recorded as landed without a receipt`);
    if (push.recorded || !origin.has(head)) continue;
    const open = landings.find((landing) => landing.bead === bead);
    if (open?.intended?.head !== head)
      throw new Error(`${head} of ${bead} landed, and the ledger does not know`);
  }
}

const RESTING: ReadonlySet<string> = new Set(["merge-pending", "pr-opened", "blocked", "conflict"]);

function isResting({ status, settled }: Slot): boolean {
  return RESTING.has(status) || (status === "merged" && settled);
}

/** Nothing is under way, whatever is left waits for people. */
export function isQuiet(world: SimWorld): boolean {
  const { slots, landings } = world.truth();
  return (
    landings.length === 0 &&
    Object.values(slots).every(isResting) &&
    world.machines.every(({ processes }) => processes.live().length === 0)
  );
}

/** Work that waits on GitHub is there as one pull request, with exactly the commits that the ledger knows. */
function checkPull({ origin }: SimWorld, { bead, head, pull }: Slot): void {
  const branch = branchOfBead(bead);
  const open = origin.pulls.filter((each) => each.branch === branch && each.isOpen);
  if (open.length !== 1 || open[0]?.number !== pull?.number)
    throw new Error(`${bead} has the pull request ${pull?.number}, and ${open.length} are open`);
  if (origin.branches.get(branch) !== head) throw new Error(`${branch} is not at ${head}`);
}

/** What must hold once the world has come to rest. */
export function checkRest(world: SimWorld): void {
  const { slots, landings } = world.truth();
  if (landings.length > 0) throw new Error(`the landing of ${landings[0]?.bead} was left in the queue`);
  const all = world.beads.map(({ bead, status }) => ({ ...bead, status }));
  const ready = new Set<string>(frontierOf(all).map(({ id }) => id));
  for (const { bead, status } of world.beads.filter(({ bead }) => bead.type !== "epic")) {
    const slot = slots[bead.id];
    if (!slot) {
      if (status === "in_progress") throw new Error(`${bead.id} is in progress and nobody works on it`);
      if (ready.has(bead.id)) throw new Error(`${bead.id} is ready and was never taken`);
      continue;
    }
    if (!isResting(slot)) throw new Error(`${bead.id} was left ${slot.status}`);
    // What was taken off the branch again before it was settled is told to the operator, who decides.
    if (slot.status === "merged" && status !== "closed" && world.origin.has(slot.landed ?? ""))
      throw new Error(`${bead.id} landed and is ${status}`);
    if (slot.status === "pr-opened") checkPull(world, slot);
    if (slot.status === "conflict" && status === "in_progress")
      throw new Error(`${bead.id} ended in a conflict and was not given back`);
    if (slot.status === "merge-pending" && !world.finished.has(bead.id))
      throw new Error(`${bead.id} finished without being finished`);
  }
  if (world.machines.some(({ processes }) => processes.live().length > 0))
    throw new Error("an agent outlived the run");
}
