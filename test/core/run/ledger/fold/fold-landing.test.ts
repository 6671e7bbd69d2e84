import { describe, expect, test } from "vitest";
import { type NewEvent, readEvent } from "../../../../../src/core/run/ledger/ledger-event.js";
import {
  emptyState,
  type Landing,
  type LedgerState,
} from "../../../../../src/core/run/ledger/ledger-state.js";
import type { Slot } from "../../../../../src/core/run/ledger/slot.js";
import { acceptedSlot, append, candidate, sha, stateWith } from "../../../../support/core/slots.js";

const { branch, base, head } = candidate;

function request(by: "engine" | "operator", over: object = {}, bead = "b-1"): NewEvent {
  const data = { branch, base, head, method: "ff", by, allow_protected: false, ...over } as const;
  return { type: "land.requested", bead, run: "r-1", data };
}

/** A bead in the queue. */
function queue(by: "engine" | "operator", given: Partial<Slot> = {}): { state: LedgerState; id: string } {
  const state = stateWith(acceptedSlot(given));
  append(state, request(by));
  return { state, id: first(state).id };
}

function first({ landings: [landing] }: LedgerState): Landing {
  if (landing === undefined) throw new Error("nothing is in the queue");
  return landing;
}

const landed = (id: string, bead = "b-1"): NewEvent => ({
  type: "land.landed",
  bead,
  data: { request: id, from: base, head: sha("f") },
});
const refused = (id: string, result: "gate-failed" | "error" = "gate-failed", bead = "b-1"): NewEvent => ({
  type: "land.refused",
  bead,
  data: { request: id, result, code: result === "error" ? "base_busy" : "", detail: "why" },
});
const rebased = (id: string, moved: boolean, bead = "b-1"): NewEvent => ({
  type: "land.rebased",
  bead,
  data: { request: id, base: sha("d"), head: sha("e"), moved },
});
const intended = (id: string, bead = "b-1"): NewEvent => ({
  type: "land.intended",
  bead,
  data: { request: id, from: sha("d"), head: sha("e") },
});

describe("a request", () => {
  test("puts the bead into the queue as it was asked for", () => {
    const state = stateWith(acceptedSlot());
    append(state, request("engine", { method: "squash", allow_protected: true }));
    expect(first(state)).toMatchObject({
      bead: "b-1",
      branch,
      base,
      head,
      method: "squash",
      by: "engine",
      allowProtected: true,
      moves: 0,
      intended: null,
    });
    expect(state.slots["b-1"]).toMatchObject({ status: "landing", refusal: null });
  });

  test("takes what was said of an earlier landing away", () => {
    const { state } = queue("operator", {
      status: "merge-pending",
      note: "error: the landing was interrupted and taken back",
    });
    expect(state.slots["b-1"]).toMatchObject({ status: "landing", note: "" });
  });

  test("waits behind those that came before", () => {
    const state = stateWith(acceptedSlot(), acceptedSlot({ bead: "b-2" }));
    append(state, request("engine", {}, "b-2"), request("operator"));
    expect(state.landings.map(({ bead }) => bead)).toEqual(["b-2", "b-1"]);
  });

  test.each<{ name: string; given: LedgerState; event?: NewEvent }>([
    { name: "a bead that no run knows", given: emptyState() },
    { name: "a bead with an agent at work", given: stateWith(acceptedSlot({ status: "running" })) },
    { name: "a bead whose agent has just ended", given: stateWith(acceptedSlot({ status: "ended" })) },
    { name: "a bead about to get an agent", given: stateWith(acceptedSlot({ status: "queued" })) },
    { name: "a bead that landed", given: stateWith(acceptedSlot({ status: "merged" })) },
    {
      name: "no bead at all",
      given: stateWith(acceptedSlot()),
      event: { ...request("operator"), bead: undefined } as NewEvent,
    },
  ])("for $name is nobody's", ({ given, event = request("operator") }) => {
    const slots = structuredClone({ ...given.slots });
    append(given, event);
    expect(given.landings).toEqual([]);
    expect({ ...given.slots }).toEqual(slots);
  });

  test("under a lease that is gone is nobody's", () => {
    const state = stateWith(acceptedSlot());
    append(state, { type: "lease.claimed", data: { holder: "h", host: "m", ttl_seconds: 60 } });
    append(state, { ...request("engine"), lease: "01OLD" } as NewEvent);
    expect(state.landings).toEqual([]);
    append(state, { ...request("engine"), lease: state.lease?.id } as NewEvent);
    expect(state.landings).toHaveLength(1);
  });

  test("that comes twice gives one place", () => {
    const { state, id } = queue("engine");
    append(state, request("operator", { head: sha("f"), allow_protected: true }));
    expect(state.landings).toMatchObject([{ id, head, by: "engine", allowProtected: false }]);
  });
});

describe("the way through the queue", () => {
  test("a rebase changes what lands, and counts a move only where the base moved", () => {
    const { state, id } = queue("engine");
    append(state, rebased(id, true));
    expect(first(state)).toMatchObject({ base: sha("d"), head: sha("e"), moves: 1 });
    append(state, rebased(id, false), rebased(id, true));
    expect(first(state).moves).toBe(2);
    expect(state.slots["b-1"]?.status).toBe("landing");
  });

  test("an intention is remembered until the landing is over", () => {
    const { state, id } = queue("operator", { status: "merge-pending" });
    append(state, intended(id));
    const at = expect.stringMatching(/^20\d\d-/);
    expect(first(state).intended).toEqual({ from: sha("d"), head: sha("e"), at });
  });

  test.each(["engine", "operator"] as const)("a landing asked for by the %s is over when it landed", (by) => {
    const { state, id } = queue(by, { note: "a review was degraded" });
    append(state, landed(id));
    expect(state.landings).toEqual([]);
    expect(state.slots["b-1"]).toMatchObject({
      status: "merged",
      landed: sha("f"),
      head: sha("f"),
      settled: false,
      note: "",
    });
    append(state, { type: "land.settled", bead: "b-1", data: {} });
    expect(state.slots["b-1"]?.settled).toBe(true);
  });

  test("only what landed can be settled", () => {
    const { state } = queue("engine");
    append(state, { type: "land.settled", bead: "b-1", data: {} });
    expect(state.slots["b-1"]).toMatchObject({ status: "landing", settled: false });
  });
});

