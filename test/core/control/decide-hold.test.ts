import { describe, expect, test } from "vitest";
import { beadToLookUp } from "../../../src/core/control/bead-to-look-up.js";
import type { ControlCommand } from "../../../src/core/control/control-command.js";
import type { ControlFacts } from "../../../src/core/control/control-facts.js";
import type { LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import { decide, heldFor, landed, taken, underWay, verdict, working } from "../../support/core/control.js";
import { landingOf, slot, stateWith } from "../../support/core/slots.js";

const place = (reason: string, given: Partial<ControlFacts> = {}, bead: string | null = null) =>
  decide({ verb: "hold", bead, reason }, given);

describe("which bead a hold is of", () => {
  test.each<{ name: string; reason: string; bead?: string; event: unknown }>([
    {
      name: "the first word of the reason, as on the command line",
      reason: "gh-9 later",
      event: { type: "hold.placed", bead: "gh-9", data: { reason: "later" } },
    },
    {
      name: "the only word there is",
      reason: "gh-9",
      event: { type: "hold.placed", bead: "gh-9", data: { reason: "" } },
    },
    {
      name: "the thread's, where a reason merely mentions another",
      reason: "until gh-9 is done",
      event: { type: "hold.placed", bead: "gh-7", data: { reason: "until gh-9 is done" } },
    },
    {
      name: "the one that is named, also when no run has taken it",
      reason: "later",
      bead: "gh-9",
      event: { type: "hold.placed", bead: "gh-9", data: { reason: "later" } },
    },
  ])("$name", ({ reason, bead = null, event }) => {
    expect(place(reason, {}, bead)).toMatchObject({ kind: "append", done: true, events: [event] });
  });

  test("none, on a thread without a bead", () => {
    expect(verdict(place("later", { own: null }))).toBe("no_bead");
  });
});

test("of a bead that is being landed, its landing keeps its place, and that is told", () => {
  const state = { ...taken("landing"), landings: [landingOf({ bead: "gh-7" })] };
  expect(place("", { state })).toMatchObject({ change: { landing: true } });
  expect(place("", { state: working })).toMatchObject({ change: { landing: false } });
});

describe("the reason", () => {
  const state = heldFor("the law may change");

  test.each(["", "the law may change"])("%j, of what is held for one already, changes nothing", (reason) => {
    expect(place(reason, { state })).toMatchObject({
      kind: "already",
      found: { verb: "hold", bead: "gh-7", hold: { actor: "@alice", reason: "the law may change" } },
    });
  });

  test("another one takes the place of the first, which is told", () => {
    expect(place("not before May", { state })).toMatchObject({
      kind: "append",
      events: [{ data: { reason: "not before May" } }],
      change: { before: { actor: "@alice", reason: "the law may change" } },
    });
  });

  test.each([
    { name: "is cut", reason: "a".repeat(600), kept: `${"a".repeat(499)}…` },
    { name: "keeps no secret", reason: `the key is ghp_${"a".repeat(30)}`, kept: "the key is [redacted]" },
  ])("$name, and given again it is the same one", ({ reason, kept }) => {
    expect(place(reason)).toMatchObject({ events: [{ data: { reason: kept } }] });
    expect(place(reason, { state: heldFor(kept) }).kind).toBe("already");
  });
});

describe("a bead that may not exist", () => {
  test.each<{ name: string; given: Partial<ControlFacts>; known: boolean }>([
    { name: "no run has taken it, and nobody can ask the work source", given: {}, known: false },
    { name: "the work source has it", given: { tracked: "open" }, known: true },
    { name: "it is the thread's own", given: { own: "gh-9" }, known: true },
    { name: "a run has taken it", given: { state: stateWith(slot({ bead: "gh-9" })) }, known: true },
  ])("$name", ({ given, known }) => {
    expect(place("", given, "gh-9")).toMatchObject({ kind: "append", change: { known } });
  });

  test("is not held where the work source knows better", () => {
    expect(verdict(place("", { tracked: "absent" }, "gh-9"))).toBe("absent_bead");
  });
});

test("a bead that has landed is held once it was opened again", () => {
  expect(verdict(place("", { state: landed, tracked: "open" }))).toBe("hold.placed");
  expect(verdict(place("", { state: landed, tracked: "closed" }))).toBe("landed");
  expect(verdict(place("", { state: taken("merged", { settled: false }), tracked: "open" }))).toBe("landed");
});

test.each<{ name: string; state: LedgerState; agent: string }>([
  { name: "that is being started goes on", state: taken("dispatching"), agent: "at-work" },
  { name: "that works goes on", state: taken("running"), agent: "at-work" },
  { name: "may have been started just now", state: taken("queued"), agent: "perhaps" },
  {
    name: "may have been started for a bead that no run has taken yet",
    state: { ...stateWith(), run: underWay },
    agent: "perhaps",
  },
  { name: "has no part in a bead that waits for a person", state: taken("blocked"), agent: "none" },
  {
    name: "is not there when no run is under way",
    state: stateWith(slot({ bead: "gh-7", status: "queued" })),
    agent: "none",
  },
])("an agent $name", ({ state, agent }) => {
  expect(place("", { state })).toMatchObject({ change: { agent } });
});

describe("the work source is asked", () => {
  const inject: ControlCommand = { verb: "inject", bead: "gh-7" };
  const held: ControlCommand = { verb: "hold", bead: "gh-7", reason: "" };
  test.each<{ name: string; command: ControlCommand; state: LedgerState; asked: boolean }>([
    { name: "about a hold of what no run has taken", command: held, state: stateWith(), asked: true },
    { name: "about a hold of what has landed", command: held, state: landed, asked: true },
    { name: "not about a hold of what a run has", command: held, state: working, asked: false },
    {
      name: "about an inject of what no run has taken",
      command: inject,
      state: { ...stateWith(), run: underWay },
      asked: true,
    },
    {
      name: "about an inject of what collided in another run",
      command: inject,
      state: taken("conflict", { run: "r-0" }),
      asked: true,
    },
    { name: "not about an inject of what the run has", command: inject, state: working, asked: false },
    { name: "not about an inject without a run", command: inject, state: stateWith(), asked: false },
    {
      name: "not about other verbs",
      command: { verb: "retry", bead: "gh-7" },
      state: stateWith(),
      asked: false,
    },
  ])("$name", ({ command, state, asked }) => {
    expect(beadToLookUp(command, state)).toBe(asked ? "gh-7" : null);
  });
});
