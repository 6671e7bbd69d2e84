import { docsPath } from "../../adapters/project/docs-path.js";
import type { LandOutcome } from "../../core/land/land-outcome.js";
import { lastLines } from "../../core/replies/land/gate.js";
import { landedLine, unfinishedLine } from "../../core/replies/land/land.js";
import { refusalHint, refusedLine } from "../../core/replies/land/refusal-words.js";
import type { RefusedWork } from "../../core/replies/land/refused-work.js";
import { receiptLine } from "../../core/replies/receipts/receipts.js";
import type { WiredProject } from "../../wiring/wire-project.js";
import type { Terminal } from "./terminal.js";

/** How a landing ended, for a person; `work` is asked for only where something is left to do. */
export async function tellLanding(
  terminal: Terminal,
  bead: string,
  ended: {
    readonly outcome: LandOutcome;
    readonly branch: string | null;
    readonly already: boolean;
    readonly signed: boolean;
  },
  work: () => Promise<RefusedWork>,
): Promise<void> {
  const { outcome, branch, already, signed } = ended;
  if (outcome.kind === "landed") {
    terminal.out(landedLine(bead, outcome.head, branch, already));
    const { head, receipt } = outcome;
    if (receipt !== undefined) terminal.out(`  ${receiptLine(receipt, head, signed)}`);
  } else if (outcome.kind !== "refused") terminal.err(unfinishedLine(bead));
  else {
    const { refusal } = outcome;
    if (refusal.kind === "gate-failed") terminal.err(lastLines(refusal.output));
    terminal.err(refusedLine(bead, refusal));
    terminal.err(`  ${refusalHint(refusal, await work())}`);
  }
}

export async function refusedWork(
  { ledger, home, config }: WiredProject,
  bead: string,
): Promise<RefusedWork> {
  const slot = (await ledger.observe([])).state.slots[bead];
  return {
    bead,
    head: slot?.candidate?.head ?? null,
    repository: home.repository(config.project_id),
    protectedPaths: config.protected_paths,
    page: docsPath("landing.md"),
  };
}
