import { describe, expect, test } from "vitest";
import type { ControlCommand } from "../../../src/core/control/control-command.js";
import type { ControlFacts } from "../../../src/core/control/control-facts.js";
import type { LedgerState } from "../../../src/core/run/ledger/ledger-state.js";
import {
  decide,
  heldFor,
  landed,
  NOW,
  STOP,
  taken,
  underWay,
  verdict,
  waiting,
  working,
} from "../../support/core/control.js";
import { slot, stateWith } from "../../support/core/slots.js";

const COMMANDS = {
  hold: { verb: "hold", bead: "gh-7", reason: "" },
  unhold: { verb: "unhold", bead: "gh-7" },
  retry: { verb: "retry", bead: "gh-7" },
  nudge: { verb: "nudge", bead: "gh-7", text: "use the interface" },
  stop: { ...STOP, bead: "gh-7" },
  "stop --run": { ...STOP, bead: null, run: true },
  drain: { verb: "drain" },
  resize: { verb: "resize", max: 2, force: false },
  inject: { verb: "inject", bead: "gh-7" },
} as const satisfies Record<string, ControlCommand>;
type Name = keyof typeof COMMANDS;

/** While an agent is at work on the bead; each state below says what is different in it. */
const AT_WORK: Readonly<Record<Name, string>> = {
  hold: "hold.placed",
  unhold: "not_held",
  retry: "not_blocked",
  nudge: "control.nudge",
  stop: "control.stop",
  "stop --run": "control.stop",
  drain: "control.drain",
  resize: "control.resize",
  inject: "taken",
};
const NO_SLOT = { retry: "unknown_bead", nudge: "unknown_bead", stop: "unknown_bead" };
const NO_AGENT = { nudge: "not_at_work", stop: "not_at_work" };
const NO_RUN = { "stop --run": "no_run", drain: "no_run", resize: "no_run", inject: "no_run" };

describe("what each verb comes to in each state", () => {
  const states: readonly { name: string; state: LedgerState; unlike: Partial<Record<Name, string>> }[] = [
    { name: "an agent is at work on the bead", state: working, unlike: {} },
    { name: "no run is under way", state: stateWith(), unlike: { ...NO_SLOT, ...NO_RUN } },
    {
      name: "the run has not taken the bead",
      state: { ...stateWith(), run: underWay },
      unlike: { ...NO_SLOT, inject: "control.inject" },
    },
    {
      name: "the bead is blocked",
      state: taken("blocked"),
      unlike: { ...NO_AGENT, retry: "control.retry" },
    },
    { name: "the bead is queued", state: taken("queued"), unlike: NO_AGENT },
    {
      name: "the bead has landed",
      state: landed,
      unlike: { ...NO_AGENT, hold: "landed", inject: "landed" },
    },
    {
      name: "the bead is held",
      state: heldFor("the law may change"),
      unlike: { hold: "already", unhold: "hold.lifted" },
    },
    { name: "a drain is asked for", state: waiting({ verb: "drain" }), unlike: { drain: "already" } },
  ];

  test.each(
    states.flatMap(({ name, state, unlike }) =>
      Object.entries({ ...AT_WORK, ...unlike }).map(([verb, outcome]) => ({ name, state, verb, outcome })),
    ),
  )("when $name, $verb is $outcome", ({ state, verb, outcome }) => {
    expect(verdict(decide(COMMANDS[verb as Name], { state }))).toBe(outcome);
  });

  test.each(Object.entries(COMMANDS))(
    "a ledger that only a newer koryph understands takes no %s",
    (_, command) => {
      const state = { ...working, readOnly: { type: "x.y", needs: "9.0" } };
      expect(verdict(decide(command, { state }))).toBe("read_only");
    },
  );
});

