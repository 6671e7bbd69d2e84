import type { LandRefusal } from "../core/land/refusal.js";
import type { FinalAnswer, GateAnswer } from "../ports/gate.js";

/** Asks the gate about the commit that work stands on. */
export type AskBase = (head: string) => Promise<GateAnswer>;

/**
 * What a red gate is held against: the work, unless what it stands on is red as well. Null when asking was stopped.
 * Without `askBase` nobody wants to know.
 */
export async function judgeRed(
  { kind: _, ...red }: Extract<FinalAnswer, { kind: "red" }>,
  base: string,
  askBase: AskBase | undefined,
): Promise<LandRefusal | null> {
  const found = await askBase?.(base);
  if (found?.kind === "stopped") return null;
  if (found?.kind !== "red") return { kind: "gate-failed", ...red };
  const { command, code, output } = found;
  return { kind: "base_red", base, command, code, output };
}
