import type { Place } from "../core/land/find-places.js";
import type { RunningCommand } from "../core/land/land-progress.js";

export interface GateRequest {
  readonly bead: string;
  readonly head: string;
  /** Run in order in a clean checkout of `head`, each with `sh -c`. */
  readonly commands: readonly string[];
  /** Where the files of this check go. The same folder finds a check that is under way, or its result. */
  readonly folder: string;
  /** Wall-clock limit of each command. */
  readonly wallSeconds: number;
  readonly livenessFile: string;
  readonly leaseSeconds: number;
  /** Ends the commands; the answer is then `stopped`. */
  readonly abort: AbortSignal;
  /** Told of each command that starts, or that an earlier life of ours started. */
  readonly onCommand?: (running: RunningCommand) => void;
}

export type GateAnswer =
  | { readonly kind: "green" }
  | {
      readonly kind: "red";
      readonly command: string;
      /** Null when it was ended for taking too long, or killed; the end of its output tells which. */
      readonly code: number | null;
      /** The end of what it printed. */
      readonly output: string;
      readonly places: readonly Place[];
    }
  | { readonly kind: "stopped" };

/** The project's own commands that must pass. They run what agents wrote, so they are shut in like agents. */
export interface Gate {
  run(request: GateRequest): Promise<GateAnswer>;
}
