import type { Place } from "../core/land/find-places.js";
import type { RunningCommand } from "../core/land/land-progress.js";

/** Which answers of an earlier check of this very commit do: a red one may have met a bad day. */
type AcceptedAnswers = "green" | "none";

export interface GateQuestion {
  readonly head: string;
  /** Run in order in a clean checkout of `head`, each with `sh -c`. */
  readonly commands: readonly string[];
  readonly accept: AcceptedAnswers;
}

export interface GateRequest extends GateQuestion {
  /** Whose commit it is; names the checkout and the processes. */
  readonly bead: string;
  /** Where the files of this check go. The same folder finds a check that is under way, or its result. */
  readonly folder: string;
  /** How many of the commands, from the first on, make the checkout ready. */
  readonly bootstrap?: number | undefined;
  /** Wall-clock limit of each command. */
  readonly wallSeconds: number;
  readonly livenessFile: string;
  readonly leaseSeconds: number;
  /** Ends the commands; the answer is then `stopped`. */
  readonly abort: AbortSignal;
  /** Told of each command that starts, or that an earlier life of ours started. */
  readonly onCommand?: (running: RunningCommand) => void;
  /** Told of every command that has ended. */
  readonly told?: (step: GateStep) => void;
}

export interface GateStep {
  /** 1, and 2 where a red try is repeated. */
  readonly try: number;
  readonly command: string;
  /** Null when it did not end by itself. */
  readonly code: number | null;
  readonly ms: number;
}

interface RedAnswer {
  readonly kind: "red";
  readonly command: string;
  /** Null when it was ended for taking too long, or killed; the end of its output tells which. */
  readonly code: number | null;
  /** The end of what it printed. */
  readonly output: string;
  readonly places: readonly Place[];
}

export type FinalAnswer = { readonly kind: "green" } | RedAnswer;

export type GateAnswer = FinalAnswer | { readonly kind: "stopped" };

/** The project's own commands that must pass. They run what agents wrote, so they are shut in like agents. */
export interface Gate {
  /** The answer that `run` would give without starting anything; null when it would have to. */
  recall(question: GateQuestion): Promise<FinalAnswer | null>;
  run(request: GateRequest): Promise<GateAnswer>;
}
