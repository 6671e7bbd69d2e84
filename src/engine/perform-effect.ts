import type { Slot } from "../core/run/slot.js";
import { nextStop } from "../core/run/stop-ladder.js";
import type { SlotEffect } from "../core/run/tick-facts.js";
import { UserError } from "../lib/user-error.js";
import type { BaseFetch } from "./base-fetch.js";
import type { EngineParts, EngineSettings } from "./engine-parts.js";
import { launchAgent } from "./launch-agent.js";
import { markerOf } from "./marker.js";
import { claimant } from "./reconcile-orphans.js";
import { placeOf, type SlotSights } from "./slot-sights.js";

export type WorldEffect = Exclude<SlotEffect, { kind: "append" }>;

export interface EffectContext {
  readonly parts: EngineParts;
  readonly settings: EngineSettings;
  readonly sights: SlotSights;
  readonly base: BaseFetch;
}

/** Does one thing to the world for one slot. What came of it shows at the next look, a failure too. */
export async function performEffect(effect: WorldEffect, slot: Slot, context: EffectContext): Promise<void> {
  try {
    await doEffect(effect, slot, context);
  } catch (error) {
    const what = `${effect.kind} of ${slot.bead}: ${error instanceof Error ? error.message : String(error)}`;
    context.parts.report({ kind: "trouble", what });
    if (effect.kind !== "prepare" && effect.kind !== "launch") return;
    // What the operator has to put right fails again; anything else may have been bad luck.
    const kind = error instanceof UserError ? "start-failed" : "failed";
    context.sights.known(slot).failed = { ...UNSTARTED, kind, detail: what, session: slot.session };
  }
}

const UNSTARTED = { costUsd: 0, costKnown: true, retryAt: null } as const;

async function doEffect(effect: WorldEffect, slot: Slot, context: EffectContext): Promise<void> {
  const { parts, sights, settings } = context;
  const known = sights.known(slot);
  switch (effect.kind) {
    case "claim-bead": {
      const answer = await parts.source.claim(slot.bead, claimant(settings.config.project_id));
      known.claim = answer === "claimed" ? "ours" : answer;
      return;
    }
    case "prepare":
      return prepare(slot, context);
    case "launch":
      return launchAgent(slot, parts, settings);
    case "stop-agent":
      return stopAgent(slot, effect.force, context);
    case "collect":
      // Whoever gets the free place starts from the default branch as it is now.
      context.base.ahead();
      known.left = await collect(slot, parts);
  }
}

async function prepare(slot: Slot, { parts, settings, sights, base }: EffectContext): Promise<void> {
  const place = placeOf(slot);
  await base.fetch();
  const prepared = await parts.worktrees.prepare({
    bead: slot.bead,
    start: slot.start,
    bootstrap: settings.config.bootstrap,
    folder: parts.folders.folder(place),
  });
  if (prepared.kind === "ready") return parts.folders.markPrepared(place, prepared.conflict);
  const detail = prepared.reason;
  sights.known(slot).failed = { ...UNSTARTED, kind: "failed", detail, session: slot.session };
}

async function stopAgent(slot: Slot, force: boolean, { parts, sights }: EffectContext): Promise<void> {
  const known = sights.known(slot);
  const now = parts.now();
  known.stoppingSince ??= now;
  const { stopSignals } = parts.runtime(slot.runtime);
  const step = nextStop({ stopSignals, force, recordedAt: known.stoppingSince, sent: known.signals, now });
  if (step.kind === "wait") return;
  known.signals.push({ signal: step.signal, at: now });
  await parts.processes.signal(parts.folders.folder(placeOf(slot)), step.signal);
}

/** Swept first, so that nothing an agent left running can change what is read. */
async function collect(slot: Slot, parts: EngineParts) {
  const { worktrees, processes, folders } = parts;
  const place = placeOf(slot);
  await processes.sweep(markerOf(slot), worktrees.pathOf(slot.bead));
  const { head, commits, dirty } = await worktrees.collect(slot.bead);
  if (commits > 0) await worktrees.checkpoint(slot.bead);
  return { head, commits, dirty, said: await folders.readStatus(place) };
}
