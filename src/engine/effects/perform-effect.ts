import { claimant } from "../../core/model/claim.js";
import { landWords } from "../../core/replies/land/land.js";
import { effectTrouble } from "../../core/replies/run/effect-trouble.js";
import { placeOf } from "../../core/run/ledger/place-of.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import type { Blame } from "../../core/run/tick/effect-failure.js";
import { nextStop } from "../../core/run/tick/stop-ladder.js";
import type { SlotEffect } from "../../core/run/tick/tick-facts.js";
import { acceptWork } from "../../landing/accept-work.js";
import { checkWork } from "../../landing/check-work.js";
import { landNext } from "../../landing/land-next.js";
import { refuseBroken } from "../../landing/refuse-broken.js";
import { settleLanding } from "../../landing/settle-landing.js";
import { cutText } from "../../lib/cut-text.js";
import { UserError } from "../../lib/user-error.js";
import { pullOpener } from "../../pulls/open-pull.js";
import type { BaseCheck } from "../base/base-check.js";
import type { BaseFetch } from "../base/base-fetch.js";
import type { EngineParts, EngineSettings } from "../engine-parts.js";
import type { Troubles } from "../faults/troubles.js";
import { whoseFault } from "../faults/whose-fault.js";
import type { AgentPlaces } from "../govern/agent-places.js";
import { markerOf } from "../marker.js";
import type { SlotObservations } from "../slot-observations.js";
import { tellSource } from "../tell-source.js";
import { endOtherAttempts } from "./end-other-attempts.js";
import { judgeReview } from "./judge-review.js";
import { launchAgent, RuntimeUnusable } from "./launch-agent.js";

export type WorldEffect = Exclude<SlotEffect, { kind: "append" }>;

export interface EffectContext {
  readonly parts: EngineParts;
  readonly settings: EngineSettings;
  readonly observations: SlotObservations;
  readonly base: BaseFetch;
  readonly baseCheck: BaseCheck;
  readonly troubles: Troubles;
  readonly places: Pick<AgentPlaces, "takeAgain">;
  /** Whether the lease is still ours beyond doubt. */
  readonly mayStart: () => boolean;
  /** Ends a landing that is under way. */
  readonly abort: AbortSignal;
  /** Ends the preparation of this slot's clone. */
  readonly halt: AbortSignal;
}

/**
 * `seen` shows at the next look. `nothing` changed, so that looking again at once would only repeat it. A `failed` one
 * left no trace either, and somebody has to remember it.
 */
export type EffectResult =
  | { readonly kind: "seen" | "nothing" }
  | { readonly kind: "failed"; readonly why: string; readonly fault: Blame };

/** Errors may repeat the names of files, which agents choose. */
const LONGEST_REASON = 500;

/** Does one thing to the world for one slot. */
export async function performEffect(
  effect: WorldEffect,
  slot: Slot,
  context: EffectContext,
): Promise<EffectResult> {
  const { parts, troubles, observations } = context;
  const about = `${effect.kind} of ${slot.bead}`;
  try {
    const changed = await doEffect(effect, slot, context);
    if (changed) troubles.over(about);
    return { kind: changed ? "seen" : "nothing" };
  } catch (error) {
    const why = cutText(error instanceof Error ? error.message : String(error), LONGEST_REASON);
    const fault = await whoseFault(error, effect.kind, parts);
    // What keeps one bead waiting keeps the others, too: it is told of the first one.
    if (fault === "outside") troubles.say(effect.kind, effectTrouble.outside(about, why), fault);
    else troubles.say(about, effectTrouble.own(about, why), fault);
    if (fault === "outside") return { kind: "failed", why, fault };
    if (effect.kind === "land") {
      const { bead, request: id } = effect;
      const refused = await refuseBroken(parts, { id, bead }, why, observations.known(slot));
      return { kind: refused ? "seen" : "nothing" };
    }
    if (effect.kind !== "prepare" && effect.kind !== "launch") return { kind: "failed", why, fault };
    // What the operator has to put right fails again; anything else may have been bad luck.
    const operators = error instanceof RuntimeUnusable ? "start-failed" : "not-started";
    const kind = error instanceof UserError ? operators : "failed";
    const detail = kind === "start-failed" ? why : `${about}: ${why}`;
    observations.known(slot).failed = { ...UNSTARTED, kind, detail, session: slot.session };
    return { kind: "seen" };
  }
}

const NOTHING_PREPARED = { conflict: false, commits: 0, leftover: "none" } as const;
const UNSTARTED = { costUsd: 0, costKnown: true, retryAt: null } as const;

