import { isReadyToLand, owedByOthers } from "../../../core/control/pull-standing.js";
import { leftOutLine } from "../../../core/replies/land/land.js";
import { unmetText } from "../../../core/replies/land/pull/pull-terminal.js";
import type { Slot } from "../../../core/run/ledger/slot.js";
import { UserError } from "../../../lib/user-error.js";
import { surveyPull } from "../../../pulls/survey-pull.js";
import type { WiredProject } from "../../../wiring/wire-project.js";
import type { WiredPullLanding } from "../../wiring/pulls/wire-pull-landing.js";

export interface ReadyParts {
  readonly project: WiredProject;
  readonly pulls: () => Promise<WiredPullLanding>;
  readonly method: "ff" | "squash";
  readonly say: (line: string) => void;
}

/** Of beads whose pull requests are open, those that `koryph land` need not wait for; what is left out is said, and why. */
export async function readyPulls(
  parts: ReadyParts,
  slots: readonly Pick<Slot, "bead" | "pull">[],
): Promise<readonly string[]> {
  const ready: string[] = [];
  for (const { bead, pull } of slots) {
    const why = await whyNot(parts, pull?.number ?? 0);
    if (why === null) ready.push(bead);
    else parts.say(leftOutLine(bead, why));
  }
  return ready;
}

async function whyNot({ project, pulls, method }: ReadyParts, pull: number): Promise<string | null> {
  try {
    const wired = await pulls();
    const { config, ledger } = project;
    const standing = await surveyPull(
      { ...wired.parts, ledger, gate: { by: "here" } },
      { ...wired.settings, config: { ...config, merge_method: method } },
      pull,
    );
    // What is over already, and what GitHub does not show, is told by its landing.
    if (standing === null || standing.phase.kind !== "open" || isReadyToLand(standing)) return null;
    return unmetText(owedByOthers(standing));
  } catch (error) {
    // Without a way to GitHub the other beads land all the same.
    if (error instanceof UserError) return error.message;
    throw error;
  }
}
