/** What an agent looks like from outside at one moment. */
export interface Pulse {
  readonly at: number;
  readonly cpuSeconds: number;
  /** When its newest output was written (ms); null before the first. */
  readonly outputAt: number | null;
  /** Anything that changes when the agent's own status file does. */
  readonly status: string | null;
}

export interface Stillness {
  readonly last: Pulse;
  /** Since when nothing has moved (ms). */
  readonly since: number;
  /** Where the current look at the CPU began. */
  readonly cpuFrom: { readonly at: number; readonly cpuSeconds: number };
}

export interface StallLimits {
  readonly stuckSeconds: number;
  /** Whoever waits for a device or a database may do so for longer. */
  readonly holdsResource: boolean;
}

/** A waiting agent's own timers use less than this share of a core; any tool at work uses more. */
const IDLE_CPU_SHARE = 0.02;
/** CPU is counted in hundredths of a second: over a shorter time one of them would look like work. */
const CPU_WINDOW_MS = 10_000;
const RESOURCE_PATIENCE = 4;

/** Takes one look. The first look counts as a movement, so an engine that comes back starts counting anew. */
export function takePulse(before: Stillness | null, pulse: Pulse): Stillness {
  const cpuFrom = { at: pulse.at, cpuSeconds: pulse.cpuSeconds };
  if (before === null || hasMoved(before.last, pulse)) return { last: pulse, since: pulse.at, cpuFrom };
  const elapsedMs = pulse.at - before.cpuFrom.at;
  if (elapsedMs < CPU_WINDOW_MS) return { ...before, last: pulse };
  const gained = pulse.cpuSeconds - before.cpuFrom.cpuSeconds;
  const worked = gained >= (IDLE_CPU_SHARE * elapsedMs) / 1000;
  return { last: pulse, since: worked ? pulse.at : before.since, cpuFrom };
}

/** Silent, idle and without a new status for so long that a person should look. It decides nothing else. */
export function isStalled({ since, last }: Stillness, { stuckSeconds, holdsResource }: StallLimits): boolean {
  const patience = stuckSeconds * (holdsResource ? RESOURCE_PATIENCE : 1);
  return last.at - since >= patience * 1000;
}

function hasMoved(last: Pulse, now: Pulse): boolean {
  if (now.outputAt !== last.outputAt || now.status !== last.status) return true;
  // Less CPU than before means that a process has ended; a clock set back says nothing about how long it was still.
  return now.cpuSeconds < last.cpuSeconds || now.at < last.at;
}
