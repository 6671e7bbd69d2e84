import type { LandRefusal } from "../core/land/refusal.js";
import { refusalDetail } from "../core/replies/land/land.js";
import { refusalReport } from "../core/replies/land/refusal-report.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { type LandOutcome, type LandSettings, land } from "../landing/land.js";
import { isHeld } from "../landing/push-landing.js";
import type { EngineParts, EngineSettings } from "./engine-parts.js";
import { placeOf } from "./slot-observations.js";

export interface LandContext {
  readonly parts: Pick<
    EngineParts,
    "ledger" | "repo" | "gate" | "folders" | "report" | "landLock" | "liveness"
  >;
  readonly settings: Pick<EngineSettings, "config" | "leaseSeconds">;
  readonly abort: AbortSignal;
  /** The request that this very process made for a person; what others wrote into the ledger lifts no protection. */
  readonly asked?: string;
}

/** Lands what is first in the queue. Null when another process of this machine is landing just now. */
export async function landNext(
  slot: Slot,
  request: string,
  { parts, settings, abort, asked }: LandContext,
): Promise<LandOutcome | null> {
  const lock = await parts.landLock();
  if (lock === null) return null;
  try {
    // Whoever had the lock before may have landed it.
    const { state } = await parts.ledger.refresh();
    const landing = state.landings.find(({ id }) => id === request);
    if (landing === undefined) return { kind: "gone" };
    if (isHeld(state, landing)) return { kind: "held" };
    const outcome = await land(
      {
        ledger: parts.ledger,
        repo: parts.repo,
        gate: parts.gate,
        keepReport: (_, refusal) => keepReport(slot, refusal, parts),
        progress: ({ bead }, step) => parts.report({ kind: "landing", bead, step }),
      },
      landSettings(slot, settings, { parts, abort }),
      { ...landing, allowProtected: landing.allowProtected && asked === landing.id },
    );
    tell(landing, outcome, parts);
    return outcome;
  } finally {
    await lock.release();
  }
}

function landSettings(
  slot: Slot,
  { config, leaseSeconds }: LandContext["settings"],
  { parts, abort }: Pick<LandContext, "parts" | "abort">,
): LandSettings {
  return {
    rules: {
      commitStyle: config.commit_style,
      protectedPaths: config.protected_paths,
      signingRequired: config.signing.required,
    },
    title: slot.title,
    accepted: slot.candidate,
    gate: {
      commands: [...config.bootstrap, ...config.gate],
      folder: ({ bead, id }) => parts.folders.openGate(bead, id),
      wallSeconds: GATE_SECONDS,
      livenessFile: parts.liveness.file,
      leaseSeconds,
    },
    abort,
  };
}

/** Of each command; a gate that takes longer holds up everybody behind it in the queue. */
const GATE_SECONDS = 3_600;

async function keepReport(
  slot: Slot,
  refusal: LandRefusal,
  { folders }: LandContext["parts"],
): Promise<void> {
  const report = refusalReport(refusal);
  if (report !== null) await folders.writeReport(placeOf(slot), report.kind, report.text);
}

function tell({ bead, branch }: Landing, outcome: LandOutcome, { report }: LandContext["parts"]): void {
  switch (outcome.kind) {
    case "landed":
      report({ kind: "landed", bead, head: outcome.head, branch });
      return;
    case "refused":
      report({
        kind: "refused",
        bead,
        result: outcome.refusal.result,
        detail: refusalDetail(outcome.refusal),
      });
      return;
    case "gone":
    case "held":
    case "stopped":
  }
}
