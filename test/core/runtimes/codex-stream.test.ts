import { describe, expect, test } from "vitest";
import type { OutcomeKind } from "../../../src/core/model/agent-end.js";
import type { ProcessEnd } from "../../../src/core/runtimes/agent-outcome.js";
import {
  CODEX_FAILURES,
  codexFailureKind,
  codexRetryAt,
} from "../../../src/core/runtimes/codex/codex-errors.js";
import { CodexStream, type CodexStreamOptions } from "../../../src/core/runtimes/codex/codex-stream.js";
import { briefly, NOISE, recordedStream, replayWith } from "../../support/core/replay-stream.js";
import { bearsAnything, docsListFailures, readsAnswers } from "../../support/core/stream-properties.js";

const recorded = (name: string) => recordedStream(`codex-0.166.0/${name}`);
const replay = replayWith((options: CodexStreamOptions) => new CodexStream(options), {
  model: "gpt-5.5",
  prices: {},
  costBaselineUsd: 0,
  structured: false,
});

describe("recorded situations", () => {
  test.each<{ stream: string; code: number | null; expected: OutcomeKind; detail?: RegExp }>([
    { stream: "work", code: 0, expected: "completed" },
    { stream: "work-resume", code: 0, expected: "completed" },
    { stream: "work-fork", code: 0, expected: "completed" },
    { stream: "kill9", code: null, expected: "killed" },
    { stream: "kill9-resume", code: 0, expected: "completed" },
    { stream: "failcmd", code: 0, expected: "completed" },
    { stream: "outside", code: 0, expected: "completed" },
    { stream: "review", code: 0, expected: "completed" },
    { stream: "drop", code: 0, expected: "completed" },
    { stream: "once", code: 0, expected: "completed" },
    { stream: "refuse", code: 0, expected: "completed" },
    { stream: "400", code: 1, expected: "failed", detail: /Invalid schema/ },
    { stream: "401", code: 1, expected: "auth", detail: /401 Unauthorized/ },
    { stream: "402", code: 1, expected: "billing", detail: /402 Payment Required/ },
    { stream: "403", code: 1, expected: "auth", detail: /403 Forbidden/ },
    { stream: "404", code: 1, expected: "unknown-model", detail: /404 Not Found/ },
    { stream: "404-named", code: 1, expected: "unknown-model", detail: /^The model 'gpt-9' does not exist/ },
    { stream: "429", code: 1, expected: "limited", detail: /429/ },
    { stream: "500", code: 1, expected: "unavailable", detail: /high demand/ },
    { stream: "529", code: 1, expected: "unavailable", detail: /529/ },
    { stream: "late", code: 1, expected: "unavailable", detail: /high demand/ },
    { stream: "limit", code: 1, expected: "limited", detail: /usage limit/ },
    { stream: "quota", code: 1, expected: "billing", detail: /^Quota exceeded/ },
    { stream: "refused-connection", code: 1, expected: "unavailable", detail: /^Connection failed/ },
    { stream: "no-credentials", code: 1, expected: "auth", detail: /CODEX_API_KEY/ },
    { stream: "sigint", code: 1, expected: "incomplete", detail: /exit code 1/ },
    { stream: "sigterm", code: 143, expected: "incomplete", detail: /exit code 143/ },
  ])("$stream ending with $code is $expected", ({ stream, code, expected, detail }) => {
    const { outcome } = replay(recorded(stream), { code });
    expect(outcome.kind).toBe(expected);
    expect(outcome.detail).toMatch(detail ?? /^$|exit code/);
  });

  test("a worker's stream tells its thread, words, tools and cost", () => {
    const { events, outcome } = replay(recorded("work"));
    expect(events.map(briefly)).toEqual([
      "session",
      "text",
      ...["edit", "shell", "shell"].flatMap((tool) => [`${tool} start`, `${tool} end ok`]),
      "text",
      "usage",
    ]);
    expect(outcome).toMatchObject({
      session: "01a1e2dd-d6ea-7150-afde-da50cbb43d2e",
      text: "Committed hello.txt. All done.",
    });
  });

  test("a fork has a thread of its own, a resumed thread keeps its own", () => {
    const { session } = replay(recorded("work")).outcome;
    expect(replay(recorded("work-resume")).outcome.session).toBe(session);
    expect(replay(recorded("work-fork")).outcome.session).not.toBe(session);
  });

  test("a command that failed is told as failed", () => {
    expect(replay(recorded("failcmd")).events.map(briefly)).toContain("shell end failed");
  });

  test("retries are told as they happen", () => {
    const retries = replay(recorded("401")).events.filter(({ kind }) => kind === "retry");
    expect(retries).toHaveLength(5);
    expect(retries[0]).toMatchObject({ attempt: 1, delayMs: null, status: 401 });
    expect(replay(recorded("500")).events).toContainEqual(
      expect.objectContaining({ kind: "retry", attempt: 5, status: null }),
    );
  });

  test("a full plan says when to come back", () => {
    const { retryAt } = replay(recorded("limit"), { code: 1 }).outcome;
    // It opens at 1,900,000,000 s; the words leave the seconds out.
    expect(retryAt).toBe(1_900_000_020_000);
    expect(replay(recorded("429"), { code: 1 }).outcome.retryAt).toBeNull();
  });

  readsAnswers(recorded, replay);
});

