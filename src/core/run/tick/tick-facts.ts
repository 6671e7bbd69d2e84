import type { NoGithub } from "../../config/github-remote.js";
import type { ProjectConfig } from "../../config/project-schema.js";
import type { ContainedMark } from "../../contain/containment.js";
import type { AccountMarks } from "../../govern/account-pin.js";
import type { WorkFlag } from "../../land/work-flag.js";
import type { AgentEnd, Judged, LeftBehind } from "../../model/agent-end.js";
import type { Bead } from "../../model/bead.js";
import type { ProcessIdentity } from "../../model/process-identity.js";
import type { NotSelected } from "../../schedule/build-wave.js";
import type { DecidedEvent } from "../ledger/decided-event.js";
import type { EventData } from "../ledger/event-data.js";
import type { LedgerState } from "../ledger/ledger-state.js";
import type { RequestAnswer } from "../ledger/request-answer.js";
import type { SpendingKeys } from "../plan/paying-accounts.js";
import type { QuotaFacts } from "../plan/quota-refusal.js";
import type { Denied, PlaceAsked } from "./admission.js";
import type { BaseGate, RedBase } from "./base-gate.js";
import type { EffectFailure } from "./effect-failure.js";

/** What the engine sees of a slot besides what the ledger says. */
export interface SlotObservation {
  readonly worktree: "absent" | "unfinished" | "ready";
  readonly process:
    | { readonly kind: "none" }
    | {
        readonly kind: "alive";
        readonly identity: ProcessIdentity;
        /** The model has answered it. Looked for only while a runtime waits for that. */
        readonly answered?: boolean;
      }
    | { readonly kind: "ended"; readonly end: AgentEnd };
  /** Who has the bead in the work source; null until somebody asked. */
  readonly claim: "ours" | "taken" | "gone" | "unreleased" | null;
  /** Null until the agent's commits were brought over. */
  readonly left: LeftBehind | null;
  /** Of a review: null until its answer was read. */
  readonly judged: Judged | null;
  /** Of a passed slot: null until its commits were made ready to land. */
  readonly accepted: Accepted | null;
  /** Of an accepted one that is to be reviewed: null until somebody looked. */
  readonly checked: Checked | null;
}

/** What was found without a model before a review. */
export type Checked =
  | { readonly kind: "sound"; readonly base: string; readonly head: string }
  | { readonly kind: "refused"; readonly refusal: EventData<"slot.refused"> };

export type Accepted =
  | {
      readonly kind: "accepted";
      readonly branch: string;
      readonly from: string;
      readonly base: string;
      readonly head: string;
      readonly commits: number;
      readonly flags?: readonly WorkFlag[];
      /** Changed paths outside of the places that the bead declares. */
      readonly outside?: readonly string[];
      /** Why it is not to land, where that shows here already. */
      readonly refusal?: EventData<"slot.refused">;
    }
  | { readonly kind: "failed"; readonly why: string };

export interface RunOptions {
  readonly mode: "rolling" | "wave";
  readonly once: boolean;
  readonly max?: number | undefined;
  readonly budgetUsd?: number | undefined;
  /** `--model`: before any label. */
  readonly model?: string | undefined;
  readonly defaultModel?: string | undefined;
  /** Runtimes that were looked for and cannot be used, and why. */
  readonly unusable?: Readonly<Record<string, string>> | undefined;
  readonly backoffSeconds?: number | undefined;
  /** Finished branches are reviewed before anything else happens to them. */
  readonly review?: boolean | undefined;
  /** Beads whose policy is auto may land. */
  readonly autoMerge?: boolean | undefined;
  /** Agents start from a default branch whose gate is red, too: their work is to mend it. */
  readonly allowRedBase?: boolean | undefined;
  /** False where the quota is to keep nothing back. */
  readonly billingGuard?: boolean | undefined;
  /** `--allow-api-spend`: where a plan is used up, new agents may be billed to the project's key. */
  readonly allowApiSpend?: boolean | undefined;
  /** The keys that may be spent on, as they were found when the run began; absent without leave to spend. */
  readonly spendingKeys?: SpendingKeys | undefined;
  /** Why no pull request can be opened; absent where they can, so that beads whose policy is pr may run. */
  readonly noPulls?: NoGithub | undefined;
  /** Every bead lands, whatever its policy. */
  readonly direct?: boolean | undefined;
}

/** What the engine remembers between ticks and may forget in a crash. */
export interface TickMemory {
  readonly lastDispatchAt: number | null;
  /** What the last dispatch runs on; null before the first. */
  readonly lastRuntime: string | null;
  /** More agents are to be started than the last one: the wave, or the free places, are being filled. */
  readonly filling: boolean;
  readonly deferrals: Readonly<Record<string, number>>;
}

