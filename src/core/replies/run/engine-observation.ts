import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { LedgerState } from "../../run/ledger/ledger-state.js";

/** Who has this home's lock, and whether that process is certainly gone. */
export interface LockObservation {
  readonly pid: number;
  /** Empty when the lock cannot be read: then nobody can be proved gone. */
  readonly nonce: string;
  readonly since: string;
  readonly gone: boolean;
}

/** The engine that has the project's lease, as far as this machine can tell. */
export interface EngineObservation {
  /** Null when the lease does not tell. */
  readonly pid: number | null;
  /** The machine's name alone. */
  readonly host: string;
  readonly since: string | null;
  /** Elsewhere: another machine or another home, of which nothing more can be seen from here. */
  readonly state: "running" | "gone" | "elsewhere";
}

/**
 * Null when nobody has the lease. `here` is this machine and home, as leases name them. An engine takes its
 * home's lock before the lease and gives it back after, so a lease of this home whose lock is free, or is
 * somebody else's by now, has outlived its engine.
 */
export function judgeEngine(
  { lease, run }: Pick<LedgerState, "lease" | "run">,
  lock: LockObservation | null,
  here: string,
): EngineObservation | null {
  if (lease === null) return null;
  const { pid, nonce } = partsOf(lease.holder);
  const began = run !== null && run.ended === null ? run.startedAt : null;
  const seen = { pid, host: machineOf(lease.host), since: began };
  if (lease.host !== here) return { ...seen, state: "elsewhere" };
  if (lock?.nonce === "") return { ...seen, state: "running" };
  if (lock === null || lock.gone || lock.nonce !== nonce) return { ...seen, state: "gone" };
  return { ...seen, pid: lock.pid, since: lock.since, state: "running" };
}

/** An engine's name in its lease as people read it. What others wrote there may have any form. */
export function holderText(holder: string, host = holder.replace(/\/.*$/s, "")): string {
  const { pid } = partsOf(holder);
  return pid === null ? plainText(machineOf(host)) : `pid ${pid} on ${plainText(machineOf(host))}`;
}

export function engineLine({ pid, host, since, state }: EngineObservation): string {
  if (state === "gone") return `${goneText(pid)}; \`koryph run --resume\` goes on`;
  const who = `${pid === null ? "" : `pid ${pid} `}on ${plainText(host)}`;
  const began = since === null ? "" : ` since ${plainText(since)}`;
  return `engine: ${who}${began}${state === "elsewhere" ? ", another machine or home" : ""}`;
}

/** A project's own line for whoever asks something of an engine that is gone. */
export function unheardLine(project: string, { pid }: EngineObservation, cleared: boolean): string {
  return cleared
    ? `${project}: ${goneText(pid)}, so nobody acts on this; the next run clears it, and \`koryph run --resume\` goes on`
    : `${project}: ${goneText(pid)}, so nobody acts on this until \`koryph run --resume\``;
}

export const engineAdvice = {
  leaseLeft: (pid: number | null): Advice => ({
    message: `${goneText(pid)}, but the lease is still in its name`,
    hint: "`koryph run --resume` goes on with its run and gives the lease back",
  }),
};

export function goneText(pid: number | null): string {
  return pid === null ? "the engine is gone" : `engine (pid ${pid}) is gone`;
}

/** `machine#home/pid/nonce`. */
function partsOf(holder: string): { pid: number | null; nonce: string | null } {
  const found = /\/([1-9]\d{0,9})\/([0-9a-f]{16,64})$/.exec(holder);
  return { pid: found ? Number(found[1]) : null, nonce: found?.[2] ?? null };
}

function machineOf(host: string): string {
  return host.replace(/#[0-9a-f]*$/, "");
}