describe("cost", () => {
  const own = { "gpt-5.5": { input_usd: 1, output_usd: 10 } };
  test.each<{
    name: string;
    stream: string;
    change: Partial<CodexStreamOptions>;
    expected: { costUsd: number; costKnown: boolean };
  }>([
    {
      name: "list prices make an estimate",
      stream: "work",
      change: {},
      expected: { costUsd: 0.026, costKnown: false },
    },
    {
      name: "the project's prices are believed",
      stream: "work",
      change: { prices: own },
      expected: { costUsd: 0.006, costKnown: true },
    },
    {
      name: "a model without a price has no known cost",
      stream: "work",
      change: { model: "mine" },
      expected: { costUsd: 0, costKnown: false },
    },
    {
      name: "on resume the counter goes on, and what was spent before is taken off",
      stream: "work-resume",
      change: { prices: own, costBaselineUsd: 0.006 },
      expected: { costUsd: 0.003, costKnown: true },
    },
    {
      name: "in a fork the counter goes on, too",
      stream: "work-fork",
      change: { prices: own, costBaselineUsd: 0.009 },
      expected: { costUsd: 0.0015, costKnown: true },
    },
    {
      name: "a counter below its baseline began anew",
      stream: "work",
      change: { prices: own, costBaselineUsd: 5 },
      expected: { costUsd: 0.006, costKnown: true },
    },
    {
      name: "a killed agent leaves no counter behind",
      stream: "kill9",
      change: { prices: own },
      expected: { costUsd: 0, costKnown: false },
    },
  ])("$name", ({ stream, change, expected }) => {
    const { costUsd, costKnown } = replay(recorded(stream), {}, change).outcome;
    expect(costUsd).toBeCloseTo(expected.costUsd, 9);
    expect(costKnown).toBe(expected.costKnown);
  });

  test("cached tokens are part of the input and cost what they cost", () => {
    const usage = {
      input_tokens: 1_000_000,
      cached_input_tokens: 600_000,
      cache_write_input_tokens: 100_000,
      output_tokens: 0,
    };
    const prices = {
      "gpt-5.5": { input_usd: 10, output_usd: 0, cache_read_usd: 1, cache_write_usd: 20 },
    };
    const lines = [JSON.stringify({ type: "turn.completed", usage })];
    expect(replay(lines, {}, { prices }).outcome.costUsd).toBeCloseTo(3 + 0.6 + 2, 9);
  });
});

