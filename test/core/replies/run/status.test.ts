import { describe, expect, test } from "vitest";
import { beadPageJson, beadPageText } from "../../../../src/core/replies/beads/bead-page.js";
import { statusText } from "../../../../src/core/replies/run/status.js";
import { statusJson } from "../../../../src/core/replies/run/status-json.js";
import { stepText } from "../../../../src/core/replies/run/step-text.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { adaptivePools } from "../../../../src/core/run/metrics/run-limits.js";
import { PLAIN } from "../../../../src/lib/paint.js";
import { adaptivePool, governor, NOON } from "../../../support/core/governor.js";
import { append, slot, stage, stateWith } from "../../../support/core/slots.js";

const NOW = Date.parse("2026-01-01T12:00:00Z");
const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1000).toISOString();
const row = (given: Partial<Slot>, view: Parameters<typeof statusText>[3] = {}) =>
  statusText(stateWith(slot(given)), "lab", null, view).at(-1) ?? "";

test.each<{ name: string; given: Partial<Slot>; shows: RegExp }>([
  { name: "a cost of nothing is a cost", given: { outcome: "completed" }, shows: /sonnet +\$0\.00 +A bead$/ },
  { name: "what nobody has told yet is not", given: {}, shows: /sonnet +A bead$/ },
  {
    name: "nor is what nobody tells",
    given: { outcome: "completed", costKnown: false },
    shows: /sonnet +A bead$/,
  },
  {
    name: "what a person should look at is said",
    given: {
      flags: [
        { kind: "undeclared", paths: ["a", "b", "c", "d\u001b[2J"], total: 12 },
        { kind: "in-flight", paths: ["a"], total: 1, bead: "b-2" },
      ],
    },
    shows:
      /A bead: it changes a, b, c and 9 more, outside its footprint; it changes a, in the footprint of b-2, which was in flight$/,
  },
  {
    name: "a note does not begin with the same word twice",
    given: { status: "queued", note: "stopped: stopped on request" },
    shows: /A bead: stopped on request$/,
  },
  {
    name: "a pull request that lacks an approval waits for who can give it",
    given: {
      status: "pr-opened",
      note: "error: 0 of 1 approvals; needed: the approval of one person",
      refusal: {
        result: "error",
        code: "not_approved",
        detail: "0 of 1 approvals; needed: the approval of one person",
      },
    },
    shows:
      /A bead: waits for a reviewer with write access: 0 of 1 approvals; needed: the approval of one person$/,
  },
  {
    name: "what only a newer version knows is shown as it is on record",
    given: {
      status: "pr-opened",
      note: "error: odd",
      refusal: { result: "error", code: "novel", detail: "odd" },
    },
    shows: /A bead: error: odd$/,
  },
  {
    name: "the stronger model of a last try is shown with what it stands in for",
    given: { model: "opus", insteadOf: { model: "sonnet", modelWhy: "", estimateUsd: 2 } },
    shows: /attempt 1 +opus instead of sonnet +A bead$/,
  },
])("status: $name", ({ given, shows }) => {
  expect(row(given)).toMatch(shows);
});

test("beads come as people count them", () => {
  const state = stateWith(...["o-10", "o-2", "o-1"].map((bead) => slot({ bead })));
  const lines = statusText(state, "lab", null).slice(-3);
  expect(lines.map((line) => line.trim().split(" ")[0])).toEqual(["o-1", "o-2", "o-10"]);
});

describe("attempts are those at implementing", () => {
  test("a first success that was reviewed is attempt 1", () => {
    expect(row({ status: "merge-pending", attempt: 2, tries: 1, task: "review" })).toContain("attempt 1");
  });

  test("a reviewer at work is shown as one, with its own model", () => {
    const shown = row({ attempt: 2, task: "review", asides: [stage({ task: "review", model: "opus" })] });
    expect(shown).toMatch(/running {2}review {2}opus {2}A bead$/);
  });

  test("the page of a bead counts them alike", () => {
    const page = {
      ...{ slot: slot({ attempt: 4, tries: 2 }), hold: undefined, underWay: true, range: null, work: null },
      ...{ repository: "", clone: null, folder: "" },
    };
    expect(beadPageText(page, NOW, PLAIN)).toContain(
      "  attempt  2, by claude on sonnet (stage default (implement))",
    );
    expect(beadPageJson(page)).toMatchObject({ tries: 2 });
  });

  test("programs get both numbers", () => {
    const state = stateWith(slot({ attempt: 4, tries: 2, task: "review" }));
    expect(statusJson(state, { project: "lab", pins: {} }, null).slots).toMatchObject([
      { attempt: 4, tries: 2, task: "review" },
    ]);
  });
});

test.each<{ name: string; given: Partial<Slot>; shows: RegExp }>([
  { name: "an agent at work: for how long", given: { at: at(192) }, shows: /running {2}3m 12s {2}attempt/ },
  {
    name: "what is over: how long ago",
    given: { status: "merged", at: at(7_500) },
    shows: /landed {2}2h 05m ago {2}attempt/,
  },
  {
    name: "a backoff: how long still",
    given: { status: "queued", notBefore: NOW + 30_000 },
    shows: /queued {2}in 30s {2}attempt/,
  },
  {
    name: "one that may start: nothing",
    given: { status: "queued", notBefore: NOW },
    shows: /queued {2}attempt/,
  },
  {
    name: "a time that nobody can read: as it is",
    given: { status: "merged", at: "yesterday\u001b" },
    shows: /landed {2}yesterday\u{FFFD} {2}attempt/u,
  },
])("$name", ({ given, shows }) => expect(row(given, { now: NOW })).toMatch(shows));

