import { mkdir, stat } from "node:fs/promises";
import { gateEnvironment } from "../../core/land/gate-environment.js";
import { gateNote } from "../../core/replies/land/gate.js";
import type { AgentProcesses, ExitInfo } from "../../ports/agent-processes.js";
import type { GateRequest } from "../../ports/gate.js";
import { awaitEnd } from "./await-end.js";
import { endCommands } from "./end-commands.js";
import { enterCheckout, standingCheckout } from "./gate-checkout.js";
import { gateCommand } from "./gate-command.js";
import type { GateFiles, GateRecord } from "./gate-files.js";

/** A red try is repeated once. */
export const TRIES = [1, 2] as const;

export interface GateParts {
  readonly processes: AgentProcesses;
  /** A clean checkout of `head`, in the place of an earlier one of that name. */
  readonly checkOut: (name: string, head: string) => Promise<string>;
  readonly dropCheckout: (name: string) => Promise<void>;
  /** The folder that holds the objects that checkouts borrow. */
  readonly objects: string;
  /** The engine's own, of which next to nothing is passed on. */
  readonly environment: NodeJS.ProcessEnv;
  readonly now?: () => number;
  /** Between SIGTERM and SIGKILL for a command that is not wanted any more. */
  readonly killAfterMs?: number;
}

/** Enough of a check to find its processes. */
interface Traces {
  readonly parts: Pick<GateParts, "processes">;
  readonly files: GateFiles;
  readonly record: Pick<GateRecord, "marker">;
}

/** Everything about one check: what it works with, what is asked, where it is kept, what is known of it. */
export interface Check {
  readonly parts: GateParts;
  readonly request: GateRequest;
  readonly files: GateFiles;
  readonly record: GateRecord;
}

export type Red = {
  readonly kind: "red";
  readonly index: number;
  readonly code: number | null;
  readonly note: string | null;
};

export type TryEnd =
  | Red
  | { readonly kind: "green" }
  | { readonly kind: "stopped" }
  /** A command, or the folder it was to run in, is gone without a result: killed from outside, lost with the machine. */
  | { readonly kind: "lost"; readonly index: number };

/** One try at all commands, or what is left of it. Nothing it started lives when it has an end. */
export async function runTry(check: Check, number: number): Promise<TryEnd> {
  await mkdir(check.files.tryFolder(number), { recursive: true, mode: 0o700 });
  const end = await runCommands(check, number);
  await sweepTry(check, number, end.kind === "lost");
  return end;
}

async function runCommands(check: Check, number: number): Promise<TryEnd> {
  const { parts, request, files } = check;
  for (const index of request.commands.keys()) {
    const folder = files.commandFolder(number, index);
    const began = Date.now();
    const { kind: found } = await parts.processes.status(folder);
    if (found === "none") {
      const started = await startCommand(check, number, index);
      if (started === "lost") return { kind: "lost", index };
      if (started === "stopped") return stopCommands(check);
    }
    if (found !== "ended") await tellCommand(check, number, index);
    const exit = await awaitEnd(parts.processes, folder, request.abort);
    if (exit === null) return stopCommands(check);
    const code = exit.ended === "by-itself" ? exit.code : null;
    request.told?.({
      try: number,
      command: request.commands[index] ?? "",
      code,
      ms: Math.max(0, Date.now() - began),
    });
    const end = judge(exit, index, request.wallSeconds);
    if (end !== null) return end;
  }
  return { kind: "green" };
}

async function startCommand(
  check: Check,
  number: number,
  index: number,
): Promise<"started" | "stopped" | "lost"> {
  const { parts, request, files, record } = check;
  // The first command wants a clean tree, the others what those before them made.
  if (index === 0 && !request.abort.aborted)
    await enterCheckout(files, number, await parts.checkOut(checkoutName(request), request.head));
  if (request.abort.aborted) return "stopped";
  const checkout = await standingCheckout(files, number);
  if (checkout === null) return "lost";
  await sweepTry(check, number);
  const { environment: parent } = parts;
  const env = gateEnvironment({ parent, home: files.home(number), marker: record.marker });
  await parts.processes.start({
    ...(await gateCommand(request.commands[index] ?? "", checkout.path, env)),
    folder: files.commandFolder(number, index),
    cwd: checkout.path,
    stdin: "/dev/null",
    marker: record.marker,
    wallSeconds: request.wallSeconds,
    livenessFile: request.livenessFile,
    leaseSeconds: request.leaseSeconds,
    room: {
      purpose: index < (request.bootstrap ?? 0) ? "bootstrap" : "gates",
      writable: [checkout.path, files.home(number)],
      ...{ readable: [parts.objects], hosts: [] },
    },
  });
  return "started";
}

async function tellCommand({ parts, request, files }: Check, number: number, index: number): Promise<void> {
  const { commands, onCommand } = request;
  const folder = files.commandFolder(number, index);
  // The folder is made for the process, also where that was before our time.
  const born = (await stat(folder).catch(() => null))?.birthtimeMs;
  const since = born || (parts.now ?? Date.now)();
  const command = { command: commands[index] ?? "", number: index + 1, of: commands.length, since };
  onCommand?.(number > 1 ? { ...command, isSecondTry: true } : command);
}

/** Written down before the first signal: whoever asks again starts over and takes no such end for a result. */
async function stopCommands({ parts, files, record }: Check): Promise<{ readonly kind: "stopped" }> {
  await files.writeRecord({ ...record, stopping: true });
  await endCommands(parts.processes, files, parts.killAfterMs ?? 5_000);
  return { kind: "stopped" };
}

/**
 * Ends what commands left behind. A watcher whose wrapper was killed lives on for a while too: it works in the
 * command's folder, and would take the next process there, or with its marker, for the one it is to end.
 */
export async function sweepTry(
  { parts, files, record }: Traces,
  number: number,
  withWatchers = false,
): Promise<void> {
  await parts.processes.sweep(record.marker, withWatchers ? files.tryFolder(number) : files.home(number));
  const checkout = files.checkout(number);
  if (checkout !== null) await parts.processes.sweep(record.marker, checkout.path);
}

/** Null when the next command may run. */
function judge(exit: ExitInfo, index: number, wallSeconds: number): TryEnd | null {
  switch (exit.ended) {
    case "wall-clock":
      return { kind: "red", index, code: null, note: gateNote.tooSlow(wallSeconds) };
    case "engine-gone":
    case "unknown":
      return { kind: "lost", index };
    case "by-itself":
      return exit.code === 0 ? null : { kind: "red", index, code: exit.code, note: null };
  }
}

export function checkoutName({ bead }: GateRequest): string {
  return `${bead}-gate`;
}
