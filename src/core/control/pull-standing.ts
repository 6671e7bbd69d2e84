import type { CarriedApproval, CarriedCommits } from "../land/pull/carry-approval.js";
import { menderOf, type PullRefusal } from "../land/pull/pull-refusal.js";
import { beadOfBranch, pullSubject } from "../model/pull.js";
import type { LedgerEvent } from "../run/ledger/ledger-event.js";
import type { Hold, Landing, LedgerState } from "../run/ledger/ledger-state.js";

import { WITHDRAWN } from "./decide-withdrawal.js";

/** The last that happened to a landing in the queue. */
type LandingStep = "asked" | "rebased" | "pushing";

/**
 * Where a pull request is on its way to the base branch.
 *
 * | phase   | entered when                                        | what follows            |
 * |---------|-----------------------------------------------------|-------------------------|
 * | open    | it is opened, or a landing was refused              | landing, merged, closed |
 * | landing | somebody asked for its landing                      | landed, open, closed    |
 * | landed  | koryph has put its commits on the base branch       | nothing                 |
 * | merged  | GitHub shows it as merged, and koryph had no part   | nothing                 |
 * | closed  | somebody closed it                                  | open                    |
 */
export type PullPhase =
  | {
      readonly kind: "open";
      /** Why its last landing was refused, if that was of this very head. */
      readonly refused: { readonly code: string; readonly detail: string; readonly at: string } | null;
    }
  | {
      readonly kind: "landing";
      /** What is to land: the head that was asked for, or what koryph has made of it. The branch may have moved on. */
      readonly head: string;
      readonly step: LandingStep;
      /** When that step was taken. */
      readonly since: string;
      readonly by: string;
      /** How many land on the same branch before it. */
      readonly ahead: number;
    }
  | {
      readonly kind: "landed";
      readonly commit: string;
      readonly at: string;
      readonly receipt: string | null;
      /** Where the base branch was before. */
      readonly from: string;
      /** The older head that people approved; null where they approved the very commit, or nobody had to. */
      readonly approved: string | null;
    }
  | { readonly kind: "merged" }
  | { readonly kind: "closed" };

/** How a pull request stands: what a reply, a check run and the status comment tell alike. */
export interface PullStanding {
  readonly pull: number;
  readonly head: string;
  /** The branch it is to land on. */
  readonly base: string;
  readonly phase: PullPhase;
  readonly hold: Hold | null;
  /** Everything that a landing lacks, the first to be put right first. Empty once it is over. */
  readonly unmet: readonly PullRefusal[];
  /** The approval that its landing goes by, where that was given for an older head. */
  readonly carried: CarriedApproval | null;
  /** The commits of both heads; null when nobody has compared them. */
  readonly compared: CarriedCommits | null;
}

interface StandingFacts {
  readonly pull: {
    readonly number: number;
    readonly state: "open" | "closed";
    readonly merged: object | null;
    readonly head: { readonly branch: string; readonly sha: string; readonly fork: boolean };
    readonly base: { readonly branch: string };
  };
  readonly state: Pick<LedgerState, "landings" | "holds">;
  /** The ledger's last events, in order. */
  readonly recent: readonly LedgerEvent[];
  readonly unmet: readonly PullRefusal[];
  /** Of a pull request that has not landed; the ledger knows it of one that has. */
  readonly carried: CarriedApproval | null;
}

export function pullStanding({ pull, state, recent, unmet, carried }: StandingFacts): PullStanding {
  const phase = phaseOf(pull, state, recent);
  const over = phase.kind !== "open" && phase.kind !== "landing";
  return {
    ...{ pull: pull.number, head: pull.head.sha, base: pull.base.branch, phase },
    hold: over ? null : holdOnPull(pull, state),
    unmet: over ? [] : unmet,
    carried: phase.kind === "landed" ? carriedBy(phase) : over ? null : carried,
    compared: null,
  };
}

function carriedBy({ approved, commit, from }: Extract<PullPhase, { kind: "landed" }>) {
  return approved === null ? null : { approved, head: commit, base: from };
}

/** What people, checks or rules still owe; koryph does its own part when it lands. */
export function owedByOthers({ unmet }: Pick<PullStanding, "unmet">): readonly PullRefusal[] {
  return unmet.filter((each) => menderOf(each) !== "koryph");
}

/** Whether a landing that somebody asked for now would wait for nobody. */
export function isReadyToLand(standing: Pick<PullStanding, "phase" | "hold" | "unmet">): boolean {
  const { phase, hold } = standing;
  return phase.kind === "open" && hold === null && owedByOthers(standing).length === 0;
}

/** Whoever holds the bead holds its pull request, whether or not a run knows of either. */
export function holdOnPull(
  { number, head }: Pick<StandingFacts["pull"], "number" | "head">,
  { holds }: Pick<LedgerState, "holds">,
): Hold | null {
  return holds[beadOfBranch(head) ?? ""] ?? holds[pullSubject(number)] ?? null;
}

function phaseOf(
  { number, head, state: shown, merged }: StandingFacts["pull"],
  state: StandingFacts["state"],
  recent: readonly LedgerEvent[],
): PullPhase {
  const landing = state.landings.find((each) => each.pull === number);
  if (landing !== undefined) return landingPhase(landing, state, recent);
  const requests = new Map(
    recent.flatMap((event) =>
      event.type === "pull.landing" && event.data.pull === number ? [[event.id, event.data.head]] : [],
    ),
  );
  const end = recent.findLast(
    (event) =>
      (event.type === "land.landed" || event.type === "land.refused") && requests.has(event.data.request),
  );
  if (end?.type === "land.landed") {
    const { head: commit, from, receipt = null, approved = null } = end.data;
    return { kind: "landed", commit, at: end.at, receipt, from, approved };
  }
  if (merged !== null) return { kind: "merged" };
  if (shown !== "open") return { kind: "closed" };
  if (end?.type !== "land.refused" || requests.get(end.data.request) !== head.sha)
    return { kind: "open", refused: null };
  const { code, detail } = end.data;
  // Nobody has anything to put right.
  if (code === WITHDRAWN) return { kind: "open", refused: null };
  return { kind: "open", refused: { code, detail, at: end.at } };
}

const STEPS: Readonly<Record<string, LandingStep>> = {
  "land.rebased": "rebased",
  "land.intended": "pushing",
};

function landingPhase(
  landing: Landing,
  { landings, holds }: StandingFacts["state"],
  recent: readonly LedgerEvent[],
): PullPhase {
  const last = recent.findLast(
    (event) =>
      (event.type === "land.rebased" || event.type === "land.intended") && event.data.request === landing.id,
  );
  const line = landings.filter(
    ({ kind, branch, bead }) =>
      kind === "land-pull" && branch === landing.branch && holds[bead] === undefined,
  );
  return {
    kind: "landing",
    head: landing.head,
    step: STEPS[last?.type ?? ""] ?? "asked",
    since: last?.at ?? landing.at,
    by: landing.actor,
    ahead: Math.max(0, line.indexOf(landing)),
  };
}
