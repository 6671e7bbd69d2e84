import { type Bead, isClosed } from "../../core/model/bead.js";
import { UserError } from "../../lib/user-error.js";
import type { AgentRuntime } from "../../ports/agent-runtime.js";

/** Runtimes that labels ask for and this machine does not have: their beads wait, the others go on. */
export async function probeLabelled(
  beads: readonly Bead[],
  runtime: (name: string) => AgentRuntime,
): Promise<Record<string, string>> {
  const labels = new Set(beads.filter((bead) => !isClosed(bead)).flatMap((bead) => bead.labels));
  const unusable: Record<string, string> = {};
  for (const label of labels) {
    if (!label.startsWith("runtime:")) continue;
    const name = label.slice("runtime:".length);
    try {
      await runtime(name).probe();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      unusable[name] = error.message;
    }
  }
  return unusable;
}
