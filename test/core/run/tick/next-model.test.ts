import { expect, test } from "vitest";
import type { RuntimePause } from "../../../../src/core/run/ledger/runtime-pause.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { nextModel } from "../../../../src/core/run/tick/next-model.js";
import { decideTick } from "../../../../src/core/run/tick/tick.js";
import { wordEvent } from "../../../../src/engine/word-event.js";
import { append, projectWith, slot, stateWith } from "../../../support/core/slots.js";
import { tickFacts } from "../../../support/core/tick-facts.js";

const none = { gate: 0, conflict: 0, style: 0, bounce: 0, error: 0 };
const queued = (overrides: Partial<Slot>) =>
  slot({ status: "queued", process: null, attempt: 3, ...overrides });
const report = (kind: NonNullable<Slot["report"]>["kind"], attempt = 3) => ({ kind, run: "r-1", attempt });
const insteadOf = { model: "sonnet", modelWhy: "stage default (implement)", estimateUsd: 2 };

test.each<{ name: string; given: Partial<Slot>; model: string }>([
  { name: "after two failures", given: { deaths: 2, outcome: "failed" }, model: "opus" },
  { name: "after two time-outs", given: { deaths: 2, outcome: "timed-out" }, model: "opus" },
  {
    name: "after changes that are in no commit",
    given: { deaths: 2, outcome: "completed", commits: 1 },
    model: "opus",
  },
  { name: "not after one failure", given: { deaths: 1, outcome: "failed" }, model: "sonnet" },
  { name: "not after an end without a commit", given: { deaths: 2, outcome: "completed" }, model: "sonnet" },
  { name: "not after an agent was killed", given: { deaths: 2, outcome: "killed" }, model: "sonnet" },
  { name: "not after an engine was lost", given: { deaths: 2, outcome: "lost" }, model: "sonnet" },
  { name: "not for a stage", given: { deaths: 2, outcome: "failed", task: "stage:docs" }, model: "sonnet" },
  {
    name: "for the last round of the gate",
    given: { outcome: "completed", commits: 1, report: report("gate"), setbacks: { ...none, gate: 2 } },
    model: "opus",
  },
  {
    name: "not for its first",
    given: { outcome: "completed", commits: 1, report: report("gate"), setbacks: { ...none, gate: 1 } },
    model: "sonnet",
  },
  {
    name: "for the last round of the review",
    given: { outcome: "completed", commits: 1, report: report("review"), setbacks: { ...none, bounce: 2 } },
    model: "opus",
  },
  {
    name: "not after a conflict",
    given: {
      outcome: "completed",
      commits: 1,
      report: report("conflict"),
      setbacks: { ...none, conflict: 2 },
    },
    model: "sonnet",
  },
  {
    name: "again where a limit cut it short",
    given: { deaths: 2, outcome: "limited", model: "opus", insteadOf },
    model: "opus",
  },
  {
    name: "no longer once another round has begun",
    given: {
      outcome: "completed",
      commits: 1,
      report: report("review"),
      setbacks: { ...none, gate: 2, bounce: 1 },
      model: "opus",
      insteadOf,
    },
    model: "sonnet",
  },
  {
    name: "not on a runtime that names none",
    given: { deaths: 2, outcome: "failed", runtime: "own" },
    model: "sonnet",
  },
])("the stronger model is taken $name", ({ given, model }) => {
  expect(nextModel(queued(given), { config: projectWith(), pauses: [] }).model).toBe(model);
});

test("neither a project that does not allow it nor an account that does not have it gets it", () => {
  const last = queued({ deaths: 2, outcome: "failed" });
  const pause = { runtime: "claude", model: "opus", kind: "unknown-model", until: null } as RuntimePause;
  const config = projectWith({ allowed_models: ["haiku", "sonnet"], model_map: { frontier: "sonnet" } });
  expect(nextModel(last, { config, pauses: [] }).model).toBe("sonnet");
  expect(nextModel(last, { config: projectWith(), pauses: [pause] }).model).toBe("sonnet");
});

test("it is recorded with what it stands in for, and a retry goes back to that", () => {
  const state = stateWith(queued({ deaths: 2, outcome: "failed", estimateUsd: 2 }));
  const tick = decideTick(tickFacts({ state }));
  for (const effect of tick.effects)
    if (effect.kind === "append") append(state, ...effect.events.map(wordEvent));
  expect(state.slots["b-1"]).toMatchObject({
    attempt: 4,
    model: "opus",
    modelWhy: "recovery (instead of sonnet)",
    estimateUsd: 6,
    insteadOf: { ...insteadOf, estimateUsd: 2 },
  });
  append(state, { type: "slot.blocked", bead: "b-1", run: "r-1", data: { reason: "" } });
  append(state, { type: "control.retry", bead: "b-1", data: {} });
  expect(state.slots["b-1"]).toMatchObject({ model: "sonnet", estimateUsd: 2, insteadOf: null });
});
