import { describe, expect, test } from "vitest";
import type { OutcomeKind } from "../../../src/core/model/agent-end.js";
import type { ProcessEnd } from "../../../src/core/runtimes/agent-outcome.js";
import {
  OPENCODE_FAILURES,
  opencodeFailureKind,
} from "../../../src/core/runtimes/opencode/opencode-errors.js";
import {
  OpencodeStream,
  type OpencodeStreamOptions,
} from "../../../src/core/runtimes/opencode/opencode-stream.js";
import { briefly, NOISE, recordedStream, replayWith } from "../../support/core/replay-stream.js";
import { bearsAnything, docsListFailures, readsAnswers } from "../../support/core/stream-properties.js";

const recorded = (name: string) => recordedStream(`opencode-1.18.33/${name}`);
const replay = replayWith((options: OpencodeStreamOptions) => new OpencodeStream(options), {
  model: "mock/mock-model",
  prices: {},
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
    { stream: "review", code: 0, expected: "completed" },
    { stream: "drop", code: 0, expected: "completed" },
    { stream: "once", code: 0, expected: "completed" },
    { stream: "outside", code: 0, expected: "incomplete", detail: /^every tool call was denied: write\(/ },
    {
      stream: "rejected",
      code: 0,
      expected: "incomplete",
      detail: /^ended after tool-calls, exit code 0: write\(/,
    },
    { stream: "400", code: 1, expected: "failed", detail: /Invalid schema/ },
    { stream: "401", code: 1, expected: "auth", detail: /Incorrect API key/ },
    { stream: "402", code: 1, expected: "billing", detail: /Insufficient credits/ },
    { stream: "403", code: 1, expected: "auth", detail: /does not have access/ },
    { stream: "404", code: 1, expected: "unknown-model", detail: /does not exist/ },
    { stream: "429", code: 1, expected: "limited", detail: /Rate limit/ },
    { stream: "500", code: 1, expected: "unavailable", detail: /api_error/ },
    { stream: "529", code: 1, expected: "unavailable", detail: /overloaded/ },
    { stream: "late", code: 1, expected: "unavailable", detail: /api_error/ },
    { stream: "limit", code: 1, expected: "limited", detail: /usage limit/ },
    { stream: "quota", code: 1, expected: "billing", detail: /current quota/ },
    { stream: "refused-connection", code: 1, expected: "unavailable", detail: /^Cannot connect to API/ },
    { stream: "sigint", code: 130, expected: "incomplete", detail: /exit code 130/ },
    { stream: "sigterm", code: 143, expected: "incomplete", detail: /exit code 143/ },
  ])("$stream ending with $code is $expected", ({ stream, code, expected, detail }) => {
    const { outcome } = replay(recorded(stream), { code });
    expect(outcome.kind).toBe(expected);
    expect(outcome.detail).toMatch(detail ?? /^$|exit code/);
  });

  test("a worker's stream tells its session once, its words, its tools as they end, and its cost", () => {
    const { events, outcome } = replay(recorded("work"));
    expect(events.map(briefly)).toEqual([
      "session",
      "text",
      ...["write", "bash", "bash"].flatMap((tool) => [`${tool} end ok`, "usage"]),
      "text",
      "usage",
    ]);
    expect(outcome).toMatchObject({
      session: expect.stringMatching(/^ses_/),
      text: "Committed hello.txt. All done.",
      costUsd: 0.015,
      costKnown: true,
    });
  });

  test("a fork has a session of its own, a resumed session keeps its own", () => {
    const { session } = replay(recorded("work")).outcome;
    expect(replay(recorded("work-resume")).outcome.session).toBe(session);
    expect(replay(recorded("work-fork")).outcome.session).not.toBe(session);
  });

  test("what was denied is told and named", () => {
    const { events, outcome } = replay(recorded("outside"));
    expect(events).toContainEqual({ kind: "denied", tool: "write" });
    expect(outcome.denials).toEqual(["write(/srv/outside.txt)"]);
  });

  readsAnswers(recorded, replay);
});

describe("cost", () => {
  const prices = { "mock/mock-model": { input_usd: 1, output_usd: 10 } };
  test.each<{
    name: string;
    stream: string;
    facts?: Partial<ProcessEnd>;
    change?: Partial<OpencodeStreamOptions>;
    expected: { costUsd: number; costKnown: boolean };
  }>([
    {
      name: "each run counts for itself",
      stream: "work-resume",
      expected: { costUsd: 0.0075, costKnown: true },
    },
    {
      name: "a killed run has spent more than its finished steps say",
      stream: "kill9",
      facts: { code: null },
      expected: { costUsd: 0.00375, costKnown: false },
    },
    {
      name: "a model without a price is not free",
      stream: "free",
      expected: { costUsd: 0, costKnown: false },
    },
    {
      name: "a model without a price has the project's",
      stream: "free",
      change: { prices },
      expected: { costUsd: 0.006, costKnown: true },
    },
    {
      name: "list prices make an estimate",
      stream: "free",
      change: { model: "openai/gpt-5.5" },
      expected: { costUsd: 0.026, costKnown: false },
    },
  ])("$name", ({ stream, facts, change, expected }) => {
    const { costUsd, costKnown } = replay(recorded(stream), facts, change).outcome;
    expect(costUsd).toBeCloseTo(expected.costUsd, 9);
    expect(costKnown).toBe(expected.costKnown);
  });
});

