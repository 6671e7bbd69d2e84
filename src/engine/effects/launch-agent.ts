import { NO_TOKENS } from "../../core/model/token-counts.js";
import { VERDICT_SCHEMA } from "../../core/review/verdict.js";
import { placeOf } from "../../core/run/ledger/place-of.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import { slotMarkers } from "../../core/runtimes/agent-environment.js";
import { agentRoom } from "../../core/runtimes/agent-room.js";
import type { LaunchSpec } from "../../core/runtimes/launch-spec.js";
import { UserError } from "../../lib/user-error.js";
import { AccountRefused, type AgentRuntime } from "../../ports/agent-runtime.js";
import type { EngineParts } from "../engine-parts.js";
import { markerOf } from "../marker.js";
import { composePrompt } from "./compose-prompt.js";
import { endOtherAttempts } from "./end-other-attempts.js";
import { reviewCheckout } from "./judge-review.js";
import type { EffectContext } from "./perform-effect.js";

/**
 * Writes down everything the agent is started with, then starts it; false when the machine has no place for it any more,
 * the lease ran out meanwhile, or the account is another by now.
 */
export async function launchAgent(
  slot: Slot,
  { parts, settings, places, mayStart }: Pick<EffectContext, "parts" | "settings" | "places" | "mayStart">,
): Promise<boolean> {
  const { folders, processes } = parts;
  if (!(await places.takeAgain(slot))) return false;
  const place = placeOf(slot);
  const { runtime, probe } = await usable(slot, parts);
  const stage = slot.asides.find(({ task }) => task === slot.task);
  const work = await roleOf(slot, parts);
  const spec: LaunchSpec = {
    ...work,
    agentFolder: folders.agentFolder(place),
    home: slot.account?.billing === undefined ? folders.home(place, work.role) : folders.keyHome(place),
    model: stage?.model ?? slot.model,
    session: sessionOf(slot, parts),
    costBaselineUsd: slot.task === "implement" ? slot.sessionCostUsd : 0,
    tokenBaseline: slot.task === "implement" ? slot.sessionTokens : NO_TOKENS,
    ...effortOf(slot, settings),
    ...(parts.guard ? { guard: { ...parts.guard, folder: folders.folder(place) } } : {}),
  };
  const prompt = await composePrompt(slot, parts, settings);
  const command = asUnusable(() => runtime.command(spec, probe));
  const [stdin] = await Promise.all([
    folders.writeLaunch(place, prompt, { runtime: slot.runtime, probe, spec }, command.files),
    // What bootstrap left at work inside the clone stays: it is there for this attempt.
    endOtherAttempts(slot.bead, { besides: markerOf(slot), inside: false }, parts),
  ]);
  if (!(await isOnItsAccount(runtime)) || !mayStart()) return false;
  await processes.start({
    folder: folders.folder(place),
    cwd: spec.cwd,
    argv: command.argv,
    env: { ...command.env, ...slotMarkers(markerOf(slot), slot.bead) },
    stdin,
    marker: markerOf(slot),
    wallSeconds: stage?.timeoutSeconds ?? slot.timeoutSeconds,
    livenessFile: parts.liveness.file,
    leaseSeconds: settings.leaseSeconds,
    room: agentRoom(spec, command, parts.repo.objects),
  });
  return true;
}

/** Looked at once more: preparing a clone takes minutes. The next tick looks, too, and says what is wrong. */
async function isOnItsAccount(runtime: AgentRuntime): Promise<boolean> {
  try {
    await runtime.account?.();
    return true;
  } catch (error) {
    if (error instanceof AccountRefused) return false;
    throw error;
  }
}

/** The runtime's program is missing or cannot be used: no bead's agent can be started on it. */
export class RuntimeUnusable extends UserError {}

/** A name that no runtime has is the bead's own fault: what it was dispatched on is gone, or was never there. */
async function usable({ runtime: name, account }: Slot, parts: EngineParts) {
  const runtime = parts.runtime(name, account);
  try {
    return { runtime, probe: await runtime.probe() };
  } catch (error) {
    throw unusable(error);
  }
}

function asUnusable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unusable(error);
  }
}

function unusable(error: unknown): unknown {
  return error instanceof UserError ? new RuntimeUnusable(error.message, error.hint) : error;
}

/** A reviewer reads a checkout of its own: what agents left lying about in their clone is no part of the change. */
async function roleOf(
  slot: Slot,
  { repo, worktrees }: EngineParts,
): Promise<{ role: LaunchSpec["role"]; cwd: string; outputSchema?: object }> {
  if (slot.task !== "review") return { role: "worker", cwd: worktrees.pathOf(slot.bead) };
  const cwd = await repo.checkOut(reviewCheckout(slot.bead), slot.candidate?.head ?? "");
  return { role: "reviewer", cwd, outputSchema: VERDICT_SCHEMA };
}

/** What the persona hints at. The model is the one that was resolved, whoever the agent is to be. */
function effortOf({ task }: Slot, { personas }: EffectContext["settings"]): Pick<LaunchSpec, "effort"> {
  const effort = personas?.get(task)?.effort ?? null;
  return effort === null ? {} : { effort };
}

/** A session goes on only together with the work it was about. */
function sessionOf(slot: Slot, parts: EngineParts): LaunchSpec["session"] {
  if (slot.task === "implement" && slot.start === "resume" && slot.session !== null)
    return { mode: "resume", id: slot.session };
  return { mode: "new", id: parts.newSession() };
}
