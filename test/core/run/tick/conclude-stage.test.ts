import { describe, expect, test } from "vitest";
import type { AgentEnd, Judged, LeftBehind } from "../../../../src/core/model/agent-end.js";
import { writeEvent } from "../../../../src/core/run/ledger/ledger-event.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import {
  type AttemptFacts,
  concludeAttempt,
  endEvents,
} from "../../../../src/core/run/tick/conclude-attempt.js";
import { wordEvent } from "../../../../src/engine/word-event.js";
import { acceptedSlot, agentEnd, candidate, sha, slot, stage } from "../../../support/core/slots.js";
import { worded } from "../../../support/core/worded.js";

const NOW = 1_000_000;

const completed = agentEnd();
const committed: LeftBehind = { head: sha("d"), began: sha("b"), commits: 3, dirty: false, said: null };

function types(facts: AttemptFacts): string[] {
  const events = endEvents(facts);
  for (const event of events.map(wordEvent))
    writeEvent({ ...event, id: "0".repeat(26), at: "", actor: "test" });
  return events.map(({ type }) => type);
}

describe("a stage", () => {
  interface Given {
    readonly slot?: Partial<Slot>;
    readonly end?: Partial<AgentEnd>;
    readonly left?: Partial<LeftBehind>;
    readonly optional?: boolean;
  }

  function facts({ slot: over = {}, end = {}, left = {}, optional = false }: Given): AttemptFacts {
    const docs = stage({ task: "stage:docs", optional });
    return {
      slot: slot({ task: "stage:docs", asides: [docs], passed: ["implement"], commits: 2, ...over }),
      end: { ...completed, ...end },
      left: { ...committed, ...left },
      now: NOW,
    };
  }

  const died = (over: Partial<Slot> = {}): Given => ({
    slot: { deaths: 2, ...over },
    end: { kind: "failed", detail: "why" },
  });
  const no: Partial<LeftBehind> = { said: { state: "blocked", note: "no key" } };

  test.each<{ name: string; given: Given; expected: object }>([
    { name: "that completed has passed", given: {}, expected: { kind: "pass", why: "" } },
    {
      name: "that left changes in no commit has died",
      given: { left: { dirty: true } },
      expected: { kind: "requeue", counts: "death", why: "it ended with changes that are in no commit" },
    },
    {
      name: "that died is tried again",
      given: { end: { kind: "killed", detail: "" } },
      expected: { kind: "requeue", counts: "death", why: "killed", notBefore: NOW + 15_000 },
    },
    {
      name: "that died three times blocks when it is required",
      given: died(),
      expected: { kind: "block", why: "stage:docs failed: 3 attempts failed, the last: failed: why" },
    },
    {
      name: "that died three times is left out when it is optional",
      given: { ...died(), optional: true },
      expected: { kind: "pass", why: "stage:docs was left out: failed: why" },
    },
    {
      name: "that is optional is tried again, too",
      given: { ...died({ deaths: 1 }), optional: true },
      expected: { kind: "requeue", counts: "death" },
    },
    {
      name: "that ran out of time passes with what it had committed",
      given: { end: { kind: "timed-out", detail: "60 s" } },
      expected: { kind: "pass", why: "stage:docs ran out of time; what it had committed is kept" },
    },
    {
      name: "that ran out of time with changes in no commit has died",
      given: { end: { kind: "timed-out", detail: "60 s" }, left: { dirty: true } },
      expected: { kind: "requeue", counts: "death", why: "timed-out: 60 s" },
    },
    {
      name: "that says it is blocked blocks when it is required",
      given: { left: no },
      expected: { kind: "block", why: "the agent says blocked: no key" },
    },
    {
      name: "that says it is blocked is left out when it is optional",
      given: { left: no, optional: true },
      expected: { kind: "pass", why: "stage:docs was left out: the agent says blocked: no key" },
    },
    {
      name: "that koryph would not start blocks when it is required",
      given: { end: { kind: "not-started", detail: "a plugin" } },
      expected: { kind: "block", why: "not-started: a plugin" },
    },
    {
      name: "that koryph would not start is left out when it is optional",
      given: { end: { kind: "not-started", detail: "a plugin" }, optional: true },
      expected: { kind: "pass", why: "stage:docs was left out: not-started: a plugin" },
    },
    {
      name: "without a login waits for one, also when it is optional",
      given: { end: { kind: "auth", detail: "log in" }, optional: true },
      expected: { kind: "pause", why: "credential refused: log in" },
    },
    {
      name: "that could not start is its runtime's fault, for the implementer's session is not its own",
      given: { slot: { session: "s" }, end: { kind: "start-failed", detail: "no such file" } },
      expected: { kind: "pause" },
    },
    {
      name: "that met a rate limit is tried again at no cost, optional or not",
      given: { slot: { deaths: 2 }, end: { kind: "limited" }, optional: true },
      expected: { kind: "pause" },
    },
    {
      name: "that was stopped with changes in no commit is queued at no cost",
      given: { slot: { deaths: 2 }, end: { kind: "stopped", detail: "by ana" }, left: { dirty: true } },
      expected: { kind: "requeue", counts: "none", why: "stopped: by ana", notBefore: NOW + 60_000 },
    },
  ])("$name", ({ given, expected }) => expect(worded(concludeAttempt(facts(given)))).toMatchObject(expected));

  test("that is tried again goes on from the commits there are", () => {
    const [, queued] = endEvents(facts({ end: { kind: "killed" } }));
    expect(queued).toMatchObject({
      type: "slot.queued",
      data: { task: "stage:docs", start: "resume", report: null },
    });
  });

  test("whose cost nobody knows costs what that stage was expected to cost", () => {
    const given = { slot: { estimateUsd: 9 }, end: { kind: "lost", costUsd: 0, costKnown: false } } as const;
    const [ended] = endEvents(facts(given));
    expect(ended?.data).toMatchObject({ usage: { cost_usd: 0.5, cost_known: false } });
  });

  test.each<{ name: string; over: Partial<Slot>; expected: string[]; task?: string }>([
    {
      name: "the first stage follows the implementing at once",
      over: { task: "implement", passed: [] },
      expected: ["slot.ended", "slot.passed", "slot.queued"],
      task: "stage:docs",
    },
    {
      name: "implementing anew begins with the first stage again",
      over: { task: "implement", passed: ["implement", "stage:docs", "stage:test"] },
      expected: ["slot.ended", "slot.passed", "slot.queued"],
      task: "stage:docs",
    },
    {
      name: "the second stage follows the first",
      over: { task: "stage:docs" },
      expected: ["slot.ended", "slot.passed", "slot.queued"],
      task: "stage:test",
    },
    {
      name: "nothing follows the last one before its commits are accepted",
      over: { task: "stage:test", passed: ["implement", "stage:docs"] },
      expected: ["slot.ended", "slot.passed"],
    },
  ])("$name", ({ over, expected, task }) => {
    const asides = [stage({ task: "stage:docs" }), stage({ task: "stage:test" }), stage({ task: "review" })];
    const given = facts({ slot: { asides, ...over } });
    expect(types(given)).toEqual(expected);
    if (task !== undefined)
      expect(endEvents(given).at(-1)?.data).toMatchObject({ task, counts: "none", not_before: NOW });
  });
});

