import type { FinalAnswer, Gate, GateAnswer, GateRequest } from "../ports/gate.js";
import type { SlotFolders } from "../ports/slot-folders.js";

/** Stands for the default branch where the gate's files are named after beads: no bead's id ends with a dot. */
const BASE = "base.";

/** How a project's gate runs, whatever commit it is asked about. */
export type GateSettings = Pick<
  GateRequest,
  "commands" | "bootstrap" | "wallSeconds" | "livenessFile" | "leaseSeconds"
>;

interface BaseParts {
  readonly gate: Gate;
  readonly folders: Pick<SlotFolders, "openGate" | "dropGates">;
}

interface BaseQuestion extends Pick<GateRequest, "head" | "accept" | "abort" | "onCommand" | "told"> {
  /** Names a check that takes up nothing an earlier one left. Without it the commit names it. */
  readonly fresh?: string;
}

/** What the gate says of a commit that is no bead's work. Only for whoever holds the lock of landings. */
export async function askBase(
  { gate, folders }: BaseParts,
  settings: GateSettings,
  question: BaseQuestion,
): Promise<GateAnswer> {
  const known = await recallBase(gate, settings, question);
  if (known !== null) return known;
  const { fresh, ...asked } = question;
  const folder = await folders.openGate(BASE, fresh ?? question.head);
  const answer = await gate.run({ bead: BASE, folder, ...settings, ...asked });
  // What is remembered of it is the gate's own affair; its files would answer the next question, too.
  await folders.dropGates(BASE);
  return answer;
}

/** The same as far as it is known already; null when something would have to run. */
export function recallBase(
  gate: Pick<Gate, "recall">,
  { commands }: Pick<GateSettings, "commands">,
  { head, accept }: Pick<BaseQuestion, "head" | "accept">,
): Promise<FinalAnswer | null> {
  return gate.recall({ head, commands, accept });
}