describe("a refusal", () => {
  test("to the engine is the engine's to decide about", () => {
    const { state, id } = queue("engine");
    append(state, refused(id));
    expect(state.landings).toEqual([]);
    expect(state.slots["b-1"]).toMatchObject({
      status: "refused",
      refusal: { result: "gate-failed", code: "", detail: "why" },
      note: "gate-failed: why",
      setbacks: { error: 0 },
    });
  });

  test("with an error counts, for the engine alone", () => {
    const own = queue("engine");
    append(own.state, refused(own.id, "error"));
    expect(own.state.slots["b-1"]).toMatchObject({
      refusal: { result: "error", code: "base_busy" },
      setbacks: { error: 1 },
    });
    const persons = queue("operator", { status: "merge-pending" });
    append(persons.state, refused(persons.id, "error"));
    expect(persons.state.slots["b-1"]?.setbacks.error).toBe(0);
  });

  test.each(["merge-pending", "blocked", "conflict"] as const)(
    "to a person puts a bead that was %s back",
    (status) => {
      const { state, id } = queue("operator", { status });
      append(state, refused(id));
      expect(state.landings).toEqual([]);
      expect(state.slots["b-1"]).toMatchObject({
        status,
        refusal: { result: "gate-failed" },
        note: "gate-failed: why",
      });
    },
  );

  test.each(["passed", "refused"] as const)(
    "to a person who was faster than the engine leaves a bead that was %s to people",
    (status) => {
      const { state, id } = queue("operator", { status });
      append(state, refused(id));
      expect(state.slots["b-1"]?.status).toBe("merge-pending");
    },
  );

  test("can be followed by another request, of which nothing is left over", () => {
    const { state, id } = queue("engine");
    append(state, rebased(id, true), intended(id), refused(id), request("engine"));
    expect(first(state)).toMatchObject({ base, head, moves: 0, intended: null });
    expect(state.slots["b-1"]).toMatchObject({ status: "landing", refusal: null });
  });
});

describe("what names no open request changes nothing", () => {
  const kinds: Record<string, (id: string, bead?: string) => NewEvent> = {
    rebased: (id, bead) => rebased(id, true, bead),
    intended,
    landed,
    refused: (id, bead) => refused(id, "gate-failed", bead),
  };

  test.each(Object.entries(kinds))("%s of a request that never was", (_, make) => {
    const { state } = queue("engine");
    const before = structuredClone({ slots: { ...state.slots }, landings: state.landings });
    append(state, make("01HF7YAT00000000000000000Z"));
    expect({ slots: { ...state.slots }, landings: state.landings }).toEqual(before);
  });

  test.each(Object.entries(kinds))("%s that comes after the end", (_, make) => {
    for (const end of [landed, refused]) {
      const { state, id } = queue("engine");
      append(state, end(id));
      const before = structuredClone({ slots: { ...state.slots }, landings: state.landings });
      append(state, make(id));
      expect({ slots: { ...state.slots }, landings: state.landings }).toEqual(before);
    }
  });

  test.each(Object.entries(kinds))("%s of another bead's request", (_, make) => {
    const state = stateWith(acceptedSlot(), acceptedSlot({ bead: "b-2" }));
    append(state, request("engine"), request("engine", {}, "b-2"));
    const before = structuredClone({ slots: { ...state.slots }, landings: state.landings });
    append(state, make(first(state).id, "b-2"));
    expect({ slots: { ...state.slots }, landings: state.landings }).toEqual(before);
  });

  test("the end of an earlier landing does not end the one under way", () => {
    const { state, id } = queue("engine");
    append(state, refused(id), request("engine"));
    append(state, landed(id));
    expect(state.landings).toHaveLength(1);
    expect(state.slots["b-1"]).toMatchObject({ status: "landing", landed: null });
  });
});

describe("what an intention claims for the receipt", () => {
  const claims = {
    approvers: [],
    checks: [],
    gate: null,
    review: null,
    criteria: [{ id: "AC1", status: "satisfied" }],
    cost: { usd: 1, known: true },
  };
  const line = (said: unknown) =>
    JSON.stringify({
      id: "0".repeat(26),
      at: "",
      actor: "ann",
      type: "land.intended",
      bead: "b-1",
      data: { request: "r", from: sha("d"), head: sha("e"), claims: said },
    });

  test.each<{ name: string; said: unknown; kept: unknown }>([
    { name: "is kept", said: claims, kept: claims },
    { name: "that nobody can read costs nothing else", said: { gate: "green" }, kept: undefined },
    { name: "of a later koryph costs nothing else", said: { ...claims, more: 1 }, kept: undefined },
    { name: "may be missing", said: undefined, kept: undefined },
  ])("$name", ({ said, kept }) => {
    const reading = readEvent(line(said));
    const { state, id } = queue("engine");
    if (reading.kind !== "event" || reading.event.type !== "land.intended") throw new Error(reading.kind);
    append(state, { type: "land.intended", bead: "b-1", data: { ...reading.event.data, request: id } });
    expect(first(state).intended).toEqual({
      from: sha("d"),
      head: sha("e"),
      at: expect.any(String),
      ...(kept ? { claims: kept } : {}),
    });
  });
});