describe("a review", () => {
  const judged = (verdict: Judged["verdict"], note = "2 minor"): Judged => ({ verdict, note });

  interface Given {
    readonly slot?: Partial<Slot>;
    readonly end?: Partial<AgentEnd>;
    readonly judged?: Judged | null;
  }

  function facts({ slot: over = {}, end = {}, judged: answer = null }: Given): AttemptFacts {
    return {
      slot: acceptedSlot({
        status: "running",
        task: "review",
        asides: [stage({ task: "review" })],
        ...over,
      }),
      end: { ...completed, ...end },
      left: { head: candidate.head, began: null, commits: 2, dirty: false, said: null },
      now: NOW,
      judged: answer,
    };
  }

  test.each<{ name: string; given: Given; expected: object }>([
    {
      name: "with a clean verdict has passed",
      given: { judged: judged("clean") },
      expected: { kind: "pass", why: "2 minor" },
    },
    {
      name: "with a blocking verdict has passed as an attempt",
      given: { judged: judged("blocking") },
      expected: { kind: "pass", why: "2 minor" },
    },
    {
      name: "whose answer nobody can read is asked for once more",
      given: { judged: judged("degraded", "no JSON") },
      expected: { kind: "requeue", counts: "death", why: "review: no JSON", notBefore: NOW + 15_000 },
    },
    {
      name: "that cannot be read a second time is taken as degraded",
      given: { slot: { deaths: 1 }, judged: judged("degraded", "no JSON") },
      expected: { kind: "pass", why: "no JSON" },
    },
    {
      name: "whose reviewer died without an answer is asked for once more",
      given: { end: { kind: "killed", detail: "signal 9" } },
      expected: { kind: "requeue", counts: "death", why: "review: killed: signal 9" },
    },
    {
      name: "whose reviewer died twice is taken as degraded",
      given: { slot: { deaths: 1 }, end: { kind: "killed", detail: "signal 9" } },
      expected: { kind: "pass", why: "killed: signal 9" },
    },
    {
      name: "without a login is not degraded: it is asked for again when there is one",
      given: { slot: { deaths: 1 }, end: { kind: "auth", detail: "log in" }, judged: judged("degraded") },
      expected: { kind: "pause" },
    },
    {
      name: "that met a rate limit waits for it at no cost",
      given: { slot: { deaths: 1 }, end: { kind: "limited", retryAt: NOW + 60_000 } },
      expected: { kind: "pause" },
    },
    {
      name: "that was stopped is queued at no cost, whatever it had said",
      given: { slot: { deaths: 1 }, end: { kind: "stopped", detail: "by ana" }, judged: judged("clean") },
      expected: { kind: "requeue", counts: "none", why: "stopped: by ana", notBefore: NOW + 30_000 },
    },
  ])("$name", ({ given, expected }) => expect(worded(concludeAttempt(facts(given)))).toMatchObject(expected));

  test.each<{ name: string; given: Given; verdict: string }>([
    { name: "clean", given: { judged: judged("clean") }, verdict: "clean" },
    { name: "blocking", given: { judged: judged("blocking") }, verdict: "blocking" },
    {
      name: "unreadable",
      given: { slot: { deaths: 1 }, judged: judged("degraded") },
      verdict: "degraded",
    },
    {
      name: "none at all, which is never clean",
      given: { slot: { deaths: 1 }, end: { kind: "lost" } },
      verdict: "degraded",
    },
  ])("is recorded of exactly the head that was accepted: $name", ({ given, verdict }) => {
    expect(types(facts(given))).toEqual(["slot.ended", "slot.passed", "slot.reviewed"]);
    expect(endEvents(facts(given))[2]?.data).toMatchObject({ attempt: 1, head: candidate.head, verdict });
  });

  test("that is asked for once more stays a review", () => {
    expect(endEvents(facts({ end: { kind: "killed" } }))[1]?.data).toMatchObject({ task: "review" });
  });
});
