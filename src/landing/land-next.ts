import type { ProjectConfig } from "../core/config/project-schema.js";
import type { LandOutcome } from "../core/land/land-outcome.js";
import type { LandProgress, RunningCommand } from "../core/land/land-progress.js";
import { endOf } from "../core/land/landing-queue.js";
import { ruleOf } from "../core/land/refusal.js";
import { refusalDetail } from "../core/replies/land/refusal-words.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import type { Slot } from "../core/run/ledger/slot.js";
import type { RunOptions } from "../core/run/tick/tick-facts.js";
import type { Gate } from "../ports/gate.js";
import type { LandTurn } from "../ports/land-turn.js";
import type { Ledger } from "../ports/ledger.js";
import type { Receipts } from "../ports/receipts.js";
import type { Repo } from "../ports/repo.js";
import type { SlotFolders } from "../ports/slot-folders.js";
import { askBase, type GateSettings } from "./ask-base.js";
import type { AskBase } from "./judge-red.js";
import { keepReport } from "./keep-report.js";
import { type LandSettings, land } from "./land.js";
import { landRules, type RuledConfig } from "./land-rules.js";
import type { LandingNews } from "./landing-news.js";
import type { PullOpener } from "./pull-opener.js";
import { type LandingRequest, withdrawLanding } from "./request-landing.js";

export interface LandContext {
  readonly parts: {
    readonly ledger: Ledger;
    readonly repo: Repo;
    readonly gate: Gate;
    readonly receipts: Receipts;
    /** Absent where nothing but landings is asked for. */
    readonly opener?: PullOpener | undefined;
    readonly folders: Pick<SlotFolders, "openGate" | "dropGates" | "writeReport">;
    readonly report: (news: LandingNews) => void;
    readonly landTurn: () => Promise<LandTurn>;
    readonly liveness: { readonly file: string };
  };
  readonly settings: {
    readonly config: RuledConfig & Pick<ProjectConfig, "bootstrap" | "gate" | "gate_timeout_seconds">;
    readonly leaseSeconds: number;
    readonly options?: Pick<RunOptions, "allowRedBase"> | undefined;
  };
  readonly abort: AbortSignal;
  /** The request that this very process made for a person; what others wrote into the ledger lifts no protection. */
  readonly asked?: string;
  /** The same person's word that what looks like a secret is none. */
  readonly allowSecrets?: boolean;
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
        receipts: parts.receipts,
        opener: parts.opener,
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

function landSettings(
  slot: Slot,
  { parts, settings, abort, asked, allowSecrets }: LandContext,
): LandSettings {
  const { config } = settings;
  return {
    rules: { ...landRules(config), allowSecrets: asked !== undefined && allowSecrets === true },
    slot,
    accepted: slot.candidate,
    gate: {
      ...gateSettings({ parts, settings }),
      folder: ({ bead, id }) => parts.folders.openGate(bead, id),
    },
    waitsForCheckout: asked === undefined,
    askBase: baseAsker({ parts, settings, abort }),
    abort,
  };
}

/** How whoever holds the lock of landings learns whether the default branch is red; undefined where it may be. */
export function baseAsker({ parts, settings, abort }: BaseContext): AskBase | undefined {
  if (settings.options?.allowRedBase) return undefined;
  const gate = gateSettings({ parts, settings });
  // Anew: what was green before may be red by now for a reason that is nobody's work, and an attempt costs more than a gate.
  return (head, tell) => {
    const onCommand = (running: RunningCommand) => tell({ kind: "command", ...running });
    return askBase(parts, gate, { head, accept: "none", abort, onCommand });
  };
}

interface BaseContext extends GateContext {
  readonly parts: Pick<LandContext["parts"], "gate" | "liveness"> & {
    readonly folders: Pick<SlotFolders, "openGate" | "dropGates">;
  };
  readonly settings: GateContext["settings"] & Pick<LandContext["settings"], "options">;
  readonly abort: AbortSignal;
}

interface GateContext {
  readonly parts: Pick<LandContext["parts"], "liveness">;
  readonly settings: {
    readonly config: Pick<ProjectConfig, "bootstrap" | "gate" | "gate_timeout_seconds">;
    readonly leaseSeconds: number;
  };
}

export function gateSettings({ parts, settings }: GateContext): GateSettings {
  const { config, leaseSeconds } = settings;
  return {
    commands: [...config.bootstrap, ...config.gate],
    bootstrap: config.bootstrap.length,
    wallSeconds: config.gate_timeout_seconds,
    livenessFile: parts.liveness.file,
    leaseSeconds,
  };
}

function tell({ bead, branch }: Landing, outcome: LandOutcome, { report }: LandContext["parts"]): void {
  switch (outcome.kind) {
    case "landed":
      report({ kind: "landed", bead, head: outcome.head, branch, receipt: outcome.receipt });
      return;
    case "opened":
      report({ kind: "pull-opened", bead, pull: outcome.pull, url: outcome.url });
      return;
    case "refused": {
      const { refusal } = outcome;
      const { result } = ruleOf(refusal);
      const places = refusal.kind === "gate-failed" ? refusal.places : undefined;
      report({ kind: "refused", bead, result, detail: refusalDetail(refusal), places });
      return;
    }
    case "gone":
    case "held":
    case "stopped":
  }
}