describe("the order of judgement", () => {
  const line = (type: string, rest: object = {}) => JSON.stringify({ type, sessionID: "ses_1", ...rest });
  const begun = line("step_start");
  const ended = (reason: string) => line("step_finish", { part: { reason } });
  const tool = (state: object) => line("tool_use", { part: { tool: "bash", state } });
  const denied = tool({ status: "error", error: "The user rejected permission to use this tool call." });
  const error = (data: object) => line("error", { error: { name: "APIError", data } });
  test.each<{ name: string; lines: string[]; facts: Partial<ProcessEnd>; expected: OutcomeKind }>([
    {
      name: "a recorded stop beats everything",
      lines: [begun, error({ statusCode: 401 })],
      facts: { stopping: true, code: 1 },
      expected: "stopped",
    },
    {
      name: "no line means that nothing started",
      lines: [],
      facts: { code: 1, stderr: "Session not found" },
      expected: "start-failed",
    },
    {
      name: "a last step that stopped is success",
      lines: [begun, ended("stop")],
      facts: {},
      expected: "completed",
    },
    {
      name: "an exit code other than 0 is none",
      lines: [begun, ended("stop")],
      facts: { code: 1 },
      expected: "incomplete",
    },
    {
      name: "an error is none, whatever came after it",
      lines: [error({ statusCode: 400 }), begun, ended("stop")],
      facts: {},
      expected: "failed",
    },
    {
      name: "a run that stopped at a question ended in the middle",
      lines: [begun, denied, ended("tool-calls")],
      facts: {},
      expected: "incomplete",
    },
    {
      name: "a step that was begun and not finished is unfinished",
      lines: [begun, ended("stop"), begun],
      facts: {},
      expected: "incomplete",
    },
    {
      name: "one denial among work done is no failure",
      lines: [begun, tool({ status: "completed" }), denied, ended("stop")],
      facts: {},
      expected: "completed",
    },
    {
      name: "an answer that was too long is unfinished",
      lines: [begun, ended("length")],
      facts: {},
      expected: "incomplete",
    },
    {
      name: "an answer that was filtered is a refusal",
      lines: [begun, ended("content-filter")],
      facts: {},
      expected: "refused",
    },
  ])("$name", ({ lines, facts, expected }) => expect(replay(lines, facts).outcome.kind).toBe(expected));
});

test("a start that failed gives the reason without its colours", () => {
  const stderr = "\u001b[91m\u001b[1mError: \u001b[0mSession not found\n";
  expect(replay([], { code: 1, stderr }).outcome.detail).toBe("Error: Session not found");
});

test.each<[object, OutcomeKind]>([
  [{ name: "ProviderAuthError" }, "auth"],
  [{ name: "MessageAbortedError" }, "killed"],
  [{ status: 503 }, "unavailable"],
  [{ message: "Unable to connect. Is the computer able to access the url?" }, "unavailable"],
  [{ name: "ProviderModelNotFoundError", message: "no openai/gpt-9" }, "unknown-model"],
  [{ status: 404, body: '{"error":{"code":"model_not_found"}}' }, "unknown-model"],
  [{ status: 400, message: "socket" }, "failed"],
  [{ status: 400, message: "Your credit balance is too low" }, "billing"],
  [{}, "failed"],
])("%o means %s", (given, expected) => {
  const nothing = { name: "", status: null, message: "", body: "" };
  expect(opencodeFailureKind({ ...nothing, ...given })).toBe(expected);
});

test.each<{ name: string; headers: object; statusCode?: number; waits: number | null }>([
  { name: "seconds", headers: { "retry-after": "45" }, waits: 45_000 },
  {
    name: "milliseconds, which are more exact",
    headers: { "retry-after": "2", "retry-after-ms": "1500" },
    waits: 1500,
  },
  {
    name: "a time, seen from the answer's own",
    headers: { "retry-after": "Wed, 18 Nov 2026 08:05:42 GMT", date: "Wed, 18 Nov 2026 08:04:42 GMT" },
    waits: 60_000,
  },
  {
    name: "a time that is over",
    headers: { "retry-after": "Wed, 18 Nov 2026 08:00:00 GMT", date: "Wed, 18 Nov 2026 08:04:42 GMT" },
    waits: null,
  },
  { name: "a time alone", headers: { "retry-after": "Wed, 18 Nov 2026 08:05:42 GMT" }, waits: null },
  { name: "words", headers: { "retry-after": "soon" }, waits: null },
  { name: "a number in place of a text", headers: { "retry-after": 45 }, waits: null },
  { name: "nothing", headers: {}, waits: null },
  {
    name: "seconds of a service that is down",
    headers: { "retry-after": "45" },
    statusCode: 503,
    waits: null,
  },
])("a rate limit that asks for $name is waited for", ({ headers, statusCode = 429, waits }) => {
  const data = { message: "Rate limit reached", statusCode, responseHeaders: headers };
  const line = JSON.stringify({ type: "error", sessionID: "s", error: { name: "APIError", data } });
  expect(replay([line], { code: 1 }).outcome.retryAfterMs ?? null).toBe(waits);
});

docsListFailures(OPENCODE_FAILURES);

bearsAnything({ streams: ["work", "401", "outside", "kill9"], recorded, noise: NOISE, replay });
