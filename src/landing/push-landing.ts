import type { ArrivedMove } from "../core/land/decide-landing.js";
import { type LandingEnd, type Standing, standingOf } from "../core/land/landing-queue.js";
import type { LandRefusal } from "../core/land/refusal.js";
import { landAdvice } from "../core/replies/land/land.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import { UserError } from "../lib/user-error.js";
import type { Ledger, LedgerView } from "../ports/ledger.js";
import type { Base, Repo } from "../ports/repo.js";

export interface PushParts {
  readonly ledger: Ledger;
  readonly repo: Repo;
}

/** What keeps a claim from being made. */
type Closed = Exclude<Standing, { readonly kind: "open" }>;

export type Pushed =
  | Closed
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
    const standing = standingOf(view.state, landing);
    if (standing.kind !== "open") return standing;
    const answer = await ledger.claimBeside([landed(landing, { from: base.tip, head: landing.head })], view, {
      ref: `refs/heads/${base.branch}`,
      from: base.tip,
      to: landing.head,
      objects: repo.objects,
    });
    if (answer.kind === "won") return readBack(repo, landing.head);
    if (answer.kind === "refused") return refused(answer.why);
    view = answer.view;
    if ((await repo.fetchBase()).tip !== base.tip) {
      const now = standingOf(view.state, landing);
      return now.kind === "landed" || now.kind === "gone" ? now : { kind: "lost" };
    }
  }
  return apart(parts, landing, base);
}

/** Intention, push, record: three writes, of which the second one decides. */
async function apart({ repo, ledger }: PushParts, landing: Landing, base: Base): Promise<Pushed> {
  const { bead, id, head } = landing;
  const data = { request: id, from: base.tip, head };
  const closed = await claimed(ledger, landing, { type: "land.intended", bead, data });
  if (closed !== null) return closed;
  const pushed = await repo.pushBase({ branch: base.branch, from: base.tip, to: head });
  switch (pushed.kind) {
    case "moved":
      return { kind: "lost" };
    case "refused":
      return refused(pushed.why);
    case "pushed": {
      await readBack(repo, head);
      return recordLanding(ledger, landing, { from: base.tip, head });
    }
  }
}

/** Records what is on the default branch, whatever anybody wants by now. */
export async function recordLanding(
  ledger: Ledger,
  landing: Landing,
  move: ArrivedMove,
): Promise<LandingEnd> {
  const closed = await claimed(ledger, landing, landed(landing, move), { evenHeld: true });
  return closed === null || closed.kind === "held" ? { kind: "landed", head: move.head } : closed;
}

/** Null when it was recorded; else what makes it needless, or unwanted. */
async function claimed(
  ledger: Ledger,
  landing: Landing,
  event: NewEvent,
  { evenHeld }: { readonly evenHeld: boolean } = { evenHeld: false },
): Promise<Closed | null> {
  let view: LedgerView = await ledger.refresh();
  for (;;) {
    const standing = standingOf(view.state, landing);
    if (standing.kind !== "open" && !(evenHeld && standing.kind === "held")) return standing;
    const answer = await ledger.claim([event], view);
    if (answer.kind === "won") return null;
    view = answer.view;
  }
}

/** The remote has the last word on what it holds. */
async function readBack(repo: Repo, head: string): Promise<LandingEnd> {
  const { tip, branch } = await repo.fetchBase();
  if (!(await repo.isAncestor(head, tip))) throw UserError.of(landAdvice.takenBack(branch, head, tip));
  return { kind: "landed", head };
}

function landed({ bead, id }: Landing, { from, head }: ArrivedMove): NewEvent {
  return { type: "land.landed", bead, data: { request: id, from, head } };
}

function refused(why: string): Pushed {
  return { kind: "refused", refusal: { kind: "push_refused", why } };
}
