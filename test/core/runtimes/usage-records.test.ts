import { describe, expect, test } from "vitest";
import { readClaudeTranscript } from "../../../src/core/runtimes/claude/claude-transcript.js";
import { readCodexRollout } from "../../../src/core/runtimes/codex/codex-rollout.js";
import { eachOnce } from "../../../src/core/runtimes/spent-message.js";
import { answer, count, rollout, transcript } from "../../support/core/usage-records.js";

const usd = (text: string, read = readClaudeTranscript) => {
  const { messages, broken, unpriced } = read(text);
  const sum = eachOnce(messages).reduce((total, message) => total + message.usd, 0);
  return { usd: Number(sum.toFixed(6)), broken, unpriced };
};

describe("a transcript of Claude Code", () => {
  test.each<{ name: string; lines: readonly unknown[]; expected: Partial<ReturnType<typeof usd>> }>([
    {
      name: "tells what an answer cost",
      lines: [answer({ input: 1_000_000 })],
      expected: { usd: 3, broken: 0 },
    },
    {
      name: "with everything that is paid for",
      lines: [answer({ input: 1e6, output: 1e5, read: 2e5, written: 1e5 })],
      expected: { usd: 3 + 1.5 + 0.06 + 0.375 },
    },
    {
      name: "also for what is kept an hour, which costs twice the input",
      lines: [answer({ written: 1e6, anHour: 1e6 })],
      expected: { usd: 6 },
    },
    {
      name: "by its model",
      lines: [answer({ input: 1e6, model: "claude-opus-4-5-20251101" })],
      expected: { usd: 5 },
    },
    {
      name: "repeats an answer for each of its parts, and again in a resumed session",
      lines: [answer({ output: 1 }), answer({ output: 1e5 }), answer({ output: 1e5 }), answer({ output: 1 })],
      expected: { usd: 1.5 },
    },
    {
      name: "tells two requests apart",
      lines: [answer({ output: 1e5 }), answer({ output: 1e5, request: "req_2" })],
      expected: { usd: 3 },
    },
    {
      name: "may leave out the names of its answers, which then all count",
      lines: [answer({ output: 1e5, id: null }), answer({ output: 1e5, id: null })],
      expected: { usd: 3 },
    },
    {
      name: "counts a model without a price as the dearest",
      lines: [answer({ input: 1e6, model: "claude-next-9" })],
      expected: { usd: 15, unpriced: 1 },
    },
    {
      name: "holds messages that nobody paid for",
      lines: [answer({ input: 1e6, model: "<synthetic>" })],
      expected: { usd: 0, broken: 0 },
    },
    {
      name: "holds what tools printed, which is not believed",
      lines: [{ type: "user", message: { content: JSON.stringify(answer({ input: 1e6 })), usage: {} } }],
      expected: { usd: 0, broken: 0 },
    },
    {
      name: "counts what it cannot read, and goes on",
      lines: [
        '{"type":"assistant","message":{"usage":',
        answer({ input: -5 }),
        answer({ input: 1e12 }),
        { ...answer({ input: 1 }), timestamp: "yesterday" },
        { type: "assistant", message: { usage: "much" } },
        answer({ input: 1e6 }),
      ],
      expected: { usd: 3, broken: 5 },
    },
  ])("$name", ({ lines, expected }) => expect(usd(transcript(lines))).toMatchObject(expected));

  test("is not done with a line that has no end", () => {
    expect(usd(`${transcript([answer({ input: 1e6 })])}{"type":"assistant","message":{"usage":{`)).toEqual({
      usd: 3,
      broken: 0,
      unpriced: 0,
    });
  });
});

test("a rollout of Codex tells how full the provider shows the windows, the newest last", () => {
  const limits = (second: number, primary: object, secondary: object | null) => {
    const { payload, ...line } = count(second, second * 1e6);
    return { ...line, payload: { ...payload, rate_limits: { primary, secondary } } };
  };
  const lines = [
    limits(1, { used_percent: 7, window_minutes: 300 }, { used_percent: 60.5, window_minutes: 10080 }),
    limits(2, { used_percent: 9, window_minutes: 300 }, null),
    limits(3, { used_percent: 900, window_minutes: 300 }, { used_percent: 1, window_minutes: 60 }),
  ];
  const at = (second: number) => Date.parse(`2026-11-19T12:00:0${second}.000Z`);
  expect(readCodexRollout(rollout(lines)).limits).toEqual([
    { window: "fiveHour", percent: 9, at: at(2) },
    { window: "weekly", percent: 60.5, at: at(1) },
  ]);
});

describe("a rollout of Codex", () => {
  const cost = (...lines: readonly unknown[]) => usd(rollout(lines), readCodexRollout);

  test.each<{ name: string; lines: readonly unknown[]; expected: Partial<ReturnType<typeof usd>> }>([
    { name: "tells what came on top", lines: [count(1, 1e6), count(2, 3e6)], expected: { usd: 5.25 } },
    {
      name: "repeats its counters, which costs nothing",
      lines: [count(1, 1e6), count(2, 1e6)],
      expected: { usd: 1.75 },
    },
    {
      name: "takes cached tokens out of the input",
      lines: [count(1, 1e6, { cached_input_tokens: 1e6 })],
      expected: { usd: 0.175 },
    },
    {
      name: "begins in the middle of a thread with its last answer",
      lines: [count(1, 9e6, {}, { input_tokens: 1e6, output_tokens: 0 })],
      expected: { usd: 1.75 },
    },
    {
      name: "repeats what a fork was made of",
      lines: [count(1, 1e6), count(2, 2e6), count(1, 1e6), count(2, 2e6)],
      expected: { usd: 3.5 },
    },
    {
      name: "may tell of limits only",
      lines: [{ ...count(1, 0), payload: { type: "token_count", info: null, rate_limits: {} } }],
      expected: { usd: 0, broken: 0 },
    },
    {
      name: "counts a model without a price as the dearest",
      lines: [{ type: "turn_context", payload: { model: "gpt-9" } }, count(1, 1e6)],
      expected: { usd: 5, unpriced: 1 },
    },
    {
      name: "counts what it cannot read, and goes on",
      lines: [
        '{"type":"event_msg","payload":{"type":"token_count"',
        count(1, -4),
        count(2, 1e9),
        count(3, 1e6),
      ],
      expected: { usd: 1.75, broken: 3 },
    },
  ])("$name", ({ lines, expected }) => expect(cost(...lines)).toMatchObject(expected));
});
