import { describe, expect, test } from "vitest";
import {
  type EngineObservation,
  engineLine,
  holderText,
  judgeEngine,
  type LockObservation,
  unheardLine,
} from "../../../../src/core/replies/run/engine-observation.js";
import { statusText } from "../../../../src/core/replies/run/status.js";
import { statusJson } from "../../../../src/core/replies/run/status-json.js";
import { append, stateWith } from "../../../support/core/slots.js";

const NONCE = "ab".repeat(12);
const HERE = "build-1#0123456789ab";
const BEGAN = "2026-01-01T00:00:00.000Z";

function leased(holder = `${HERE}/123/${NONCE}`, host = HERE) {
  const state = stateWith();
  append(
    state,
    { type: "lease.claimed", data: { holder, host, ttl_seconds: 120 } },
    {
      type: "run.started",
      run: "r-1",
      data: { mode: "rolling", engine_version: "0.1.0", budget_usd: null, resumed: false },
    },
  );
  return state;
}

const lock: LockObservation = { pid: 123, nonce: NONCE, since: "2026-01-02T00:00:00.000Z", gone: false };

describe("the engine that has the lease", () => {
  test.each<{ name: string; lock: LockObservation | null; host?: string; state: EngineObservation["state"] }>(
    [
      { name: "runs when its lock is held by a live process", lock, state: "running" },
      { name: "is gone when its lock is a dead process's", lock: { ...lock, gone: true }, state: "gone" },
      { name: "is gone when its lock was given back", lock: null, state: "gone" },
      {
        name: "is gone when somebody else has the lock by now",
        lock: { ...lock, nonce: "cd".repeat(12) },
        state: "gone",
      },
      {
        name: "may run when the lock cannot be read",
        lock: { ...lock, pid: 0, nonce: "" },
        state: "running",
      },
      {
        name: "of another machine cannot be seen",
        lock: null,
        host: "build-2#0123456789ab",
        state: "elsewhere",
      },
      { name: "of another home cannot be seen", lock, host: "build-1#ba9876543210", state: "elsewhere" },
    ],
  )("$name", ({ lock: seen, host = HERE, state }) => {
    const observation = judgeEngine(leased(`${host}/123/${NONCE}`, host), seen, HERE);
    expect(observation).toMatchObject({ state, pid: 123, host: host.split("#")[0] });
  });

  test("is nobody without a lease, whoever has the lock", () => {
    expect(judgeEngine(stateWith(), lock, HERE)).toBeNull();
  });

  test("need not say its pid", () => {
    const observation = judgeEngine(leased("anything\u001b[31m", "box"), null, HERE);
    expect(observation).toEqual({ pid: null, host: "box", since: BEGAN, state: "elsewhere" });
  });
});

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
  expect(statusJson(state, "lab", observation).engine).toEqual({ pid, host, state: observation.state });
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
