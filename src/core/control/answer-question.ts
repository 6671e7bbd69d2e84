import type { ReleaseVerdict } from "../model/release.js";
import type { LedgerState } from "../run/ledger/ledger-state.js";
import type { Slot } from "../run/ledger/slot.js";
import type { ControlQuestion } from "./control-command.js";
import { type ControlRefused, refuse, type SilentSince } from "./control-decision.js";
import type { ControlFacts } from "./control-facts.js";
import { silentSince } from "./silent-since.js";
import { unknownBead } from "./unknown-bead.js";
import { type Unmet, unmetConditions } from "./unmet-conditions.js";

export type ControlAnswer =
  | {
      readonly kind: "status";
      /** All of the project, or the one bead that is shown. */
      readonly state: LedgerState;
      readonly shown: string | null;
      /** The thread's own bead, where all is shown because no run has taken it; else null. */
      readonly notTaken: string | null;
      readonly silent: SilentSince;
      /** The pull request that was asked on, unless a bead was named; else null. */
      readonly pull: PullOnRecord | null;
    }
  | {
      readonly kind: "why";
      readonly bead: string;
      readonly unmet: readonly Unmet[];
      /** The commit as which it has landed; null when it has not, or something is unmet all the same. */
      readonly landed: string | null;
      /** A run has taken it, or it is the thread's own. */
      readonly known: boolean;
    };

/** A pull request as the ledger has it. */
export interface PullOnRecord {
  readonly number: number;
  /** Its bead, by what the ledger has on it, else by its branch; null where neither names one. */
  readonly bead: string | null;
  /** Null where no run has taken the bead. */
  readonly slot: Slot | null;
  /** What keeps it from landing, as far as the ledger knows. */
  readonly unmet: readonly Unmet[];
}

export type WhyAnswer = Extract<ControlAnswer, { readonly kind: "why" }>;

interface QuestionFacts extends Pick<ControlFacts, "state" | "now" | "own"> {
  /** The pull request whose thread it is; absent or null on an issue. */
  readonly pull?: number | null;
  /** What GitHub shows of the release of the bead that is asked about; absent where nobody looked. */
  readonly release?: ReleaseVerdict | null;
}

/** The bead of a `why` that no run has in hand, so that its release is the first thing it waits for; else null. */
export function beadToRelease(question: ControlQuestion, { state, own }: QuestionFacts): string | null {
  const bead = question.verb === "why" ? (question.bead ?? own) : null;
  if (bead === null) return null;
  const slot = state.slots[bead];
  return slot === undefined || slot.status === "merged" ? bead : null;
}

/** What somebody who only asks is told. An older koryph answers, too. */
export function answerQuestion(
  question: ControlQuestion,
  facts: QuestionFacts,
): ControlAnswer | ControlRefused {
  switch (question.verb) {
    case "status":
      return status(question.bead, facts);
    case "why":
      return why(question.bead ?? facts.own, facts);
  }
}

function status(bead: string | null, facts: QuestionFacts): ControlAnswer | ControlRefused {
  const { state, now } = facts;
  const pull = bead === null ? pullOnRecord(facts) : null;
  const meant = bead ?? pull?.bead ?? facts.own;
  const slot = meant === null ? undefined : state.slots[meant];
  if (bead !== null && slot === undefined) return refuse(unknownBead(bead, state));
  return {
    kind: "status",
    state: slot === undefined ? state : { ...state, slots: { [slot.bead]: slot } },
    shown: slot?.bead ?? null,
    notTaken: slot === undefined ? meant : null,
    silent: silentSince(state, now),
    pull,
  };
}

function pullOnRecord({ state, now, own, pull = null }: QuestionFacts): PullOnRecord | null {
  if (pull === null) return null;
  const carrying = Object.values(state.slots).find((each) => each.pull?.number === pull);
  const bead = carrying?.bead ?? own;
  const slot = bead === null ? null : (state.slots[bead] ?? null);
  return { number: pull, bead, slot, unmet: slot === null ? [] : unmetConditions(state, slot.bead, now) };
}

function why(bead: string | null, facts: QuestionFacts): ControlAnswer | ControlRefused {
  return bead === null ? refuse({ code: "no_bead", verb: "why" }) : answerWhy(bead, facts);
}

/** How a bead stands: what a reply and the status comment on its issue tell alike. */
export function answerWhy(bead: string, { state, now, own, release }: QuestionFacts): WhyAnswer {
  const withheld: Unmet[] = release?.kind === "withheld" ? [{ code: "not_released", why: release.why }] : [];
  const unmet = [...withheld, ...unmetConditions(state, bead, now)];
  const slot = state.slots[bead];
  return {
    kind: "why",
    bead,
    unmet,
    landed: unmet.length === 0 ? (slot?.landed ?? null) : null,
    known: slot !== undefined || bead === own,
  };
}
