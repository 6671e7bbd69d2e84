import { type Standing, standingOf } from "../core/land/landing-queue.js";
import type { LandRefusal } from "../core/land/refusal.js";
import { branchOfBead } from "../core/model/pull.js";
import { type PullWork, pullBody, pullTitle } from "../core/replies/pulls/pull-text.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { Landing, LedgerState } from "../core/run/ledger/ledger-state.js";
import type { PullOpener } from "../landing/pull-opener.js";
import type { Ledger } from "../ports/ledger.js";
import type { PullFacts, Pulls, PullsAccess } from "../ports/pulls.js";
import type { Repo } from "../ports/repo.js";
import type { WorkSource } from "../ports/work-source.js";

export interface OpenPullParts {
  readonly ledger: Ledger;
  readonly repo: Repo;
  readonly source: Pick<WorkSource, "all">;
  readonly pulls: () => Promise<PullsAccess>;
}

/**
 * Puts finished work on its branch and opens a pull request for it: announce, push, open, record. After a crash between
 * any two of them the next try finds what is there: the branch by its commit, the pull request by its branch.
 */
export function pullOpener(parts: OpenPullParts): PullOpener {
  let asked: Promise<PullsAccess> | null = null;
  const access = () => {
    asked ??= parts.pulls();
    return asked;
  };
  return {
    missing: async () => missingIn(await access()),
    open: async (landing, commits) => {
      const found = await access();
      if (found.kind !== "pulls") return refused(missingIn(found));
      return openPull(parts, found.pulls, landing, commits);
    },
  };
}

type Opened = Awaited<ReturnType<PullOpener["open"]>>;

async function openPull(
  parts: OpenPullParts,
  pulls: Pulls,
  landing: Landing,
  commits: PullWork["commits"],
): Promise<Opened> {
  const { ledger, repo } = parts;
  const { bead, id, head } = landing;
  const branch = branchOfBead(bead);
  // What was pushed and never recorded would count as somebody else's.
  const pushing: NewEvent = { type: "pull.pushing", bead, data: { request: id, head } };
  const announced = await claimed(ledger, landing, pushing);
  if (announced.kind !== "recorded") return announced;
  const { slots } = announced.state;
  const pushed = await repo.pushBranch({ branch, from: slots[bead]?.branchHeads ?? [], to: head });
  if (pushed.kind === "taken") return refused({ kind: "branch_taken", branch, at: pushed.at });
  if (pushed.kind === "refused") return refused({ kind: "push_refused", why: pushed.why });
  const work = await workOf(parts, landing, announced.state, commits);
  const wanted = { branch, base: landing.branch, title: pullTitle(work), body: pullBody(work) };
  const answer = await pulls.open(wanted);
  if (answer.kind === "refused") return refused({ kind: "pull_refused", why: answer.why });
  const { pull } = answer;
  const recorded = await claimed(ledger, landing, openedEvent(landing, pull), { evenHeld: true });
  return recorded.kind === "recorded" ? { kind: "opened", pull: pull.number, url: pull.url, head } : recorded;
}

/** As the work source has it now; where the bead is gone from there, the slot's own title has to do. */
async function workOf(
  { source }: OpenPullParts,
  { bead }: Landing,
  { slots }: LedgerState,
  commits: PullWork["commits"],
): Promise<PullWork> {
  const slot = slots[bead];
  const found = (await source.all()).find(({ id }) => id === bead);
  return {
    bead,
    title: found?.title ?? slot?.title ?? "",
    type: found?.type ?? "",
    acceptance: found?.acceptance ?? "",
    run: slot?.run ?? "",
    commits,
  };
}

function openedEvent({ bead, id, base, head }: Landing, { number, url }: PullFacts): NewEvent {
  return { type: "pull.opened", bead, data: { request: id, pull: number, url, base, head } };
}

type Claimed =
  | { readonly kind: "recorded"; readonly state: LedgerState }
  | Exclude<Standing, { readonly kind: "open" }>;

/** Records it, whoever appends beside us, as long as the request is in the queue and nobody holds it. */
async function claimed(
  ledger: Ledger,
  landing: Landing,
  event: NewEvent,
  { evenHeld }: { readonly evenHeld: boolean } = { evenHeld: false },
): Promise<Claimed> {
  let view = await ledger.refresh();
  for (;;) {
    const standing = standingOf(view.state, landing);
    if (standing.kind !== "open" && !(evenHeld && standing.kind === "held")) return standing;
    const answer = await ledger.claim([event], view);
    view = answer.view;
    if (answer.kind === "won") return { kind: "recorded", state: view.state };
  }
}

function missingIn(access: Exclude<PullsAccess, { kind: "pulls" }>): LandRefusal;
function missingIn(access: PullsAccess): LandRefusal | null;
function missingIn(access: PullsAccess): LandRefusal | null {
  return access.kind === "pulls" ? null : access;
}

function refused(refusal: LandRefusal): Opened {
  return { kind: "refused", refusal };
}