test("a bead that a person holds starts at no time", () => {
  const state = stateWith(slot({ status: "queued", notBefore: NOW + 6_000 }));
  state.holds["b-1"] = { id: "1", at: at(60), actor: "@walter", reason: "", evidence: null };
  expect(statusText(state, "lab", null, { now: NOW }).at(-1)).toMatch(/queued {2}held {2}attempt/);
});

test("whoever reads it later gets times, and no spans that have passed", () => {
  const state = stateWith(slot({ at: at(60) }));
  append(state, { type: "control.drain", data: {} });
  expect(statusText(state, "lab", null).join("\n")).not.toContain("ago");
  expect(statusText(state, "lab", null, { now: Date.now() }).join("\n")).toMatch(
    /waiting: drain by test \d.* ago/,
  );
});

test("an agent's own word on its step is shown while it works, in one line", () => {
  const steps = new Map([
    [
      "b-1",
      stepText({
        state: "working",
        word: "working",
        step: "tests\u001b[2J",
        note: "2\nof 3",
        updated_at: "",
      }),
    ],
  ]);
  expect(row({}, { steps })).toMatch(/A bead: tests\u{FFFD}\[2J: 2 of 3$/u);
  expect(row({ status: "blocked" }, { steps })).not.toContain("tests");
});

test("a long title is cut, so that the reason is seen", () => {
  expect(row({ title: "x".repeat(90), note: "no licence", status: "blocked" })).toMatch(
    /x{49}…: no licence$/,
  );
});

test("titles keep to the width of the terminal", () => {
  const title = "x".repeat(90);
  expect(row({ title }, { columns: 70 })).toHaveLength(69);
  expect(row({ title }, { columns: 40 })).toMatch(/ x{15}…$/);
});

test("colour is for the status, and moves no column", () => {
  const marked = (mark: string) => (text: string) => `\u001b[${mark}m${text}\u001b[0m`;
  const paint = { heading: marked("1"), faint: marked("2"), warning: marked("3"), good: marked("4") };
  const state = stateWith(
    slot({ bead: "a", status: "merged" }),
    slot({ bead: "b", status: "blocked" }),
    slot({ bead: "c" }),
  );
  const lines = statusText(state, "lab", null, { paint }).slice(-3);
  expect(lines[0]).toContain("\u001b[4mlanded\u001b[0m   attempt");
  expect(lines[1]).toContain("\u001b[3mblocked\u001b[0m  attempt");
  expect(lines[2]).toContain("running  attempt");
});

describe("a degraded review", () => {
  const review = { head: "h", verdict: "degraded", note: "no verdict" } as const;
  test.each<{ name: string; given: Partial<Slot>; times: number }>([
    { name: "is named after the landing", given: { status: "merged" }, times: 1 },
    {
      name: "is named once where the note names it",
      given: { status: "blocked", note: "the review is degraded: no verdict", noteCode: "review-degraded" },
      times: 1,
    },
    {
      name: "is named beside an agent's own word about degraded things",
      given: { status: "blocked", note: "the service is degraded", noteCode: "agent-says" },
      times: 2,
    },
  ])("$name", ({ given, times }) => {
    expect(row({ review, ...given }).split("degraded")).toHaveLength(times + 1);
  });
});

test("accounts whose cap moves by itself are shown with it, and their breaker", () => {
  const state = governor({
    pools: [adaptivePool({ cap: 3 }), { ...adaptivePool({ cap: 4 }), pool: "codex", adaptive: false }],
  });
  const machine = { state, dead: new Set<string>(), availableMb: null, totalMb: null, now: NOON };
  const pools = adaptivePools(machine);
  expect(statusText(stateWith(slot()), "lab", null, { pools })).toContain(
    "account claude: 0 of 3 (adaptive, from 3, at most 6)",
  );
  expect(statusJson(stateWith(slot()), { project: "lab", pins: {} }, null, { pools })).toMatchObject({
    adaptive_pools: [{ pool: "claude", cap_now: 3, breaker: "closed" }],
    models: { top: [], rest: { names: 0 } },
  });
  expect(adaptivePools({ problem: "broken" })).toEqual([]);
});

test("agents at work are told apart by what shuts them in", () => {
  const state = stateWith(
    slot({ bead: "b-1", status: "running", contained: "namespaces" }),
    slot({ bead: "b-2", status: "running", contained: "namespaces" }),
    slot({ bead: "b-3", status: "dispatching", contained: "missing" }),
    slot({ bead: "b-4", status: "merged", contained: "none" }),
  );
  const told = statusText(state, "lab", null).filter((line) => line.includes("contained"));
  expect(told).toEqual(["contained: b-1, b-2", "not contained, so what they make waits for a person: b-3"]);
  const { slots } = statusJson(state, { project: "lab", pins: {} }, null) as { slots: unknown[] };
  expect(slots).toMatchObject([
    { contained: "namespaces" },
    {},
    { contained: "missing" },
    { contained: "none" },
  ]);
});
