import type { ProjectConfig } from "../core/config/project-schema.js";
import type { LandProgress } from "../core/land/land-progress.js";
import { endOf } from "../core/land/landing-queue.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import { baseAsker, gateSettings, stepTeller } from "../landing/land-next.js";
import type { LandingNews } from "../landing/landing-news.js";
import type { Gate } from "../ports/gate.js";
import type { LandTurn } from "../ports/land-turn.js";
import type { SlotFolders } from "../ports/slot-folders.js";
import { awaitLanding } from "./await-landing.js";
import { pullGate } from "./gate-pull.js";
import type { LandPullParts, LandPullSettings } from "./gather-land-facts.js";
import { landPull, type PullLandEnd } from "./land-pull.js";

/** What a landing needs on the operator's machine. */
export interface AskedPullParts extends Omit<LandPullParts, "gate" | "progress"> {
  readonly gate: Gate;
  readonly folders: Pick<SlotFolders, "openGate" | "dropGates">;
  readonly landTurn: () => Promise<LandTurn>;
  readonly liveness: { readonly file: string };
  readonly report: (news: LandingNews) => void;
  readonly pause: (ms: number) => Promise<void>;
}

export interface AskedPullSettings extends LandPullSettings {
  readonly config: LandPullSettings["config"] &
    Pick<ProjectConfig, "bootstrap" | "gate" | "gate_timeout_seconds">;
  readonly leaseSeconds: number;
  /** This very person's word; what others wrote into the ledger lifts no protection. */
  readonly allowProtected: boolean;
  /** What the pull request is called before the operator. */
  readonly name: string;
  readonly abort: AbortSignal;
}

/**
 * Brings a pull request's landing to its end on the operator's machine, which runs the gate. Whoever interrupts it leaves
 * it in the queue, where the next command finds it.
 */
export async function landAskedPull(
  parts: AskedPullParts,
  settings: AskedPullSettings,
  { id, bead }: Landing,
): Promise<PullLandEnd> {
  const { ledger, landTurn, report, pause, now } = parts;
  const { name, abort, allowProtected } = settings;
  const look = async () => {
    const turn = await landTurn();
    if (turn.kind === "theirs") {
      report({ kind: "waiting", bead: name, behind: turn.by });
      return null;
    }
    try {
      turn.tell({ by: "land", bead: name });
      // Somebody else may have brought it on, or to its end.
      const { state } = await ledger.refresh();
      const landing = state.landings.find((each) => each.id === id);
      if (landing === undefined) return endOf(state, bead);
      const tell = stepTeller(turn, "land", parts);
      const progress = (_: Landing, step: LandProgress) => tell({ bead: name }, step);
      const gate = pullGate({
        ...{ gate: parts.gate, folders: parts.folders, settings: gateSettings({ parts, settings }) },
        ...{ askBase: baseAsker({ parts, settings, abort }), progress, abort },
      });
      const asked = { ...landing, allowProtected: landing.allowProtected && allowProtected };
      return await landPull({ ...parts, gate, progress }, settings, asked);
    } finally {
      await turn.release();
    }
  };
  const outcome = await awaitLanding({
    ...{ look, pause, now, abort },
    waiting: (unmet) => report({ kind: "unmet", bead: name, unmet }),
  });
  if (outcome.kind === "landed" || outcome.kind === "refused") await parts.folders.dropGates(bead);
  return outcome;
}
