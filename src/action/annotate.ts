import * as core from "@actions/core";
import { actionAdvice } from "../core/replies/surfaces/action.js";
import { plainLines } from "../lib/plain-text.js";
import type { Advice } from "../lib/user-error.js";

/** A message and its next step, as an annotation has them. */
export function inOneText({ message, hint }: Advice): string {
  return plainLines(`${message}\nnext: ${hint}`);
}

export function warn(advice: Advice): void {
  core.warning(inOneText(advice), { title: "koryph" });
}

/** What a run came to does not hang on whether the runner takes its summary. */
export async function writeSummary(markdown: string): Promise<void> {
  try {
    await core.summary.addRaw(markdown).write();
  } catch (error) {
    warn(actionAdvice.noSummary(error instanceof Error ? error.message : String(error)));
  }
}

/** Hands on what fits; what does not is left empty, and said. */
export function writeOutputs(outputs: Readonly<Record<string, string | null>>): void {
  for (const [name, value] of Object.entries(outputs)) {
    core.setOutput(name, value ?? "");
    if (value === null) warn(actionAdvice.outputTooLong(name));
  }
}
