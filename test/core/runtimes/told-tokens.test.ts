import { expect, test } from "vitest";
import type { TokenCounts } from "../../../src/core/model/token-counts.js";
import type { ProcessEnd, StreamParser } from "../../../src/core/runtimes/agent-outcome.js";
import { ClaudeStream } from "../../../src/core/runtimes/claude/claude-stream.js";
import { CodexStream } from "../../../src/core/runtimes/codex/codex-stream.js";
import { OpencodeStream } from "../../../src/core/runtimes/opencode/opencode-stream.js";

const byItself: ProcessEnd = { stopping: false, code: 0, ended: "by-itself", stderr: "" };

function tokens(stream: StreamParser, ...lines: readonly object[]): TokenCounts | undefined {
  for (const line of lines) stream.push(JSON.stringify(line));
  return stream.end(byItself).tokens;
}

const claude = (...lines: readonly object[]) =>
  tokens(new ClaudeStream({ version: "2.1.325", costBaselineUsd: 0 }), ...lines);
const codex = (tokenBaseline: TokenCounts | null, ...lines: readonly object[]) =>
  tokens(
    new CodexStream({ model: "gpt-5.5", prices: {}, costBaselineUsd: 0, tokenBaseline, structured: false }),
    ...lines,
  );
const opencode = (...lines: readonly object[]) =>
  tokens(new OpencodeStream({ model: "a/b", prices: {}, structured: false }), ...lines);

const none: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

test("Claude Code tells the tokens of a run in its last result", () => {
  const result = (cache_read_input_tokens: number) => ({
    type: "result",
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens, cache_creation_input_tokens: 20 },
  });
  expect(claude(result(30), result(70))).toEqual({ input: 10, output: 5, cacheRead: 70, cacheWrite: 20 });
});

const turn = {
  type: "turn.completed",
  usage: {
    ...{ input_tokens: 1000, cached_input_tokens: 700, cache_write_input_tokens: 100 },
    ...{ output_tokens: 50, reasoning_output_tokens: 20 },
  },
};

test("Codex counts what it reads from a cache as input, too, and goes on counting in a thread", () => {
  expect(codex(none, turn)).toEqual({ input: 200, output: 50, cacheRead: 700, cacheWrite: 100 });
  const before: TokenCounts = { input: 150, output: 20, cacheRead: 300, cacheWrite: 100 };
  expect(codex(before, turn)).toEqual({ input: 50, output: 30, cacheRead: 400, cacheWrite: 0 });
});

test("a thread of which nobody knows where it was is not counted", () => {
  expect(codex(null, turn)).toBeUndefined();
});

test("a counter below what it was has begun anew", () => {
  expect(codex({ ...none, cacheRead: 5000 }, turn)).toMatchObject({ input: 200, cacheRead: 700 });
});

test("opencode tells the tokens of each step", () => {
  const step = {
    ...{ type: "step_finish", sessionID: "s" },
    part: {
      reason: "stop",
      tokens: { input: 10, output: 5, reasoning: 3, cache: { read: 40, write: 7 } },
      cost: 0.1,
    },
  };
  expect(opencode(step, step)).toEqual({ input: 20, output: 16, cacheRead: 80, cacheWrite: 14 });
});

test("a program that tells no tokens has used an unknown number, not none", () => {
  expect(claude({ type: "result", total_cost_usd: 1 })).toBeUndefined();
  expect(codex(none, { type: "turn.completed" })).toBeUndefined();
  expect(
    opencode({ type: "step_finish", sessionID: "s", part: { reason: "stop", cost: 1 } }),
  ).toBeUndefined();
});