describe("what is recorded", () => {
  test.each<{ name: string; command: ControlCommand; event: unknown }>([
    {
      name: "a nudge reaches the agent of the thread's bead",
      command: { verb: "nudge", bead: null, text: "use the interface" },
      event: { type: "control.nudge", bead: "gh-7", data: { text: "use the interface" } },
    },
    {
      name: "a nudge may begin with a bead that a run knows",
      command: { verb: "nudge", bead: null, text: 'gh-7 "use the interface"' },
      event: { type: "control.nudge", bead: "gh-7", data: { text: "use the interface" } },
    },
    {
      name: "a word that no run knows is part of the text",
      command: { verb: "nudge", bead: null, text: "stop using any" },
      event: { type: "control.nudge", bead: "gh-7", data: { text: "stop using any" } },
    },
    {
      name: "a nudge that is nothing but a bead is a text",
      command: { verb: "nudge", bead: null, text: "gh-9" },
      event: { type: "control.nudge", bead: "gh-7", data: { text: "gh-9" } },
    },
    {
      name: "a secret in a nudge does not reach the ledger",
      command: { verb: "nudge", bead: "gh-7", text: `use ghp_${"a".repeat(30)}` },
      event: { type: "control.nudge", data: { text: "use [redacted]" } },
    },
    {
      name: "a nudge is cut to what a ledger can take",
      command: { verb: "nudge", bead: "gh-7", text: "a".repeat(10_001) },
      event: { type: "control.nudge", data: { text: `${"a".repeat(9_999)}…` } },
    },
    {
      name: "a stop is of the thread's bead",
      command: { ...STOP, bead: null, force: true },
      event: { type: "control.stop", bead: "gh-7", data: { force: true } },
    },
    {
      name: "a stop of the run names no bead",
      command: { ...STOP, bead: null, run: true },
      event: { type: "control.stop", data: { force: false } },
    },
    {
      name: "a width up to the project's ceiling",
      command: { verb: "resize", max: 4, force: false },
      event: { type: "control.resize", data: { max: 4, force: false } },
    },
    {
      name: "a width above the ceiling, when it is forced",
      command: { verb: "resize", max: 5, force: true },
      event: { type: "control.resize", data: { max: 5, force: true } },
    },
    {
      name: "a width that is cleared",
      command: { verb: "resize", max: null, force: false },
      event: { type: "control.resize", data: { max: null, force: false } },
    },
  ])("$name", ({ command, event }) => {
    expect(decide(command)).toMatchObject({ kind: "append", done: false, events: [event] });
  });

  test("a nudge that was cut is told from one that was not", () => {
    const cut = (length: number) => decide({ verb: "nudge", bead: "gh-7", text: "a".repeat(length) });
    expect(cut(10_000)).toMatchObject({ change: { cut: false } });
    expect(cut(10_001)).toMatchObject({ change: { cut: true } });
  });

  test("a second drain says who asked for the first, and when", () => {
    expect(decide({ verb: "drain" }, { state: waiting({ verb: "drain" }) })).toMatchObject({
      kind: "already",
      found: { verb: "drain", request: { actor: "@bob", at: "2026-01-01T00:00:00Z" } },
    });
  });
});

describe("a stop", () => {
  const stop = (given: Partial<typeof COMMANDS.stop | Record<string, unknown>>, state = working) =>
    decide({ ...COMMANDS.stop, ...given } as ControlCommand, { state });
  const types = (decision: ReturnType<typeof decide>) =>
    decision.kind === "append" ? decision.events.map(({ type, bead }) => [type, bead]) : [];
  const two = { ...working, slots: { ...working.slots, "gh-8": slot({ bead: "gh-8", deaths: 2 }) } };

  test("that holds puts the hold on record before it asks for the stop", () => {
    expect(types(stop({ hold: true }))).toEqual([
      ["hold.placed", "gh-7"],
      ["control.stop", "gh-7"],
    ]);
  });

  test("of a run that holds puts one on each bead with an agent", () => {
    const state = { ...two, slots: { ...two.slots, "gh-9": slot({ bead: "gh-9", status: "queued" }) } };
    const decision = stop({ bead: null, run: true, hold: true }, state);
    expect(types(decision)).toEqual([
      ["hold.placed", "gh-7"],
      ["hold.placed", "gh-8"],
      ["control.stop", undefined],
    ]);
    expect(decision).toMatchObject({ change: { hold: ["gh-7", "gh-8"] } });
  });

  test("keeps the hold that is there, with its reason", () => {
    expect(types(stop({ hold: true }, heldFor("the law may change")))).toEqual([["control.stop", "gh-7"]]);
  });

  test("that drains asks for it first, and only where nobody has", () => {
    expect(types(stop({ drain: true }))).toEqual([
      ["control.drain", undefined],
      ["control.stop", "gh-7"],
    ]);
    expect(types(stop({ drain: true }, waiting({ verb: "drain" })))).toEqual([["control.stop", "gh-7"]]);
  });
});

