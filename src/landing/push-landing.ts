import type { LandRefusal } from "../core/land/refusal.js";
import { landAdvice } from "../core/replies/land/land.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { Landing, LedgerState } from "../core/run/ledger/ledger-state.js";
import { UserError } from "../lib/user-error.js";
import type { Ledger, LedgerView } from "../ports/ledger.js";
import type { Base, Repo } from "../ports/repo.js";

export interface PushParts {
  readonly ledger: Ledger;
  readonly repo: Repo;
}

/** The landing is over, by us or by somebody else. */
type Ended = { readonly kind: "landed"; readonly head: string } | { readonly kind: "gone" };

export type Pushed =
  | Ended
  /** Somebody asked for it to wait. */
  | { readonly kind: "held" }
  | { readonly kind: "lost" }
  | { readonly kind: "refused"; readonly refusal: LandRefusal };

/** How often the ledger alone may get in the way before base and ledger are moved one after the other. */
const MOST_LOST = 3;

/**
 * Moves the default branch to the landing's head, and records it. Where the remote can do both in one write they
 * happen together or not at all. Elsewhere the intention is recorded first, and whether it came true shows in
 * the branch.
 */
export async function pushLanding(parts: PushParts, landing: Landing, base: Base): Promise<Pushed> {
  const { repo, ledger } = parts;
  // A lease says that the branch is where it was seen; only this says that nothing on it gets lost.
  const [contained, seen] = await Promise.all([repo.isAncestor(base.tip, landing.head), ledger.refresh()]);
  if (!contained) throw new Error(`${landing.head} does not contain ${base.tip}, the tip of ${base.branch}`);
  if (repo.target === "checkout") return apart(parts, landing, base);
  let view: LedgerView = seen;
  for (let lost = 0; lost < MOST_LOST; lost += 1) {
    const gone = elsewhere(view.state, landing);
    if (gone !== null) return gone;
    if (isHeld(view.state, landing)) return { kind: "held" };
    const answer = await ledger.claimBeside([landed(landing, base.tip, landing.head)], view, {
      ref: `refs/heads/${base.branch}`,
      from: base.tip,
      to: landing.head,
      objects: repo.objects,
    });
    if (answer.kind === "won") return readBack(repo, landing.head);
    if (answer.kind === "refused") return refused(answer.why);
    view = answer.view;
    if ((await repo.fetchBase()).tip !== base.tip)
      return elsewhere(answer.view.state, landing) ?? { kind: "lost" };
  }
  return apart(parts, landing, base);
}

/**
 * Records a landing that the default branch has already: our own push before a crash, or somebody's by hand.
 * Null when it does not have it.
 */
export async function recordFound(
  { repo, ledger }: PushParts,
  landing: Landing,
  { tip }: Base,
): Promise<Ended | null> {
  const { base, head, intended } = landing;
  // Our commits come after the branch as it is, so they cannot be on it.
  if (base === tip && intended === null) return null;
  if (intended !== null && (await isNewOn(repo, intended, tip)))
    return record(ledger, landing, intended.from, intended.head);
  return (await isNewOn(repo, { from: base, head }, tip)) ? record(ledger, landing, base, head) : null;
}

/** Whether the branch has `head` and did not have it before: whoever can push can name any commit as ours. */
async function isNewOn(
  repo: Repo,
  { from, head }: { readonly from: string; readonly head: string },
  tip: string,
): Promise<boolean> {
  if (!(await repo.has(head)) || !(await repo.isAncestor(head, tip))) return false;
  return !(await repo.isAncestor(head, from));
}

/** Intention, push, record: three writes, of which the second one decides. */
async function apart({ repo, ledger }: PushParts, landing: Landing, base: Base): Promise<Pushed> {
  const { bead, id, head } = landing;
  const data = { request: id, from: base.tip, head };
  const intended = await claimed(ledger, landing, { type: "land.intended", bead, data }, isHeld);
  if (intended !== null) return intended === "unwanted" ? { kind: "held" } : intended;
  const pushed = await repo.pushBase({ branch: base.branch, from: base.tip, to: head });
  switch (pushed.kind) {
    case "moved":
      return { kind: "lost" };
    case "refused":
      return refused(pushed.why);
    case "pushed": {
      await readBack(repo, head);
      return record(ledger, landing, base.tip, head);
    }
  }
}

/** Null when it was recorded; else what makes it needless. */
async function claimed(
  ledger: Ledger,
  landing: Landing,
  event: NewEvent,
  isUnwanted: (state: LedgerState, landing: Landing) => boolean,
): Promise<Ended | "unwanted" | null> {
  let view: LedgerView = await ledger.refresh();
  for (;;) {
    const gone = elsewhere(view.state, landing);
    if (gone !== null) return gone;
    if (isUnwanted(view.state, landing)) return "unwanted";
    const answer = await ledger.claim([event], view);
    if (answer.kind === "won") return null;
    view = answer.view;
  }
}

async function record(ledger: Ledger, landing: Landing, from: string, head: string): Promise<Ended> {
  // What is on the branch is recorded, whatever anybody wants by now.
  const answer = await claimed(ledger, landing, landed(landing, from, head), () => false);
  return answer === null || answer === "unwanted" ? { kind: "landed", head } : answer;
}

export function isHeld({ holds }: LedgerState, { bead }: Pick<Landing, "bead">): boolean {
  return holds[bead] !== undefined;
}

/** Null while the landing is open. */
function elsewhere(state: LedgerState, { id, bead }: Landing): Ended | null {
  if (state.landings.some((landing) => landing.id === id)) return null;
  const slot = state.slots[bead];
  return slot?.status === "merged" && slot.landed !== null
    ? { kind: "landed", head: slot.landed }
    : { kind: "gone" };
}

/** The remote has the last word on what it holds. */
async function readBack(repo: Repo, head: string): Promise<Ended> {
  const { tip, branch } = await repo.fetchBase();
  if (!(await repo.isAncestor(head, tip))) throw UserError.of(landAdvice.takenBack(branch, head, tip));
  return { kind: "landed", head };
}

function landed({ bead, id }: Landing, from: string, head: string): NewEvent {
  return { type: "land.landed", bead, data: { request: id, from, head } };
}

function refused(why: string): Pushed {
  return { kind: "refused", refusal: { result: "error", code: "push_refused", why } };
}
