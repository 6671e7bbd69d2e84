import type { LandProgress } from "../core/land/land-progress.js";
import type { LandRefusal } from "../core/land/refusal.js";
import type { FinalAnswer, GateAnswer } from "../ports/gate.js";

/** Tells a step of the landing to whoever watches it. */
type TellStep = (step: LandProgress) => void;

/** Asks the gate about the commit that work stands on, which takes as long as the work's own gate. */
export type AskBase = (head: string, tell: TellStep) => Promise<GateAnswer>;

interface Ground {
  /** What the work stands on. */
  readonly base: string;
  /** Absent where nobody wants to know. */
  readonly askBase: AskBase | undefined;
  readonly tell: TellStep;
}

/** What a red gate is held against: the work, unless what it stands on is red as well. Null when asking was stopped. */
export async function judgeRed(
  { kind: _, ...red }: Extract<FinalAnswer, { kind: "red" }>,
  { base, askBase, tell }: Ground,
): Promise<LandRefusal | null> {
  if (askBase === undefined) return { kind: "gate-failed", ...red };
  tell({ kind: "base-gate", head: base });
  const found = await askBase(base, tell);
  if (found.kind === "stopped") return null;
  if (found.kind === "green") return { kind: "gate-failed", ...red };
  const { command, code, output } = found;
  return { kind: "base_red", base, command, code, output };
}
