import type { AgentLease } from "./agent-lease.js";

const MEMORY = {
  agentMb: 1536,
  rampMs: 600_000,
  floorPartOfTotal: 8,
  leastFloorMb: 1024,
  mostFloorMb: 8192,
  /** Where nobody knows how much memory there is. */
  unknownTotalFloorMb: 2048,
} as const;

export interface MemoryRequest {
  /** What the machine has to give now; null where nobody could measure it. */
  readonly availableMb: number | null;
  /** What is built in; null where nobody could tell. */
  readonly totalMb: number | null;
  /** What is to stay free; null takes a share of what is built in. */
  readonly floorMb: number | null;
  /** Absent counts as an agent of the usual size. */
  readonly candidateMb?: number | undefined;
  readonly leases: readonly Pick<AgentLease, "memoryMb" | "grantedAt">[];
  readonly now: number;
}

export type MemoryAnswer =
  | { readonly kind: "admit"; readonly measured: boolean }
  /** There is room, though not for this one: another bead may fit. */
  | { readonly kind: "candidate-too-large"; readonly candidateMb: number; readonly leftMb: number }
  /** No agent fits, whatever its size. `askAgainAt` is when one that grows has grown; null when none does. */
  | {
      readonly kind: "floor-breach";
      readonly leftMb: number;
      readonly floorMb: number;
      readonly askAgainAt: number | null;
    };

/**
 * Whether the machine's memory bears another agent. Agents grow for ten minutes: until then all that they may need is
 * kept for them, on top of what they already took. Without a measurement it admits, since a machine that cannot be
 * measured would otherwise never work; `measured` tells. The only agent is let in unless it says that it needs more
 * than the machine has: nobody knows when what else fills the memory goes.
 */
export function memoryAdmits(request: MemoryRequest): MemoryAnswer {
  const { availableMb, leases, now } = request;
  if (availableMb === null) return { kind: "admit", measured: false };
  const candidateMb = agentMemoryMb(request.candidateMb);
  if (leases.length === 0) return ofFirst(request);
  const floorMb = request.floorMb ?? autoFloorMb(request.totalMb);
  const ramping = leases.filter(({ grantedAt }) => now - grantedAt < MEMORY.rampMs);
  const leftMb = ramping.reduce((left, { memoryMb }) => left - memoryMb, availableMb) - floorMb;
  if (leftMb < 0) {
    const ends = ramping.map(({ grantedAt }) => grantedAt + MEMORY.rampMs);
    return { kind: "floor-breach", leftMb, floorMb, askAgainAt: ends.length > 0 ? Math.min(...ends) : null };
  }
  if (leftMb < candidateMb) return { kind: "candidate-too-large", candidateMb, leftMb };
  return { kind: "admit", measured: true };
}

function ofFirst({ candidateMb, totalMb }: MemoryRequest): MemoryAnswer {
  if (candidateMb === undefined || totalMb === null || candidateMb <= totalMb)
    return { kind: "admit", measured: true };
  return { kind: "candidate-too-large", candidateMb, leftMb: totalMb };
}

/** What an agent is taken to need that says nothing of it. */
export function agentMemoryMb(asked: number | undefined): number {
  return asked ?? MEMORY.agentMb;
}

function autoFloorMb(totalMb: number | null): number {
  if (totalMb === null) return MEMORY.unknownTotalFloorMb;
  return Math.max(MEMORY.leastFloorMb, Math.min(totalMb / MEMORY.floorPartOfTotal, MEMORY.mostFloorMb));
}
