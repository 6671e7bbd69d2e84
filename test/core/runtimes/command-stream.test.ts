import fc from "fast-check";
import { expect, test } from "vitest";
import type { OutcomeKind } from "../../../src/core/model/agent-end.js";
import type { ProcessEnd } from "../../../src/core/runtimes/agent-outcome.js";
import { CommandStream } from "../../../src/core/runtimes/command/command-stream.js";

const byItself: ProcessEnd = { stopping: false, code: 0, ended: "by-itself", stderr: "" };

function replay(lines: readonly string[], facts: Partial<ProcessEnd> = {}) {
  const stream = new CommandStream();
  const events = lines.flatMap((line) => [...stream.push(line)]);
  return { events, outcome: stream.end({ ...byItself, ...facts }) };
}

test.each<{
  name: string;
  lines?: string[];
  facts: Partial<ProcessEnd>;
  expected: OutcomeKind;
  detail?: string;
}>([
  { name: "exit code 0 is believed", facts: {}, expected: "completed" },
  {
    name: "so is any other",
    facts: { code: 3, stderr: "no luck\n" },
    expected: "failed",
    detail: "exit code 3: no luck",
  },
  {
    name: "without standard error the last words count",
    lines: ["a", "b"],
    facts: { code: 1 },
    expected: "failed",
    detail: "exit code 1: b",
  },
  { name: "a program that cannot be run never started", facts: { code: 127 }, expected: "start-failed" },
  {
    name: "127 after some output is the agent's own",
    lines: ["hm"],
    facts: { code: 127 },
    expected: "failed",
  },
  { name: "a recorded stop beats the exit code", facts: { stopping: true, code: 0 }, expected: "stopped" },
  { name: "the wall clock beats it too", facts: { code: 0, ended: "wall-clock" }, expected: "timed-out" },
  { name: "so does an engine that was gone", facts: { code: 0, ended: "engine-gone" }, expected: "lost" },
  { name: "no exit code means killed", facts: { code: null, ended: "unknown" }, expected: "killed" },
])("$name", ({ lines = [], facts, expected, detail }) => {
  const { outcome } = replay(lines, facts);
  expect(outcome.kind).toBe(expected);
  if (detail !== undefined) expect(outcome.detail).toBe(detail);
});

test("notices name session and cost, the last one counts, and the rest is text", () => {
  const { events, outcome } = replay([
    "thinking",
    '{"koryph":{"session":"s-1","cost_usd":0.5}}',
    ' { "koryph": { "cost_usd": 1.25 } }',
    "done",
  ]);
  expect(events.map(({ kind }) => kind)).toEqual(["text", "session", "usage", "usage", "text"]);
  expect(outcome).toMatchObject({ session: "s-1", costUsd: 1.25, costKnown: true, text: "thinking\ndone" });
});

test("an agent that names no cost has one that nobody knows", () => {
  expect(replay(["hello"]).outcome).toMatchObject({ costUsd: 0, costKnown: false, session: null });
});

test.each([
  '{"koryph":{"cost_usd":-1}}',
  '{"koryph":{"cost_usd":1e999}}',
  '{"koryph":{"cost_usd":"2"}}',
  '{"koryph":[]}',
])("%s names no cost", (line) => expect(replay([line]).outcome.costKnown).toBe(false));

test("nothing an agent prints makes it throw, and its text stays bounded", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.jsonValue().map((v) => `{"koryph":${JSON.stringify(v)}}`),
        ),
      ),
      (lines) => {
        expect(replay(lines).outcome.kind).toBe("completed");
      },
    ),
  );
  expect(replay(Array.from({ length: 300 }, () => "x".repeat(1000))).outcome.text.length).toBe(100_000);
});
