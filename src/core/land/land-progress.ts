import { z } from "zod";

/** A command of the gate that is under way. */
export const RunningCommand = z.object({
  command: z.string(),
  /** Which one of how many. */
  number: z.int(),
  of: z.int(),
  /** When it began (ms). */
  since: z.number(),
  /** The first try was red: all commands run once more. */
  isSecondTry: z.boolean().optional(),
});
export type RunningCommand = z.infer<typeof RunningCommand>;

/** A step of a landing, for whoever watches. */
export type LandProgress =
  /** Its turn on this machine has come. */
  | { readonly kind: "begun" }
  | { readonly kind: "rebased"; readonly onto: string; readonly head: string }
  /** Several commits have become one. */
  | { readonly kind: "squashed"; readonly onto: string; readonly head: string }
  | { readonly kind: "gate"; readonly head: string }
  /** Its gate is red; now the default branch's own is run, to learn whose fault that is. */
  | { readonly kind: "base-gate"; readonly head: string }
  | ({ readonly kind: "command" } & Readonly<RunningCommand>)
  /** A pull request's own branch is moved to what was made of it. */
  | { readonly kind: "pushing-branch"; readonly head: string }
  | { readonly kind: "pushing"; readonly head: string }
  | { readonly kind: "opening"; readonly head: string };

/** What the process that lands on this machine says it is doing. */
export const LandWork = z.object({
  by: z.enum(["land", "run", "gate"]),
  /** Whose work it looks at; null where that is the default branch's own. */
  bead: z.string().nullable(),
  /** Absent while no command of the gate runs. */
  running: RunningCommand.optional(),
});
export type LandWork = z.infer<typeof LandWork>;

/** Who has the right to land on this machine. */
export interface LandHolder {
  /** 0 when nothing can be told about it. */
  readonly pid: number;
  /** It is the process that waits: one landing of a run waits for another. */
  readonly own?: boolean;
  /** As the machine's clock had it. */
  readonly since: string;
  /** Null when it does not say: an older koryph, or one that is about to begin. */
  readonly work: LandWork | null;
  /** The lock's file, where it is one. */
  readonly file?: string;
}
