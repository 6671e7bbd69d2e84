import { describe, expect, test } from "vitest";
import { fold } from "../../../../src/core/run/ledger/fold/fold.js";
import { readEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../../../../src/core/run/ledger/ledger-state.js";
import { dispatching } from "../../../support/core/ledgers.js";

/** The claims of docs/decisions/0009-who-is-believed.md that are about the ledger alone. */
const id = (number: number) => `${number}`.padStart(26, "0");
const LEASE = id(1);
const usage = { cost_usd: 7, cost_known: true };
const attempt = { attempt: 1, outcome: "failed", detail: "", session: null, commits: 0, head: null };

interface Line {
  readonly type: string;
  readonly data: object;
  readonly bead?: string;
  readonly lease?: string;
  readonly run?: string;
  readonly critical?: true;
}

const ENGINE: readonly Line[] = [
  { type: "lease.claimed", data: { holder: "engine", host: "h", ttl_seconds: 60 } },
  { type: "slot.dispatching", bead: "b-1", run: "r-1", lease: LEASE, data: dispatching },
  { type: "slot.ended", bead: "b-1", run: "r-1", lease: LEASE, data: { ...attempt, usage } },
];

/** What is folded from an engine's lines and, after them, those of somebody who can push. */
function believed(...forged: readonly Line[]): LedgerState {
  const state = emptyState();
  for (const [index, line] of [...ENGINE, ...forged].entries())
    fold(state, readEvent(JSON.stringify({ id: id(index + 1), at: "", actor: "x", ...line })));
  return state;
}

const drop: Line = { type: "slot.dropped", bead: "b-1", run: "r-1", data: { reason: "" } };

describe("whoever can push", () => {
  test("moves slots in the name of the lease that is held, and what they cost is forgotten", () => {
    expect(believed().slots["b-1"]?.costUsd).toBe(7);
    expect(believed({ ...drop, lease: LEASE }).slots).toEqual({});
  });

  test.each<{ name: string; forged: Line }>([
    { name: "no lease", forged: drop },
    { name: "a lease that is not held", forged: { ...drop, lease: id(99) } },
    { name: "another run", forged: { ...drop, lease: LEASE, run: "r-2" } },
  ])("moves none in the name of $name", ({ forged }) => {
    expect(believed(forged).slots["b-1"]?.status).toBe("ended");
  });

  test("takes the lease away, and the engine's own events count no longer", () => {
    const taken = believed({ type: "lease.claimed", data: { holder: "x", host: "h", ttl_seconds: 60 } });
    expect(taken.lease?.id).not.toBe(LEASE);
    expect(believed({ type: "lease.released", data: { holder: "engine" } }).lease).toBeNull();
  });

  test("keeps a dead lease alive", () => {
    expect(believed({ type: "lease.renewed", data: { holder: "engine" } }).lease?.seenAs).toBe(id(4));
  });

  test("stops all writing with a critical event that nobody knows", () => {
    expect(believed({ type: "x.y", data: {}, critical: true }).readOnly).toMatchObject({ type: "x.y" });
  });

  test.each<Partial<Line>>([{ bead: "../b-1" }, { bead: "b/1" }, { run: "../r" }, { run: "" }])(
    "names no folder but the slot's own: %j is quarantined",
    (names) => {
      const state = believed({ ...drop, lease: LEASE, ...names });
      expect(state.quarantined).toBe(1);
      expect(state.slots["b-1"]?.status).toBe("ended");
    },
  );
});
