import { describe, expect, test } from "vitest";
import {
  type EngineObservation,
  judgeEngine,
  type LockObservation,
} from "../../../src/core/control/judge-engine.js";
import { BEGAN, HERE, leased, NONCE } from "../../support/core/leases.js";
import { stateWith } from "../../support/core/slots.js";

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