describe("what is refused", () => {
  const before = NOW - 60_000;
  test.each<{ name: string; command: ControlCommand; given?: Partial<ControlFacts>; code: string }>([
    {
      name: "a thread without a bead",
      command: { verb: "retry", bead: null },
      given: { own: null },
      code: "no_bead",
    },
    {
      name: "a bead named like a member of every object",
      command: { verb: "retry", bead: "constructor" },
      code: "unknown_bead",
    },
    {
      name: "a nudge for an issue that nobody works on",
      command: { verb: "nudge", bead: null, text: "gh-8 hurry up" },
      code: "unknown_bead",
    },
    {
      name: "a width above the ceiling",
      command: { verb: "resize", max: 5, force: false },
      code: "too_wide",
    },
    ...(["stop --run", "drain", "resize", "nudge"] as const).map((verb) => ({
      name: `${verb} that was written before the run began, and is found minutes later`,
      command: COMMANDS[verb],
      given: { asked: before, now: before + 5 * 60_000 },
      code: "before_run",
    })),
  ])("$name", ({ command, given, code }) => {
    expect(verdict(decide(command, given))).toBe(code);
  });

  test("a comment of the second in which the run began is about it, however late it is found", () => {
    const state = { ...working, run: { ...underWay, startedAt: "2026-01-01T00:00:00.900Z" } };
    const late = { state, asked: NOW, now: NOW + 10 * 60_000 };
    expect(verdict(decide({ verb: "drain" }, late))).toBe("control.drain");
  });

  test("a command just before a run began is about it: clocks differ", () => {
    expect(verdict(decide({ verb: "drain" }, { asked: before, now: NOW }))).toBe("control.drain");
  });
});

describe("an injected bead", () => {
  const inject: ControlCommand = { verb: "inject", bead: "gh-9" };
  const of = (state: LedgerState, given: Partial<ControlFacts> = {}) =>
    verdict(decide({ verb: "inject", bead: "gh-7" }, { state, ...given }));

  test.each<{ name: string; tracked: ControlFacts["tracked"]; outcome: string }>([
    { name: "is one that the work source has open", tracked: "open", outcome: "control.inject" },
    { name: "cannot be closed", tracked: "closed", outcome: "closed_bead" },
    { name: "cannot be absent", tracked: "absent", outcome: "absent_bead" },
  ])("$name", ({ tracked, outcome }) => expect(verdict(decide(inject, { tracked }))).toBe(outcome));

  test("that has landed may be opened again, once its landing is settled", () => {
    expect(of(landed, { tracked: "open" })).toBe("control.inject");
    expect(of(landed, { tracked: "closed" })).toBe("landed");
    expect(of(taken("merged", { settled: false }), { tracked: "open" })).toBe("landed");
  });

  test("that collided in an earlier run may be begun anew", () => {
    expect(of(taken("conflict", { run: "r-0" }))).toBe("control.inject");
    expect(of(taken("conflict"))).toBe("taken");
  });

  test("is refused while the run drains: it takes nothing new", () => {
    expect(verdict(decide(inject, { state: waiting({ verb: "drain" }), tracked: "open" }))).toBe("draining");
  });

  test("is asked for once", () => {
    const state = waiting({ verb: "inject", bead: "gh-9" });
    expect(verdict(decide(inject, { state, tracked: "open" }))).toBe("already");
  });
});
