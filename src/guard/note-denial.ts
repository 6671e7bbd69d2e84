import { closeSync, constants, openSync, writeSync } from "node:fs";
import type { GuardCode } from "../core/guard/guard-verdict.js";
import { redactText } from "../core/redact.js";

/**
 * Adds a line to the attempt's own list of denials. The hook runs as the agent does, so the list is a hint: who can run
 * what the guard does not see can write here, too, and where a sandbox keeps the folder closed nothing is noted.
 */
export function noteDenial(log: string, denial: { tool: string; code: GuardCode; what: string }): void {
  const line = { at: new Date().toISOString(), ...denial, what: redactText(denial.what) };
  try {
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
    const file = openSync(log, O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY, 0o600);
    try {
      writeSync(file, `${JSON.stringify(line)}\n`);
    } finally {
      closeSync(file);
    }
  } catch {
    // The answer counts, not the note.
  }
}
