import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OutcomeKind } from "../../../src/core/model/agent-end.js";
import type { AgentEvent, ProcessEnd } from "../../../src/core/runtimes/agent-outcome.js";
import { CLAUDE_FAILURES, claudeFailureKind } from "../../../src/core/runtimes/claude/claude-errors.js";
import { ClaudeStream } from "../../../src/core/runtimes/claude/claude-stream.js";
import { NOISE } from "../../support/core/replay-stream.js";
import { docsListFailures } from "../../support/core/stream-properties.js";

const byItself: ProcessEnd = { stopping: false, code: 0, ended: "by-itself", stderr: "" };

function recorded(name: string): string[] {
  const file = new URL(`../../support/streams/claude-${name}.jsonl`, import.meta.url);
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

function replay(lines: readonly string[], facts: Partial<ProcessEnd> = {}, costBaselineUsd = 0) {
  const stream = new ClaudeStream({ version: "2.1.197", costBaselineUsd });
  const events = lines.flatMap((line) => [...stream.push(line)]);
  return { events, outcome: stream.end({ ...byItself, ...facts }) };
}

const init = JSON.stringify({
  type: "system",
  subtype: "init",
  session_id: "s",
  claude_code_version: "2.1.325",
});
const result = (fields: object) =>
  JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "ok", ...fields });

