import type { ProjectConfig } from "../core/config/project-schema.js";
import type { LandOutcome } from "../core/land/land-outcome.js";
import type { LandProgress } from "../core/land/land-progress.js";
import { endOf } from "../core/land/landing-queue.js";
import { ruleOf } from "../core/land/refusal.js";
import { refusalDetail } from "../core/replies/land/refusal-words.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { Slot } from "../core/run/ledger/slot.js";
import type { Gate } from "../ports/gate.js";
import type { LandTurn } from "../ports/land-turn.js";
import type { Ledger } from "../ports/ledger.js";
import type { Repo } from "../ports/repo.js";
import type { SlotFolders } from "../ports/slot-folders.js";
import { keepReport } from "./keep-report.js";
import { type LandSettings, land } from "./land.js";
import { landRules } from "./land-rules.js";
import type { LandingNews } from "./landing-news.js";
import { type LandingRequest, withdrawLanding } from "./request-landing.js";

export interface LandContext {
  readonly parts: {
    readonly ledger: Ledger;
    readonly repo: Repo;
    readonly gate: Gate;
    readonly folders: Pick<SlotFolders, "openGate" | "writeReport">;
    readonly report: (news: LandingNews) => void;
    readonly landTurn: () => Promise<LandTurn>;
    readonly liveness: { readonly file: string };
  };
  readonly settings: {
    readonly config: Pick<
      ProjectConfig,
      "commit_style" | "protected_paths" | "signing" | "bootstrap" | "gate" | "gate_timeout_seconds"
    >;
    readonly leaseSeconds: number;
  };
  readonly abort: AbortSignal;
  /** The request that this very process made for a person; what others wrote into the ledger lifts no protection. */
  readonly asked?: string;
}

/**
 * Brings what a person asked for to its end, waiting for other landings of this machine. Where it is interrupted or
 * held meanwhile, the person's request is taken back; an engine that asked for it goes on with it.
 */
export async function landRequested(
  { landing, slot }: Extract<LandingRequest, { kind: "requested" }>,
  context: LandContext,
  pause: () => Promise<void>,
): Promise<LandOutcome> {
  for (;;) {
    const outcome = await landNext(slot, landing.id, context);
    const isLeft = outcome === null ? context.abort.aborted : isUnfinished(outcome);
    if (isLeft) {
      if (landing.by === "operator") await withdrawLanding(context.parts.ledger, landing);
      return outcome ?? { kind: "stopped" };
    }
    if (outcome !== null) return outcome;
    await pause();
  }
}

function isUnfinished({ kind }: LandOutcome): boolean {
  return kind === "stopped" || kind === "held";
}

/** Lands what is first in the queue. Null when another process of this machine is landing just now. */
export async function landNext(
  slot: Slot,
  request: string,
  context: LandContext,
): Promise<LandOutcome | null> {
  const { parts, asked } = context;
  const turn = await parts.landTurn();
  if (turn.kind === "theirs") {
    parts.report({ kind: "waiting", bead: slot.bead, behind: turn.by });
    return null;
  }
  const progress = stepTeller(turn, asked === undefined ? "run" : "land", parts);
  try {
    progress(slot, { kind: "begun" });
    // Whoever had the lock before may have landed it.
    const { state } = await parts.ledger.refresh();
    const landing = state.landings.find(({ id }) => id === request);
    if (landing === undefined) return endOf(state, slot.bead);
    const outcome = await land(
      {
        ledger: parts.ledger,
        repo: parts.repo,
        gate: parts.gate,
        keepReport: (_, refusal) => keepReport(slot, refusal, parts.folders),
        progress,
      },
      landSettings(slot, context),
      { ...landing, allowProtected: landing.allowProtected && asked === landing.id },
    );
    tell(landing, outcome, parts);
    return outcome;
  } finally {
    await turn.release();
  }
}

/** Tells a step to whoever watches this process, and to whoever waits for its turn. */
export function stepTeller(
  turn: Extract<LandTurn, { kind: "ours" }>,
  by: "run" | "land",
  { report }: Pick<LandContext["parts"], "report">,
): (whose: { readonly bead: string }, step: LandProgress) => void {
  return ({ bead }, step) => {
    turn.tell({ by, bead, ...(step.kind === "command" && { running: step }) });
    report({ kind: "landing", bead, step });
  };
}

function landSettings(slot: Slot, { parts, settings, abort, asked }: LandContext): LandSettings {
  const { config, leaseSeconds } = settings;
  return {
    rules: landRules(config),
    title: slot.title,
    accepted: slot.candidate,
    gate: {
      commands: [...config.bootstrap, ...config.gate],
      folder: ({ bead, id }) => parts.folders.openGate(bead, id),
      wallSeconds: config.gate_timeout_seconds,
      livenessFile: parts.liveness.file,
      leaseSeconds,
    },
    waitsForCheckout: asked === undefined,
    abort,
  };
}

function tell({ bead, branch }: Landing, outcome: LandOutcome, { report }: LandContext["parts"]): void {
  switch (outcome.kind) {
    case "landed":
      report({ kind: "landed", bead, head: outcome.head, branch });
      return;
    case "refused": {
      const { refusal } = outcome;
      const { result } = ruleOf(refusal);
      report({ kind: "refused", bead, result, detail: refusalDetail(refusal) });
      return;
    }
    case "gone":
    case "held":
    case "stopped":
  }
}
