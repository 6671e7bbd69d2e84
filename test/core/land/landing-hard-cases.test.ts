import { expect, test } from "vitest";
import { squashMessage } from "../../../src/core/land/squash-message.js";
import { refusalDetail } from "../../../src/core/replies/land/refusal-words.js";
import { summarise } from "../../../src/core/replies/run/progress.js";
import { CarriedState } from "../../../src/core/run/ledger/carried-state.js";
import { type NewEvent, readEvent, writeEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { planDispatch } from "../../../src/core/run/plan/plan-dispatch.js";
import { planStages } from "../../../src/core/run/plan/plan-stages.js";
import { concludeAttempt, endEvents } from "../../../src/core/run/tick/conclude-attempt.js";
import { concludeLanding } from "../../../src/core/run/tick/conclude-landing.js";
import { afterAcceptance } from "../../../src/core/run/tick/next-step.js";
import { decideTick } from "../../../src/core/run/tick/tick.js";
import { wordEvent } from "../../../src/engine/word-event.js";
import { bead } from "../../support/core/beads.js";
import { dispatching } from "../../support/core/ledgers.js";
import {
  acceptedSlot,
  agentEnd,
  append,
  candidate,
  projectWith,
  sha,
  slot,
  stage,
  stateWith,
} from "../../support/core/slots.js";
import { tickFacts } from "../../support/core/tick-facts.js";

const NOW = 1_000_000;
const { branch, base, head } = candidate;
const request = (by: "engine" | "operator", over: object = {}): NewEvent => ({
  type: "land.requested",
  bead: "b-1",
  run: "r-1",
  data: { branch, base, head, method: "ff", by, allow_protected: false, ...over },
});
const stopped = agentEnd({ kind: "stopped", detail: "the engine was interrupted" });
/** After the implementer's two commits. */
const inDocs = slot({
  task: "stage:docs",
  asides: [stage()],
  passed: ["implement"],
  commits: 2,
  head: sha("c"),
});

test.each<{ name: string; event: NewEvent }>([
  { name: "a dispatch", event: { type: "slot.dispatching", bead: "b-1", run: "r-2", data: dispatching } },
  { name: "a drop", event: { type: "slot.dropped", bead: "b-1", run: "r-1", data: { reason: "" } } },
])("$name that was decided before a landing was asked for changes nothing", ({ event }) => {
  const state = stateWith(acceptedSlot({ status: "conflict" }));
  append(state, request("operator"), event);
  expect(state.slots["b-1"]?.status).toBe("landing");
});

test("a refused landing without a candidate is blocked, not asked for with no commit", () => {
  const given = acceptedSlot({
    status: "refused",
    candidate: null,
    refusal: { result: "error", code: "broken", detail: "x" },
    setbacks: { gate: 0, conflict: 0, style: 0, bounce: 0, error: 1 },
  });
  const decided = concludeLanding({
    slot: given,
    config: projectWith({}),
    options: {},
    now: Date.parse(given.at) + 60_000,
  });
  if (decided.kind === "wait") throw new Error("waits");
  expect(() =>
    writeEvent({ ...wordEvent(decided.event), id: "0".repeat(26), at: "", actor: "a" }),
  ).not.toThrow();
});

test.each(["merge-pending", "blocked", "conflict"] as const)(
  "nobody asks in the engine's name for a bead that is %s",
  (status) => {
    const state = stateWith(acceptedSlot({ status }));
    append(state, request("engine"));
    expect(state.landings).toEqual([]);
  },
);

test("while a lease is held, a request in the engine's name that names no lease is nobody's", () => {
  const state = stateWith(acceptedSlot());
  append(
    state,
    { type: "lease.claimed", data: { holder: "h", host: "m", ttl_seconds: 60 } },
    request("engine"),
  );
  expect(state.landings).toEqual([]);
});

test("a project that allows no reviewer's model still works where nobody asks for a review", () => {
  const config = projectWith({ allowed_models: ["sonnet"] });
  const frontier = [bead({ id: "a" })];
  expect(planDispatch({ config, beads: frontier, frontier }).dispatch.map((item) => item.bead.id)).toEqual([
    "a",
  ]);
});

test("a stage that was stopped before it committed anything has not passed", () => {
  const left = { head: sha("c"), began: null, commits: 2, dirty: false, said: null };
  expect(concludeAttempt({ slot: inDocs, end: stopped, left, now: NOW })).toMatchObject({
    kind: "requeue",
    counts: "none",
  });
});

test("an implementer cut short by the end of the engine goes on later", () => {
  const given = slot({ stopping: { why: "the engine was interrupted", force: false } });
  const left = {
    head: sha("c"),
    began: null,
    commits: 1,
    dirty: false,
    said: { state: "working", note: "step 1 of 3" },
  };
  expect(concludeAttempt({ slot: given, end: stopped, left, now: NOW })).toMatchObject({
    kind: "requeue",
    counts: "none",
  });
});

test("a stage that lost the implementer's commits does not begin again without them", () => {
  const end = agentEnd();
  const left = { head: null, began: null, commits: 0, dirty: false, said: null };
  expect(endEvents({ slot: inDocs, end, left, now: NOW }).map(({ type }) => type)).toEqual([
    "slot.ended",
    "slot.blocked",
  ]);
});

test("a degraded review is told where the policy auto waits for a person", () => {
  const given = acceptedSlot({ mergePolicy: "auto", review: { head, verdict: "degraded", note: "no JSON" } });
  const event = afterAcceptance({ slot: given, config: projectWith(), options: { review: true }, now: NOW });
  expect(JSON.stringify(event)).toContain("degraded");
});

test("an interrupted engine ends although a landed bead cannot be settled", () => {
  const state = stateWith(acceptedSlot({ status: "merged", landed: sha("f") }));
  const tick = decideTick(tickFacts({ state, now: NOW, work: null, interrupted: true }));
  expect(tick.end).toEqual({ reason: "interrupted", code: 0 });
});

test("what a refusal says is short, however long a subject or a path is", () => {
  const long = "x".repeat(1_000_000);
  expect(
    refusalDetail({ kind: "commit-style", commits: [{ sha: sha("1"), subject: long }] }).length,
  ).toBeLessThan(2_000);
  expect(refusalDetail({ kind: "protected", paths: [`hooks/${long}`] }).length).toBeLessThan(2_000);
  expect(refusalDetail({ kind: "broken", why: long }).length).toBeLessThan(2_000);
});

test("a chain that was rolled before there were landings is still read", () => {
  const { landings: _, ...state } = stateWith(acceptedSlot());
  const {
    task,
    asides,
    passed,
    candidate: c,
    review,
    report,
    setbacks,
    refusal,
    landed,
    settled,
    ...old
  } = state.slots["b-1"] ?? slot();
  const carried = { ...state, slots: { "b-1": { ...old, status: "merge-pending" } } };
  expect(CarriedState.safeParse(JSON.parse(JSON.stringify(carried))).success).toBe(true);
});

test("a bead begun anew owes nothing to its earlier life", () => {
  const state = stateWith(
    acceptedSlot({ status: "merged", settled: true, costUsd: 4, costKnown: false, deaths: 2 }),
  );
  append(state, { type: "slot.dispatching", bead: "b-1", run: "r-2", data: dispatching });
  expect(state.slots["b-1"]).toMatchObject({ costUsd: 0, costKnown: true, deaths: 0 });
});

test("no refusal says merged", () => {
  const data = { request: "x", result: "merged", code: "", detail: "" };
  const line = JSON.stringify({
    id: "0".repeat(26),
    at: "",
    actor: "a",
    type: "land.refused",
    bead: "b-1",
    data,
  });
  expect(readEvent(line).kind).toBe("quarantined");
});

test("blocked beads are listed by id, those in conflict among them", () => {
  const state = stateWith(slot({ bead: "b", status: "blocked" }), slot({ bead: "a", status: "conflict" }));
  const { blocked, left } = summarise(state, "r-1", { reason: "once", code: 0 });
  expect([blocked, left.map(({ bead }) => bead)]).toEqual([2, ["a", "b"]]);
});

test("a squashed commit has a subject although its first commit has none", () => {
  expect(squashMessage("b-1", "Add it", [{ subject: "" }, { subject: "x" }])).toMatch(/^Add it\n/);
});

test("a stage's own model is told as such", () => {
  const config = projectWith({ pipeline: [{ name: "docs", prompt: "p", model: "haiku" }] });
  const choice = planStages({ labels: [], description: "" }, config, "claude", { defaultModel: "opus" });
  expect(choice).toMatchObject({
    stages: [{ modelWhy: "pipeline stage docs" }, { modelWhy: "run default" }],
  });
});

test("a finished bead can be sent back to an agent, with the report of the landing that a person asked for", () => {
  const state = stateWith(acceptedSlot({ status: "merge-pending" }));
  append(state, request("operator"));
  const id = state.landings[0]?.id ?? "";
  const data = { request: id, result: "gate-failed", code: "", detail: "red" } as const;
  append(
    state,
    { type: "land.refused", bead: "b-1", data },
    { type: "control.retry", bead: "b-1", data: {} },
  );
  expect(state.slots["b-1"]).toMatchObject({ status: "queued", task: "implement", report: { kind: "gate" } });
});
