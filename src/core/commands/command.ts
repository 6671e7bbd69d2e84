/**
 * What a person asks for in a comment, as far as the comment alone tells. A bead of null means the thread's own; a
 * nudge's text may begin with one, which only the ledger can tell.
 */
export type Command =
  | { readonly verb: "help"; readonly topic: string | null }
  | { readonly verb: "status"; readonly bead: string | null }
  | { readonly verb: "why"; readonly bead: string | null }
  | { readonly verb: "link" }
  | { readonly verb: "unlink" }
  | (Mutating &
      (
        | { readonly verb: "review"; readonly full: boolean }
        | { readonly verb: "approve"; readonly sha: string | null }
        | { readonly verb: "comment"; readonly path: string; readonly line: number; readonly text: string }
        | { readonly verb: "close"; readonly reason: string }
        | {
            readonly verb: "land";
            readonly sha: string | null;
            readonly method: "ff" | "squash" | null;
            /** Take the landing back that is in the queue. */
            readonly cancel?: true;
          }
        | { readonly verb: "hold"; readonly bead: string | null; readonly reason: string }
        | { readonly verb: "unhold"; readonly bead: string | null }
        | { readonly verb: "sync" }
        | {
            readonly verb: "retry";
            readonly bead: string | null;
            /** All that are blocked; with a reason, those that are blocked for it. */
            readonly all?: { readonly reason: string | null };
          }
        | { readonly verb: "nudge"; readonly bead: string | null; readonly text: string }
        | {
            readonly verb: "stop";
            readonly bead: string | null;
            /** All agents of the run. */
            readonly run: boolean;
            readonly force: boolean;
            /** The beads stay stopped until somebody ends their hold. */
            readonly hold: boolean;
            /** The run starts nothing new. */
            readonly drain: boolean;
          }
        | { readonly verb: "drain" }
        /** A width of null is the one the run was started with. */
        | { readonly verb: "resize"; readonly max: number | null; readonly force: boolean }
      ));

interface Mutating {
  /** Say what would be done, and do nothing. */
  readonly dryRun: boolean;
}

export type Verb = Command["verb"];

/** What is wrong with a line that begins with `/koryph`. */
export type CommandProblem =
  | { readonly kind: "no-verb" }
  | { readonly kind: "unknown-verb"; readonly found: string; readonly nearest: string | null }
  | {
      readonly kind: "unknown-argument";
      readonly verb: Verb;
      readonly found: string;
      readonly nearest: string | null;
    }
  | { readonly kind: "repeated-argument"; readonly verb: Verb; readonly found: string }
  | { readonly kind: "missing-argument"; readonly verb: Verb; readonly needed: string }
  | { readonly kind: "bad-argument"; readonly verb: Verb; readonly found: string; readonly needed: string }
  | { readonly kind: "open-quote"; readonly verb: Verb };

export type CommandLine =
  | { readonly kind: "command"; readonly text: string; readonly command: Command }
  | { readonly kind: "wrong"; readonly text: string; readonly problem: CommandProblem };

export interface CommentReading {
  /** In the order they stand, each with its line as typed (made plain, cut to a readable length). */
  readonly lines: readonly CommandLine[];
  /** How many more there were; none of them is read. */
  readonly left: number;
}
