import { describe, expect, test } from "vitest";
import { fold } from "../../../../src/core/run/ledger/fold/fold.js";
import { readEvent, writeEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import { emptyState, type LedgerState } from "../../../../src/core/run/ledger/ledger-state.js";
import { decideTick } from "../../../../src/core/run/tick/tick.js";
import { bead } from "../../../support/core/beads.js";
import { sha, slot, stateWith } from "../../../support/core/slots.js";
import { tickFacts } from "../../../support/core/tick-facts.js";

const hold = { id: "h", at: "2026-01-01T00:00:00Z", actor: "@alice", reason: "wait", evidence: null };
const evidence = {
  url: "https://github.com/o/r/issues/1#issuecomment-5",
  source: "comment 5",
  body_sha256: "a".repeat(64),
  login: "alice",
  user_id: 7,
};

function held(state: LedgerState): LedgerState {
  return { ...state, holds: { "b-1": hold } };
}

function tick(state: LedgerState, ready: readonly string[] = []) {
  const beads = ready.map((id) => bead({ id, labels: [`fp:${id}`] }));
  return decideTick(tickFacts({ state, work: { ready: beads, all: beads } }));
}

function started(state: LedgerState, ready: readonly string[] = []): string[] {
  return tick(state, ready).effects.flatMap((effect) =>
    effect.kind === "append" ? effect.events.map(({ type, bead: of }) => `${type} ${of}`) : [],
  );
}

describe("a bead that is held", () => {
  test("is not begun, while its neighbour is", () => {
    expect(started(held(stateWith()), ["b-1", "b-2"])).toEqual(["slot.dispatching b-2"]);
  });

  test("is not begun again, and the run does not wait for it", () => {
    const state = stateWith(slot({ status: "queued" }));
    expect(started(state)).toEqual(["slot.dispatching b-1"]);
    expect(started(held(state))).toEqual([]);
    expect(tick(held(state)).end).toMatchObject({ code: 0, reason: "all-deferred" });
  });

  test("does not land, and lets those behind it in the queue pass", () => {
    const landing = (id: string) => ({
      id: `l-${id}`,
      at: "",
      actor: "a",
      bead: id,
      branch: "main",
      kind: "work" as const,
      pull: null,
      base: sha("base"),
      head: sha(id),
      asked: sha(id),
      method: "ff" as const,
      by: "operator" as const,
      allowProtected: false,
      before: "merge-pending" as const,
      moves: 0,
      intended: null,
    });
    const state = {
      ...stateWith(slot({ status: "landing" }), slot({ bead: "b-2", status: "landing" })),
      landings: [landing("b-1"), landing("b-2")],
    };
    const lands = (given: LedgerState) =>
      tick(given).effects.flatMap((effect) => (effect.kind === "land" ? [effect.bead] : []));
    expect(lands(state)).toEqual(["b-1"]);
    expect(lands(held(state))).toEqual(["b-2"]);
  });
});

describe("the record of a hold", () => {
  const envelope = { id: "01HZZZZZZZZZZZZZZZZZZZZZZZ", at: "2026-01-01T00:00:00Z", actor: "@alice" };
  const placed = writeEvent({
    ...envelope,
    type: "hold.placed",
    bead: "b-1",
    data: { reason: "wait" },
    evidence,
  });
  const lifted = writeEvent({ ...envelope, type: "hold.lifted", bead: "b-1", data: {} });

  test("keeps who said so and where, and goes when it is lifted", () => {
    const state = emptyState();
    fold(state, readEvent(placed));
    expect(state.holds["b-1"]).toEqual({ ...hold, id: envelope.id, evidence });
    fold(state, readEvent(lifted));
    expect(state.holds).toEqual({});
  });

  test("is put aside when its evidence cannot be read", () => {
    const forged = placed.replace(`"${"a".repeat(64)}"`, '"short"');
    expect(readEvent(forged)).toMatchObject({ kind: "quarantined" });
  });
});
