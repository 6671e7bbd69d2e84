import { expect, test } from "vitest";
import { type EngineObservation, judgeEngine } from "../../../../src/core/control/judge-engine.js";
import { engineLine, holderText, unheardLine } from "../../../../src/core/replies/run/engine-line.js";
import { statusText } from "../../../../src/core/replies/run/status.js";
import { statusJson } from "../../../../src/core/replies/run/status-json.js";
import { BEGAN, HERE, leased, NONCE } from "../../../support/core/leases.js";
import { append, stateWith } from "../../../support/core/slots.js";

test.each<{ observation: EngineObservation; says: string }>([
  {
    observation: { pid: 123, host: "build-1", since: BEGAN, state: "running" },
    says: `engine: pid 123 on build-1 since ${BEGAN}`,
  },
  {
    observation: { pid: 123, host: "build-1", since: BEGAN, state: "gone" },
    says: "engine (pid 123) is gone; `koryph run --resume` goes on",
  },
  {
    observation: { pid: 123, host: "build-2", since: null, state: "elsewhere" },
    says: "engine: pid 123 on build-2, another machine or home",
  },
  {
    observation: { pid: null, host: "build-2", since: null, state: "elsewhere" },
    says: "engine: on build-2, another machine or home",
  },
])("status says: $says", ({ observation, says }) => {
  expect(engineLine(observation)).toBe(says);
  const state = leased();
  expect(statusText(state, "lab", observation)).toContain(says);
  const { pid, host } = observation;
  expect(statusJson(state, { project: "lab", pins: {} }, observation).engine).toEqual({
    pid,
    host,
    state: observation.state,
  });
});

test("a run whose engine is gone is not called under way", () => {
  const gone = judgeEngine(leased(), null, HERE);
  expect(statusText(leased(), "lab", gone)[0]).toBe(`lab: run r-1 was cut short; it began at ${BEGAN}`);
  expect(statusText(leased(), "lab", null)[0]).toContain("under way");
});

test.each([
  {
    cleared: false,
    says: "lab: engine (pid 123) is gone, so nobody acts on this until `koryph run --resume`",
  },
  {
    cleared: true,
    says: "lab: engine (pid 123) is gone, so nobody acts on this; the next run clears it, and `koryph run --resume` goes on",
  },
])("a request that the next run clears: $cleared, is told so", ({ cleared, says }) => {
  expect(unheardLine("lab", { pid: 123, host: "h", since: null, state: "gone" }, cleared)).toBe(says);
});

test.each([
  { holder: `${HERE}/123/${NONCE}`, host: HERE, says: "pid 123 on build-1" },
  { holder: `${HERE}/123/${NONCE}`, host: undefined, says: "pid 123 on build-1" },
  { holder: "somebody", host: "box\u001b]", says: "box\u{FFFD}]" },
])("the holder $holder of a lease is shown as $says", ({ holder, host, says }) => {
  expect(holderText(holder, host)).toBe(says);
});

test("every request that waits names what it is for", () => {
  const state = stateWith();
  append(
    state,
    { type: "control.drain", data: {} },
    { type: "control.stop", bead: "b-1", data: { force: false } },
    { type: "control.stop", data: { force: true } },
    { type: "control.nudge", bead: "b-2", data: { text: "go" } },
    { type: "control.inject", bead: "b-3", data: {} },
  );
  const waiting = statusText(state, "lab", null).filter((line) => line.startsWith("waiting: "));
  expect(waiting.map((line) => line.replace(/ by test at .*/, ""))).toEqual([
    "waiting: drain",
    "waiting: stop of b-1",
    "waiting: forced stop of all agents",
    "waiting: nudge of b-2",
    "waiting: inject of b-3",
  ]);
});