describe("the order of judgement", () => {
  const thread = '{"type":"thread.started","thread_id":"t"}';
  const begun = '{"type":"turn.started"}';
  const done = '{"type":"turn.completed"}';
  const failed = '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}';
  test.each<{ name: string; lines: string[]; facts: Partial<ProcessEnd>; expected: OutcomeKind }>([
    {
      name: "a recorded stop beats everything",
      lines: [thread, begun, failed],
      facts: { stopping: true, code: 1 },
      expected: "stopped",
    },
    {
      name: "the wall clock beats the stream",
      lines: [thread, begun, done],
      facts: { ended: "wall-clock" },
      expected: "timed-out",
    },
    {
      name: "no thread means that nothing started",
      lines: [],
      facts: { code: 1, stderr: "Error: no rollout found for thread id x" },
      expected: "start-failed",
    },
    {
      name: "exit code 0 in the middle of a turn is no success",
      lines: [thread, begun],
      facts: {},
      expected: "incomplete",
    },
    {
      name: "a warning is no failure",
      lines: [thread, begun, '{"type":"item.completed","item":{"type":"error","message":"x"}}', done],
      facts: {},
      expected: "completed",
    },
    {
      name: "a lost connection that came back is no failure",
      lines: [thread, begun, '{"type":"error","message":"Reconnecting... 1/5 (x)"}', done],
      facts: {},
      expected: "completed",
    },
    {
      name: "an error alone does not end a turn",
      lines: [thread, begun, '{"type":"error","message":"unexpected status 401"}'],
      facts: { code: 1 },
      expected: "incomplete",
    },
    {
      name: "exit code 1 after a finished turn is no failure",
      lines: [thread, begun, done],
      facts: { code: 1 },
      expected: "completed",
    },
    {
      name: "a turn begun after a finished one is unfinished",
      lines: [thread, begun, done, begun],
      facts: {},
      expected: "incomplete",
    },
  ])("$name", ({ lines, facts, expected }) => expect(replay(lines, facts).outcome.kind).toBe(expected));
});

test.each<[string, OutcomeKind]>([
  ["Selected model is at capacity. Please try a different model.", "unavailable"],
  ["stream disconnected before completion: error sending request", "unavailable"],
  [
    "unexpected status 404 Not Found: The model `gpt-9` does not exist or you do not have access to it.",
    "unknown-model",
  ],
  [
    `unexpected status 400 Bad Request: {"detail":"The 'gpt-9' model is not supported when using Codex"}`,
    "unknown-model",
  ],
  // Codex leaves the status out where the service names the fault itself (`model_not_found`).
  ["The model 'gpt-9' does not exist or you do not have access to it.", "unknown-model"],
  ["The requested model does not exist.", "unknown-model"],
  [
    `{"detail":"The 'gpt-9' model is not supported when using Codex with a ChatGPT account."}`,
    "unknown-model",
  ],
  ["Project `p` does not have access to model gpt-9", "unknown-model"],
  ["Invalid schema for the answer: the model does not exist in it", "failed"],
  ["unexpected status 404 Not Found: no model 429 or 401 here", "failed"],
  ["", "failed"],
])("%j means %s", (message, expected) => expect(codexFailureKind(message)).toBe(expected));

test.each<[string, string | null]>([
  ["try again at Mar 17th, 2030 5:46 PM.", "2030-03-17T17:47:00.000Z"],
  ["try again at Jan 1st, 2027 12:00 AM.", "2027-01-01T00:01:00.000Z"],
  ["try again at Dec 22nd, 2026 12:30 PM.", "2026-12-22T12:31:00.000Z"],
  ["try again at 5:46 PM.", null],
  ["try again at Foo 1st, 2027 12:00 AM.", null],
])("%j is %s", (message, expected) => {
  const at = codexRetryAt(message);
  expect(at === null ? null : new Date(at).toISOString()).toBe(expected);
});

docsListFailures(CODEX_FAILURES);

bearsAnything({ streams: ["work", "401", "limit", "sigint"], recorded, noise: NOISE, replay });
