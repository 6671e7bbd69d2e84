import type { TokenCounts } from "./token-counts.js";

/** What an agent's stream and end amount to; what git says is judged besides. */
export type OutcomeKind =
  | "completed"
  | "incomplete"
  | "failed"
  /** A rate limit or a used-up plan: the same works later. */
  | "limited"
  /** The provider is down, overloaded or not to be reached. */
  | "unavailable"
  | "auth"
  | "billing"
  | "unknown-model"
  | "refused"
  | "budget"
  | "max-turns"
  | "stopped"
  | "killed"
  | "lost"
  /** The program could not be started, or gave up before it began. */
  | "start-failed"
  /** koryph itself would not start it, for a reason that lies with the bead or its clone. */
  | "not-started"
  | "timed-out";

/** The part of an outcome that decides what happens to the slot. */
export interface AgentEnd {
  readonly kind: OutcomeKind;
  readonly detail: string;
  readonly session: string | null;
  /** Cost of this attempt alone. */
  readonly costUsd: number;
  readonly costKnown: boolean;
  /** Not known, but counted from tokens and list prices: nearer to the truth than what was expected before. */
  readonly costEstimated?: boolean;
  /** What its models read and wrote, as far as the program told; absent where it did not. */
  readonly tokens?: TokenCounts | undefined;
  /** Whether the model has answered at all, where that is known: one that never did is not paid for. */
  readonly answered?: boolean;
  /** When a limited agent may try again, in ms; null when it did not say. */
  readonly retryAt: number | null;
  /** How long the provider last asked a limited agent to wait, in ms, where it told no date. */
  readonly retryAfterMs?: number | null;
}

/** What the agent left in git, and what it said of itself. */
export interface LeftBehind {
  readonly head: string | null;
  /** Commit of the default branch, as it was then, that the head stands on; null when that is not known. */
  readonly began: string | null;
  readonly commits: number;
  readonly dirty: boolean;
  /** What the agent says of itself in status.json; null when there is no such file. */
  readonly said: { readonly state: string; readonly word?: string; readonly note: string } | null;
}

/** What a reviewer's answer amounts to. The note holds counts only: the ledger is as public as the repository. */
export interface Judged {
  readonly verdict: "clean" | "blocking" | "degraded";
  readonly note: string;
  /** How each acceptance criterion was judged, by the name that koryph gave it; absent where the answer was not understood. */
  readonly criteria?: readonly { readonly id: string; readonly status: string }[];
}