async function doEffect(effect: WorldEffect, slot: Slot, context: EffectContext): Promise<boolean> {
  const { parts, observations, settings } = context;
  const known = observations.known(slot);
  switch (effect.kind) {
    case "claim-bead": {
      const answer = await parts.source.claim(slot.bead, claimant(settings.config.project_id));
      known.claim = answer === "claimed" ? "ours" : answer;
      return true;
    }
    case "prepare":
      await prepare(slot, context);
      return true;
    case "launch":
      return launchAgent(slot, context);
    case "stop-agent":
      await stopAgent(slot, effect.force, context);
      return true;
    case "collect":
      // Whoever gets the free place starts from the default branch as it is now.
      context.base.ahead();
      known.left = await collect(slot, context);
      return true;
    case "judge":
      known.judged = await judgeReview(slot, known.outcome, parts);
      return true;
    case "accept":
      known.accepted = await acceptWork(slot, parts.repo, settings.config);
      return true;
    case "check":
      known.checked = await checkWork(slot, context);
      if (known.checked?.kind === "refused" && known.checked.refusal.code === "base_red")
        context.baseCheck.doubt();
      return known.checked !== null;
    case "land": {
      const withOpener = { ...context, parts: { ...parts, opener: pullOpener(parts) } };
      const outcome = await landNext(slot, effect.request, withOpener);
      if (outcome?.kind === "landed") context.baseCheck.moved();
      // A tracker that does not answer now is told when the run is taken up again; the pull request is open.
      if (outcome?.kind === "opened")
        await tellOpened(slot.bead, parts).catch((error: Error) =>
          parts.report({ kind: "trouble", what: error.message }),
        );
      if (outcome?.kind === "refused" && outcome.refusal.kind === "base_red") context.baseCheck.doubt();
      return outcome !== null;
    }
    case "settle":
      await settle(slot, parts);
      return true;
  }
}

async function tellOpened(bead: string, { ledger, source, now }: EngineParts): Promise<void> {
  const { state } = await ledger.refresh();
  const slot = state.slots[bead];
  if (slot !== undefined) await tellSource(source, slot, { state, now: now() });
}

async function settle({ bead, landed, candidate }: Slot, parts: EngineParts): Promise<void> {
  const head = landed ?? "";
  if (!(await settleLanding(parts, bead, { head, from: candidate?.from ?? null })))
    parts.report({ kind: "trouble", what: landWords.notThere(bead, head) });
}

async function prepare(
  slot: Slot,
  { parts, settings, observations, base, halt }: EffectContext,
): Promise<void> {
  const place = placeOf(slot);
  // A reviewer gets a checkout of its own when it is launched.
  if (slot.task === "review") return parts.folders.markPrepared(place, NOTHING_PREPARED);
  // Looking through the process table costs nothing while git asks the remote.
  await Promise.all([
    base.fetch(),
    endOtherAttempts(slot.bead, { besides: markerOf(slot), inside: true }, parts),
  ]);
  const prepared = await parts.worktrees.prepare({
    bead: slot.bead,
    start: slot.start,
    began: slot.began,
    bootstrap: settings.config.bootstrap,
    folder: parts.folders.folder(place),
    abort: halt,
  });
  // Stopped on request, which is no failure: the next look finds it as unfinished as it is.
  if (halt.aborted) return;
  if (prepared.kind === "ready") {
    const { conflict, leftover, facts } = prepared;
    return parts.folders.markPrepared(place, { conflict, leftover, commits: facts.commits });
  }
  const detail = prepared.reason;
  observations.known(slot).failed = { ...UNSTARTED, kind: "failed", detail, session: slot.session };
}

async function stopAgent(slot: Slot, force: boolean, context: EffectContext): Promise<void> {
  const { parts, observations, settings, abort } = context;
  const known = observations.known(slot);
  const now = parts.now();
  known.stoppingSince ??= now;
  const { stopSignals } = parts.runtime(slot.runtime);
  const graceMs = abort.aborted ? settings.interruptGraceMs : undefined;
  const facts = { stopSignals, force, recordedAt: known.stoppingSince, sent: known.signals, graceMs, now };
  const step = nextStop(facts);
  if (step.kind === "wait") return;
  known.signals.push({ signal: step.signal, at: now });
  await parts.processes.signal(parts.folders.folder(placeOf(slot)), step.signal);
}

/** Swept first, so that nothing an agent left running can change what is read. */
async function collect(slot: Slot, { parts, troubles, abort }: EffectContext) {
  const { worktrees, processes, folders } = parts;
  const place = placeOf(slot);
  await processes.sweep(markerOf(slot), worktrees.pathOf(slot.bead));
  const { findings: _, ...left } = await worktrees.collect(slot.bead);
  // An interrupted run saves everything in one push.
  if (left.commits > 0 && !abort.aborted) await save(slot.bead, worktrees, troubles);
  return { ...left, said: await folders.readStatus(place) };
}

/** For other machines. The commits are safe on this one, so a remote that does not take them holds nobody up. */
async function save(bead: string, worktrees: EngineParts["worktrees"], troubles: Troubles): Promise<void> {
  try {
    await worktrees.checkpoint(bead);
    troubles.over("checkpoint");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    troubles.say("checkpoint", error.message, "");
  }
}