describe("recorded situations", () => {
  test.each<{ stream: string; code: number | null; expected: OutcomeKind; detail?: RegExp }>([
    { stream: "2.1.197/work", code: 0, expected: "completed" },
    { stream: "2.1.325/work", code: 0, expected: "completed" },
    { stream: "2.1.197/work-resume", code: 0, expected: "completed" },
    { stream: "2.1.197/work-fork", code: 0, expected: "completed" },
    {
      stream: "2.1.197/outside",
      code: 0,
      expected: "incomplete",
      detail: /^every tool call was denied: Write\(/,
    },
    {
      stream: "2.1.325/outside",
      code: 0,
      expected: "incomplete",
      detail: /^every tool call was denied: Write\(/,
    },
    { stream: "2.1.197/mix", code: 0, expected: "completed", detail: /^denied: Write\(/ },
    { stream: "2.1.197/529", code: 1, expected: "unavailable", detail: /529/ },
    { stream: "2.1.197/500", code: 1, expected: "unavailable", detail: /500/ },
    { stream: "2.1.197/429", code: 1, expected: "limited", detail: /429/ },
    { stream: "2.1.197/limit", code: 1, expected: "limited", detail: /session limit/ },
    { stream: "2.1.325/limit", code: 1, expected: "limited", detail: /5-hour limit/ },
    { stream: "2.1.197/warn", code: 0, expected: "completed" },
    { stream: "2.1.197/401", code: 1, expected: "auth", detail: /Invalid API key/ },
    { stream: "2.1.197/403", code: 1, expected: "auth", detail: /403/ },
    { stream: "2.1.197/no-credentials", code: 1, expected: "auth", detail: /Not logged in/ },
    { stream: "2.1.197/400", code: 1, expected: "failed", detail: /400/ },
    { stream: "2.1.197/404", code: 1, expected: "unknown-model", detail: /selected model/ },
    { stream: "2.1.197/credit", code: 1, expected: "billing", detail: /Credit balance/ },
    { stream: "2.1.197/refused-connection", code: 1, expected: "unavailable", detail: /Unable to connect/ },
    { stream: "2.1.325/refused-connection", code: 1, expected: "unavailable", detail: /Connection refused/ },
    { stream: "2.1.197/drop", code: 0, expected: "completed" },
    { stream: "2.1.197/once", code: 0, expected: "completed" },
    { stream: "2.1.197/max-turns", code: 1, expected: "max-turns" },
    { stream: "2.1.197/budget", code: 1, expected: "budget" },
    { stream: "2.1.197/refuse", code: 1, expected: "refused" },
    { stream: "2.1.325/refuse", code: 1, expected: "refused" },
    { stream: "2.1.197/unknown-resume", code: 1, expected: "start-failed", detail: /^No conversation found/ },
    { stream: "2.1.197/sigint-tool", code: 1, expected: "killed", detail: /aborted_tools/ },
    { stream: "2.1.325/sigint-tool", code: 0, expected: "killed", detail: /aborted_tools/ },
    { stream: "2.1.197/sigint-wait", code: 0, expected: "killed", detail: /aborted_streaming/ },
    { stream: "2.1.325/sigint-wait", code: 0, expected: "killed" },
    { stream: "2.1.197/sigterm", code: 143, expected: "incomplete", detail: /exit code 143/ },
    { stream: "2.1.197/sighup", code: 129, expected: "incomplete", detail: /exit code 129/ },
    { stream: "2.1.197/kill9", code: null, expected: "killed" },
  ])("$stream ending with $code is $expected", ({ stream, code, expected, detail }) => {
    const { outcome } = replay(recorded(stream), { code });
    expect(outcome.kind).toBe(expected);
    expect(outcome.detail).toMatch(detail ?? /^/);
  });

  test("a worker's stream tells its session, words, tools and cost", () => {
    const { events, outcome } = replay(recorded("2.1.197/work"));
    expect(events.map(brief)).toEqual([
      "session",
      "text",
      ...["Write", "Read", "Write", "Bash"].flatMap((tool) => [`${tool} start`, `${tool} end ok`]),
      "text",
      "usage",
    ]);
    expect(outcome).toMatchObject({
      session: "20704543-7c3e-460d-b96b-463e5797488e",
      text: expect.stringContaining("Committed."),
      costUsd: 0.01875,
      costKnown: true,
    });
  });

  test("retries are told as they happen", () => {
    const retries = replay(recorded("2.1.197/401")).events.filter(({ kind }) => kind === "retry");
    expect(retries).toHaveLength(6);
    expect(retries[0]).toMatchObject({ attempt: 1, status: 401, reason: "authentication_failed" });
    expect(replay(recorded("2.1.197/drop")).events).toContainEqual(
      expect.objectContaining({ kind: "retry", status: null }),
    );
  });

  test("a full plan says when to come back, a plan that is filling up holds nobody up", () => {
    expect(replay(recorded("2.1.197/limit")).outcome.retryAt).toBe(1_900_000_000_000);
    const { events, outcome } = replay(recorded("2.1.197/warn"));
    expect(events).toContainEqual({ kind: "limit", state: "ok", resetsAt: 1_900_000_000_000 });
    expect(outcome.retryAt).toBeNull();
    const warning = JSON.stringify({
      type: "rate_limit_event",
      rate_limit_info: { status: "allowed_warning" },
    });
    expect(replay([init, warning, result({})])).toMatchObject({
      events: [{}, { kind: "limit", state: "warn", resetsAt: null }],
      outcome: { kind: "completed", retryAt: null },
    });
  });

  test("a denial is told once, although newer versions report it twice", () => {
    for (const version of ["2.1.197", "2.1.325"]) {
      const { events, outcome } = replay(recorded(`${version}/outside`));
      expect(events.filter(({ kind }) => kind === "denied")).toEqual([{ kind: "denied", tool: "Write" }]);
      expect(outcome.denials).toEqual(["Write(/srv/outside.txt)"]);
    }
  });

  test("an agent that was killed has a session to resume and a cost nobody knows", () => {
    const { outcome } = replay(recorded("2.1.197/kill9"), { code: null, ended: "unknown" });
    expect(outcome).toMatchObject({ session: expect.any(String), costUsd: 0, costKnown: false });
  });
});

describe("cost", () => {
  test.each([
    { name: "2.1.197 counts the run", stream: "2.1.197/work-resume", baseline: 0.01875, expected: 0.00375 },
    {
      name: "2.1.325 goes on counting on resume",
      stream: "2.1.325/work-resume",
      baseline: 0.01875,
      expected: 0.00375,
    },
    {
      name: "2.1.325 goes on counting in a fork",
      stream: "2.1.325/work-fork",
      baseline: 0.0225,
      expected: 0.00375,
    },
    {
      name: "a counter below its baseline began anew",
      stream: "2.1.325/work",
      baseline: 5,
      expected: 0.01875,
    },
  ])("$name", ({ stream, baseline, expected }) => {
    expect(replay(recorded(stream), {}, baseline).outcome.costUsd).toBeCloseTo(expected, 9);
  });

  test.each([
    ["2.1.276", "run"],
    ["2.1.277", "session"],
    ["2.2.0", "session"],
    ["soon", "run"],
  ])("the counter of version %s covers one %s", (version, scope) => {
    const stream = new ClaudeStream({ version, costBaselineUsd: 0 });
    expect(stream.push(result({ total_cost_usd: 1 }))).toEqual([{ kind: "usage", costUsd: 1, scope }]);
  });
});

describe("the order of judgement", () => {
  const good = [init, result({})];
  const bad = [init, result({ is_error: true, api_error_status: 429 })];
  test.each<{ name: string; lines: string[]; facts: Partial<ProcessEnd>; expected: OutcomeKind }>([
    {
      name: "a recorded stop beats everything",
      lines: bad,
      facts: { stopping: true, code: null, ended: "wall-clock" },
      expected: "stopped",
    },
    {
      name: "the wall clock beats the stream",
      lines: good,
      facts: { code: 143, ended: "wall-clock" },
      expected: "timed-out",
    },
    {
      name: "an engine that was gone loses the agent",
      lines: good,
      facts: { code: 143, ended: "engine-gone" },
      expected: "lost",
    },
    {
      name: "no exit code means killed",
      lines: good,
      facts: { code: null, ended: "unknown" },
      expected: "killed",
    },
    {
      name: "no session line means that nothing started",
      lines: [],
      facts: { code: 1, stderr: "x\nError: Invalid session ID.\n" },
      expected: "start-failed",
    },
    { name: "exit code 0 without a result is no success", lines: [init], facts: {}, expected: "incomplete" },
    {
      name: "exit code 1 after a good result is no failure",
      lines: good,
      facts: { code: 1 },
      expected: "completed",
    },
    { name: "the last result wins", lines: [...bad, init, result({})], facts: {}, expected: "completed" },
    {
      name: "the last result wins when it is the bad one",
      lines: [...good, ...bad],
      facts: {},
      expected: "limited",
    },
    {
      name: "success with is_error is a failure",
      lines: [init, result({ is_error: true })],
      facts: {},
      expected: "failed",
    },
    {
      name: "a refusal is one even without an error flag",
      lines: [init, result({ stop_reason: "refusal" })],
      facts: {},
      expected: "refused",
    },
    {
      name: "the order of keys does not matter",
      lines: [init, '{"is_error":true,"subtype":"error_max_turns","type":"result"}'],
      facts: {},
      expected: "max-turns",
    },
  ])("$name", ({ lines, facts, expected }) => expect(replay(lines, facts).outcome.kind).toBe(expected));

  test("a start that failed gives the reason from standard error", () => {
    expect(replay([], { code: 1, stderr: "warning\nError: Invalid session ID.\n\n" }).outcome.detail).toBe(
      "Error: Invalid session ID.",
    );
  });

  test("an error class of an earlier turn does not colour a later result", () => {
    const failed = JSON.stringify({ type: "assistant", error: "rate_limit", message: { content: [] } });
    const lines = [init, failed, result({ is_error: true }), result({ is_error: true, result: "other" })];
    expect(replay(lines).outcome.kind).toBe("failed");
  });
});

test.each<[object, OutcomeKind]>([
  [{ status: 402 }, "billing"],
  [{ status: 400, error: "billing_error" }, "billing"],
  [{ status: 503 }, "unavailable"],
  [{ error: "server_error" }, "unavailable"],
  [{ error: "rate_limit" }, "limited"],
  [{ error: "model_not_found", status: 404 }, "unknown-model"],
  [{ status: 404, text: "no such page" }, "failed"],
  [{ error: "unknown" }, "failed"],
])("%o means %s", (given, expected) => {
  const nothing = { subtype: "", stopReason: "", terminalReason: "", status: null, error: "", text: "" };
  expect(claudeFailureKind({ ...nothing, ...given })).toBe(expected);
});

docsListFailures(CLAUDE_FAILURES);

describe("whatever is fed to it", () => {
  const streams = ["2.1.197/work", "2.1.325/outside", "2.1.197/401", "2.1.325/limit", "2.1.197/mix"];

  test("any way of cutting the lines into pushes gives the same events and outcome", () => {
    fc.assert(
      fc.property(fc.constantFrom(...streams), fc.array(fc.integer({ min: 1, max: 5 })), (name, sizes) => {
        const lines = recorded(name);
        const chunks: string[] = [];
        for (let at = 0, turn = 0; at < lines.length; turn += 1) {
          const size = sizes[turn % Math.max(1, sizes.length)] ?? 1;
          chunks.push(lines.slice(at, at + size).join("\n"));
          at += size;
        }
        expect(replay(chunks)).toEqual(replay(lines));
      }),
    );
  });

  test("lines that are no events change nothing, wherever they come", () => {
    const noise = fc.constantFrom(...NOISE, '{"type":"tool_progress"}');
    fc.assert(
      fc.property(fc.constantFrom(...streams), fc.array(noise), (name, extra) => {
        const lines = recorded(name);
        const mixed = lines.flatMap((line, index) => [...extra.slice(index, index + 1), line]);
        expect(replay([...mixed, ...extra])).toEqual(replay(lines));
      }),
    );
  });

  test("no line makes it throw", () => {
    const type = fc.constantFrom("system", "assistant", "user", "result", "rate_limit_event");
    const shaped = fc
      .tuple(
        type,
        fc.dictionary(
          fc.constantFrom(
            "subtype",
            "message",
            "error",
            "errors",
            "permission_denials",
            "rate_limit_info",
            "total_cost_usd",
            "claude_code_version",
            "session_id",
            "result",
          ),
          fc.jsonValue(),
        ),
      )
      .map(([word, rest]) => JSON.stringify({ ...rest, type: word }));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), shaped)), (lines) => {
        const { outcome } = replay(lines);
        expect(outcome.costUsd).toBeGreaterThanOrEqual(0);
        expect(outcome.detail.length).toBeLessThanOrEqual(500);
      }),
      { numRuns: 500 },
    );
  });
});

function brief(event: AgentEvent): string {
  if (event.kind !== "tool") return event.kind;
  return [event.name, event.phase, ...(event.ok === null ? [] : [event.ok ? "ok" : "failed"])].join(" ");
}
