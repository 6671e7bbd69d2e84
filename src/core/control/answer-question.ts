import type { ReleaseVerdict } from "../model/release.js";
import type { LedgerState } from "../run/ledger/ledger-state.js";
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

export type WhyAnswer = Extract<ControlAnswer, { readonly kind: "why" }>;

interface QuestionFacts extends Pick<ControlFacts, "state" | "now" | "own"> {
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

function status(bead: string | null, { state, now, own }: QuestionFacts): ControlAnswer | ControlRefused {
  const meant = bead ?? own;
  const slot = meant === null ? undefined : state.slots[meant];
  if (bead !== null && slot === undefined) return refuse(unknownBead(bead, state));
  return {
    kind: "status",
    state: slot === undefined ? state : { ...state, slots: { [slot.bead]: slot } },
    shown: slot?.bead ?? null,
    notTaken: slot === undefined ? meant : null,
    silent: silentSince(state, now),
  };
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