export const FRESH_MEMORY: TickMemory = {
  lastDispatchAt: null,
  lastRuntime: null,
  filling: true,
  deferrals: {},
};

export interface TickFacts {
  readonly state: LedgerState;
  readonly run: string;
  readonly now: number;
  readonly config: ProjectConfig;
  readonly options: RunOptions;
  readonly memory: TickMemory;
  readonly observations: ReadonlyMap<string, SlotObservation>;
  /** What was tried in vain for the present attempts, by bead; absent when nothing was. */
  readonly failures?: ReadonlyMap<string, EffectFailure>;
  /** What the machine's governor has refused of late; absent where no governor has to be asked. */
  readonly denials?: readonly Denied[] | undefined;
  /** Absent where nobody has to ask. */
  readonly baseGate?: BaseGate | undefined;
  /** How the accounts stand; absent where nobody has calibrated one. */
  readonly quota?: QuotaFacts | undefined;
  /** Null when the work source was not asked this time. */
  readonly work: { readonly ready: readonly Bead[]; readonly all: readonly Bead[] } | null;
  /** The operator wants the engine to end: agents are stopped and their beads queued for a later run. */
  readonly interrupted: boolean;
  /** Whose accounts agents work on, by runtime, as it was found for this tick; absent where nothing is pinned. */
  readonly accounts?: AccountMarks | undefined;
  /** What shuts agents in on this machine; absent where nobody looked. */
  readonly contained?: ContainedMark | undefined;
}

export type SlotEffect =
  | { readonly kind: "append"; readonly events: readonly DecidedEvent[] }
  | { readonly kind: "claim-bead"; readonly bead: string }
  | { readonly kind: "prepare"; readonly bead: string }
  | { readonly kind: "launch"; readonly bead: string }
  | { readonly kind: "stop-agent"; readonly bead: string; readonly force: boolean }
  | { readonly kind: "collect"; readonly bead: string }
  /** Reads the reviewer's answer and keeps its report. */
  | { readonly kind: "judge"; readonly bead: string }
  /** Makes a candidate of the agent's commits: signs them where there is a key. */
  | { readonly kind: "accept"; readonly bead: string }
  /** Looks at the candidate for whatever keeps it from landing, before a review is paid for. */
  | { readonly kind: "check"; readonly bead: string }
  | { readonly kind: "land"; readonly bead: string; readonly request: string }
  /** After the landing: closes the bead and tidies up. */
  | { readonly kind: "settle"; readonly bead: string };

/** What the engine is to do. Each effect may be repeated, and each leaves a trace that the next look sees. */
export type Effect =
  | SlotEffect
  /** Asks for an agent's place; the rest is done, and remembered, only where it is granted. */
  | {
      readonly kind: "admit";
      readonly asked: PlaceAsked;
      readonly granted: { readonly effects: readonly Effect[]; readonly memory: TickMemory };
    }
  /** Asks the gate about the default branch; it is no slot's. */
  | { readonly kind: "check-base" }
  /** Taking a control request off the ledger is a claim: only one engine may act on it. */
  | { readonly kind: "consume"; readonly request: string; readonly answer: RequestAnswer }
  | {
      readonly kind: "nudge";
      readonly request: string;
      readonly bead: string;
      readonly actor: string;
      readonly text: string;
    };

export type RunEndReason =
  | "interrupted"
  | "operator-drain"
  | "budget-cap"
  /** The provider's limits are used up, as far as the project lets them be. */
  | "quota-cap"
  /** The one wave that was asked for is over. */
  | "once"
  | "all-deferred"
  | "drained"
  /** A runtime cannot be used until a person has mended something, and nothing else can run. */
  | "runtime-fault"
  /** The gate is red on the default branch itself, so that nothing could land. */
  | "gate-red-on-base"
  | "failed";

/** A bead that the rest of the budget does not pay. */
export interface Unaffordable {
  readonly bead: string;
  readonly estimateUsd: number;
  readonly leftUsd: number;
}

export interface TickEnd {
  readonly reason: RunEndReason;
  /** What the process ends with. */
  readonly code: number;
  /** With `budget-cap`: what did not fit. */
  readonly unaffordable?: Unaffordable | undefined;
  /** With `gate-red-on-base`: what the gate found there. */
  readonly redBase?: RedBase | undefined;
  /** Beads that were ready, and that nobody but a person brings on. */
  readonly passedOver?: readonly NotSelected[] | undefined;
}

export interface Tick {
  readonly effects: readonly Effect[];
  readonly memory: TickMemory;
  /** When to look again although nothing happens, in ms; null when the usual interval will do. */
  readonly wakeAt: number | null;
  readonly end: TickEnd | null;
  /** An agent is waiting for the pause between two starts. */
  readonly staggered: boolean;
  readonly deferred: readonly NotSelected[];
  readonly skipped: readonly NotSelected[];
}
