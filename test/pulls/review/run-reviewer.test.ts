import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { AccountRefused } from "../../../src/ports/agent-runtime.js";
import { type ReviewerParts, runReviewer } from "../../../src/pulls/review/run-reviewer.js";

/** A reviewer that ends at once. */
const parts = {
  processes: {
    start: async () => {},
    sweep: async () => {},
    status: async () => ({ kind: "ended", exit: { code: 0, ended: "exited" } }),
    watch: (_: string, onEnd: () => void) => {
      queueMicrotask(onEnd);
      return () => {};
    },
  },
  folders: {
    ...{ agentFolder: () => "", home: () => "", folder: () => "", readErrors: async () => "" },
    ...{ writeLaunch: async () => "", readOutput: async () => ({ lines: [], next: 0 }) },
  },
  runtime: {
    ...{ name: "mine", stopSignals: [], probe: async () => ({}) },
    command: () => ({ argv: [], env: {}, files: [] }),
    parser: () => ({ push: () => {}, end: () => ({ kind: "completed" }) }),
  },
  ...{ livenessFile: "", leaseSeconds: 1, newSession: () => "s", pause: async () => {} },
} as unknown as ReviewerParts;

test("whoever may interrupt reviewers is not listened to by those that have ended", async () => {
  const stopping = new AbortController();
  const place = { run: "r", bead: "b", attempt: 1 };
  const task = { place, cwd: "/", prompt: "", model: "", wallSeconds: 1 } as never;
  for (let run = 0; run < 3; run += 1)
    expect(await runReviewer(parts, task, stopping.signal)).toMatchObject({ kind: "completed" });
  expect(getEventListeners(stopping.signal, "abort")).toEqual([]);
});

test("a reviewer on another account than the one expected is not started", async () => {
  const place = { run: "r", bead: "b", attempt: 1 };
  const task = { place, cwd: "/", prompt: "", model: "", wallSeconds: 1 } as never;
  let starts = 0;
  const processes = {
    ...parts.processes,
    start: async () => {
      starts += 1;
      return { pid: 1, start: "", boot: "" };
    },
  } as ReviewerParts["processes"];
  const account = async () => {
    throw new AccountRefused("another", "sign in");
  };
  const refused = { ...parts, processes, runtime: { ...parts.runtime, account } };
  await expect(runReviewer(refused, task, new AbortController().signal)).rejects.toThrow("another");
  expect(starts).toBe(0);
});
