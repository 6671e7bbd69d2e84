import { VERDICT_SCHEMA } from "../../core/review/verdict.js";
import { slotMarkers } from "../../core/runtimes/agent-environment.js";
import type { Outcome } from "../../core/runtimes/agent-outcome.js";
import { agentRoom } from "../../core/runtimes/agent-room.js";
import type { LaunchSpec } from "../../core/runtimes/launch-spec.js";
import type { AgentProcesses } from "../../ports/agent-processes.js";
import type { AgentRuntime } from "../../ports/agent-runtime.js";
import type { SlotFolders, SlotPlace } from "../../ports/slot-folders.js";

export interface ReviewerParts {
  readonly processes: AgentProcesses;
  readonly folders: SlotFolders;
  readonly runtime: AgentRuntime;
  /** The folder that holds the objects of what is reviewed. */
  readonly objects: string;
  /** Touched while we live; its agent ends itself when it grows old. */
  readonly livenessFile: string;
  readonly leaseSeconds: number;
  readonly newSession: () => string;
  readonly pause: (ms: number) => Promise<void>;
}

export interface ReviewerTask {
  /** A folder that no reviewer had before. */
  readonly place: SlotPlace;
  readonly cwd: string;
  readonly prompt: string;
  readonly model: string;
  readonly effort?: LaunchSpec["effort"];
  readonly wallSeconds: number;
}

/** What a reviewer gets to end by itself after each signal. */
const STOP_MS = 5_000;

/** Runs a reviewer, read-only, to its end; null when it was interrupted. */
export async function runReviewer(
  parts: ReviewerParts,
  task: ReviewerTask,
  abort: AbortSignal,
): Promise<Outcome | null> {
  const { processes, folders, runtime } = parts;
  const { place, cwd } = task;
  const probe = await runtime.probe();
  const spec: LaunchSpec = {
    ...{ role: "reviewer", cwd, outputSchema: VERDICT_SCHEMA, model: task.model, costBaselineUsd: 0 },
    agentFolder: folders.agentFolder(place),
    home: folders.home(place, "reviewer"),
    session: { mode: "new", id: parts.newSession() },
    ...(task.effort === undefined ? {} : { effort: task.effort }),
  };
  const command = runtime.command(spec, probe);
  const record = { runtime: runtime.name, probe, spec };
  const stdin = await folders.writeLaunch(place, task.prompt, record, command.files);
  const folder = folders.folder(place);
  const marker = `${place.run}/${place.bead}/${place.attempt}`;
  await runtime.account?.();
  if (abort.aborted) return null;
  try {
    await processes.start({
      ...{ folder, cwd, stdin, marker, argv: command.argv, wallSeconds: task.wallSeconds },
      env: { ...command.env, ...slotMarkers(marker, place.bead) },
      ...{ livenessFile: parts.livenessFile, leaseSeconds: parts.leaseSeconds },
      room: agentRoom(spec, command, parts.objects),
    });
    await ended(parts, folder, abort);
    return abort.aborted ? null : await outcomeOf(parts, place, spec);
  } finally {
    await processes.sweep(marker, cwd);
  }
}

async function ended(parts: ReviewerParts, folder: string, abort: AbortSignal): Promise<void> {
  const { processes, runtime, pause } = parts;
  let stopWatching = () => {};
  const end = new Promise<"ended">((resolve) => {
    stopWatching = processes.watch(folder, () => resolve("ended"));
  });
  // The signal outlives the reviewer by weeks, and must not gather who listened to it.
  const over = new AbortController();
  const interrupted = new Promise<"interrupted">((resolve) => {
    abort.addEventListener("abort", () => resolve("interrupted"), { once: true, signal: over.signal });
    if (abort.aborted) resolve("interrupted");
  });
  try {
    if ((await Promise.race([end, interrupted])) === "ended") return;
    for (const signal of runtime.stopSignals) {
      await processes.signal(folder, signal);
      if ((await Promise.race([end, pause(STOP_MS)])) === "ended") return;
    }
  } finally {
    stopWatching();
    over.abort();
  }
}

async function outcomeOf(
  { processes, folders, runtime }: ReviewerParts,
  place: SlotPlace,
  spec: LaunchSpec,
): Promise<Outcome> {
  const parser = runtime.parser(spec, await runtime.probe());
  for (let from = 0; ; ) {
    const { lines, next } = await folders.readOutput(place, from, true);
    for (const line of lines) parser.push(line);
    if (next === from) break;
    from = next;
  }
  const status = await processes.status(folders.folder(place));
  const exit = status.kind === "ended" ? status.exit : ({ code: null, ended: "unknown" } as const);
  return parser.end({ ...exit, stopping: false, stderr: await folders.readErrors(place) });
}
