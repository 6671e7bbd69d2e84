import type { Command } from "../commands/command.js";

type ChangingVerb = "hold" | "unhold" | "retry" | "nudge" | "stop" | "drain" | "resize";

/** What a person asks of a run or a bead, on whatever surface. A bead of null is the one they ask from. */
export type ControlCommand =
  | Asked<Extract<Command, { readonly verb: ChangingVerb }>>
  /** Nobody can ask for it in a comment. */
  | { readonly verb: "inject"; readonly bead: string };

/** What a person asks about a run or a bead. */
export type ControlQuestion = Extract<Command, { readonly verb: "status" | "why" }>;

export type ControlVerb = ControlCommand["verb"];

/** Whether it is only tried out is the surface's affair: what it would come to is the same. */
type Asked<C> = C extends unknown ? Omit<C, "dryRun"> : never;
