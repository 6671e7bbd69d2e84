import type { ProjectConfig } from "../core/config/project-schema.js";
import type { CommentJob } from "../core/model/comment-job.js";
import type { Refused } from "../core/replies/commands/reply-row.js";
import type { CommentMemory } from "../ports/comment-memory.js";
import type { Ledger, LedgerTail } from "../ports/ledger.js";
import type { Threads } from "../ports/threads.js";
import type { PullVerbParts } from "./pull-verbs.js";

export type OpenedProject =
  | { readonly kind: "project"; readonly config: ProjectConfig; readonly ledger: Ledger & LedgerTail }
  | Refused;

export type UsableProject = Extract<OpenedProject, { readonly kind: "project" }>;

export type LinkAnswer = { readonly kind: "said"; readonly said: string } | Refused;

/** Tying a person's account to the App. */
export interface Linking {
  /** What to tell them: how to go on, or why it cannot be. May be asked again for the same comment. */
  begin(job: CommentJob): Promise<LinkAnswer>;
  end(job: CommentJob): Promise<LinkAnswer>;
}

export interface CommandParts {
  readonly threads: Threads;
  readonly memory: CommentMemory;
  /** Whoever can push can write into the memory: what it says of a command is held against the command. */
  readonly publicMemory: boolean;
  readonly linking: Linking;
  readonly onPull: PullVerbParts;
  /** SHA-256. */
  readonly digest: (text: string) => Uint8Array;
  readonly now: () => number;
  /** An event was shared. */
  readonly onAppended: () => void;
  /** Something went wrong that must not keep the answer back. */
  readonly warn: (what: string, error: unknown) => void;
}
