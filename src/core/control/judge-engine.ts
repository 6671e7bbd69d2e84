import type { LedgerState } from "../run/ledger/ledger-state.js";

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
  const { pid, nonce } = holderParts(lease.holder);
  const began = run !== null && run.ended === null ? run.startedAt : null;
  const seen = { pid, host: machineOf(lease.host), since: began };
  if (lease.host !== here) return { ...seen, state: "elsewhere" };
  if (lock?.nonce === "") return { ...seen, state: "running" };
  if (lock === null || lock.gone || lock.nonce !== nonce) return { ...seen, state: "gone" };
  return { ...seen, pid: lock.pid, since: lock.since, state: "running" };
}

/** What an engine's name in its lease tells, which is `machine#home/pid/nonce`; nulls where it has another form. */
export function holderParts(holder: string): { pid: number | null; nonce: string | null } {
  const found = /\/([1-9]\d{0,9})\/([0-9a-f]{16,64})$/.exec(holder);
  return { pid: found ? Number(found[1]) : null, nonce: found?.[2] ?? null };
}

/** The machine's name alone, of a host as leases name it. */
export function machineOf(host: string): string {
  return host.replace(/#[0-9a-f]*$/, "");
}
