import type { BeadId } from "../core/model/bead.js";
import { compilePrompt } from "../core/prompt/compile-prompt.js";
import type { Slot } from "../core/run/slot.js";
import { slotMarkers } from "../core/runtimes/agent-environment.js";
import type { LaunchSpec } from "../ports/agent-runtime.js";
import type { EngineParts, EngineSettings } from "./engine-parts.js";
import { markerOf } from "./marker.js";
import { placeOf } from "./slot-sights.js";

/** Writes down everything the agent is started with, then starts it. */
export async function launchAgent(slot: Slot, parts: EngineParts, settings: EngineSettings): Promise<void> {
  const { folders, worktrees, processes } = parts;
  const place = placeOf(slot);
  const runtime = parts.runtime(slot.runtime);
  const probe = await runtime.probe();
  const spec: LaunchSpec = {
    role: "worker",
    cwd: worktrees.pathOf(slot.bead),
    agentFolder: folders.agentFolder(place),
    home: folders.home(place),
    model: slot.model,
    session: sessionOf(slot, parts),
    maxBudgetUsd: null,
    costBaselineUsd: slot.sessionCostUsd,
  };
  const prompt = await promptOf(slot, parts, settings);
  const stdin = await folders.writeLaunch(place, prompt, { runtime: slot.runtime, probe, spec });
  const command = runtime.command(spec, probe);
  await processes.start({
    folder: folders.folder(place),
    cwd: spec.cwd,
    argv: command.argv,
    env: { ...command.env, ...slotMarkers(markerOf(slot), slot.bead) },
    stdin,
    marker: markerOf(slot),
    wallSeconds: slot.timeoutSeconds,
    livenessFile: parts.liveness.file,
    leaseSeconds: settings.leaseSeconds,
  });
}

async function promptOf(
  slot: Slot,
  parts: EngineParts,
  { config, agentNotes }: EngineSettings,
): Promise<string> {
  const bead = await parts.source.get(slot.bead).catch((error: unknown) => {
    // The tracker may be readable again in a moment, so this is no reason to give the bead up.
    throw new Error(`the task could not be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const prepared = await parts.folders.readPrepared(placeOf(slot));
  const project = {
    id: config.project_id,
    gate: config.gate,
    protectedPaths: config.protected_paths,
    commitStyle: config.commit_style,
    agentNotes,
  };
  return compilePrompt(project, {
    bead: bead ?? { id: slot.bead as BeadId, title: slot.title, description: "", acceptance: "" },
    attempt: slot.attempt,
    conflict: prepared?.conflict ?? false,
    ...(slot.attempt > 1 ? { resume: slot.lastEnd } : {}),
  });
}

/** A session goes on only together with the work it was about. */
function sessionOf(slot: Slot, parts: EngineParts): LaunchSpec["session"] {
  if (slot.start === "resume" && slot.session !== null) return { mode: "resume", id: slot.session };
  return { mode: "new", id: parts.newSession() };
}
