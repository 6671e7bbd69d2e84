import { describe, expect, test } from "vitest";
import type { AgentEnd, LeftBehind } from "../../../../src/core/model/agent-end.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import {
  type AttemptEnd,
  concludeAttempt,
  endEvents,
} from "../../../../src/core/run/tick/conclude-attempt.js";
import { agentEnd, slot } from "../../../support/core/slots.js";
import { worded } from "../../../support/core/worded.js";

const NOW = 1_000_000;

const completed = agentEnd();
const committed: LeftBehind = { head: "abc", began: null, commits: 2, dirty: false, said: null };
const nothing: LeftBehind = { head: null, began: null, commits: 0, dirty: false, said: null };

interface Case {
  readonly name: string;
  readonly slot?: Partial<Slot>;
  readonly end?: Partial<AttemptEnd>;
  readonly left?: Partial<LeftBehind>;
  readonly interrupted?: boolean;
  readonly expected: object;
}

test.each([
  { riskTier: 0, deaths: 3, waits: 60 },
  { riskTier: 0, deaths: 4, waits: null },
  { riskTier: 1, deaths: 2, waits: 60 },
  { riskTier: 1, deaths: 3, waits: null },
  { riskTier: 2, deaths: 1, waits: 30 },
  { riskTier: 2, deaths: 2, waits: null },
  { riskTier: 3, deaths: 0, waits: 60 },
  { riskTier: 3, deaths: 1, waits: null },
  { riskTier: 99, deaths: 1, waits: 30 },
  { riskTier: 99, deaths: 2, waits: null },
])("in tier $riskTier, after $deaths deaths, the next wait is $waits s", ({ riskTier, deaths, waits }) => {
  const died = { ...completed, kind: "killed" } as const;
  const verdict = concludeAttempt({ slot: slot({ riskTier, deaths }), end: died, left: nothing, now: NOW });
  if (waits === null)
    expect(worded(verdict)).toMatchObject({
      kind: "block",
      why: `${deaths + 1} attempts failed, the last: killed`,
    });
  else expect(verdict).toMatchObject({ kind: "requeue", counts: "death", notBefore: NOW + waits * 1000 });
});

test.each<Case>([
  {
    name: "a completed agent with commits and a clean tree has passed",
    expected: { kind: "pass", why: "" },
  },
  {
    name: "without a commit it has died",
    left: nothing,
    expected: { kind: "requeue", counts: "death", why: "it ended without a commit" },
  },
  {
    name: "with a dirty tree it has died",
    left: { dirty: true },
    expected: { kind: "requeue", counts: "death" },
  },
  {
    name: "an agent that died with commits goes on from them",
    end: { kind: "killed" },
    expected: { kind: "requeue", counts: "death" },
  },
  {
    name: "the third death blocks",
    slot: { deaths: 2 },
    end: { kind: "failed", detail: "why" },
    expected: { kind: "block", why: "3 attempts failed, the last: failed: why" },
  },
  {
    name: "a rate limit costs no attempt",
    slot: { deaths: 2 },
    end: { kind: "limited", detail: "429" },
    expected: { kind: "pause", why: "rate limit: 429" },
  },
  {
    name: "nor does a provider that is down, and it is not called a rate limit",
    slot: { deaths: 2 },
    end: { kind: "unavailable", detail: "connection refused" },
    expected: { kind: "pause", why: "no answer from the provider: connection refused" },
  },
  {
    name: "a refused login is not the bead's fault, whatever its agent left",
    slot: { deaths: 2 },
    end: { kind: "auth", detail: "log in" },
    left: { dirty: true, said: { state: "blocked", note: "" } },
    expected: { kind: "pause", why: "credential refused: log in" },
  },
  {
    name: "nor is a model that nobody has",
    end: { kind: "unknown-model", detail: "sonnet" },
    expected: { kind: "pause", why: "unknown model: sonnet" },
  },
  {
    name: "nor is an agent's program that does not start",
    end: { kind: "start-failed" },
    expected: { kind: "pause" },
  },
  {
    name: "but an agent that koryph would not start blocks at once",
    end: { kind: "not-started", detail: "a plugin" },
    expected: { kind: "block", why: "not-started: a plugin" },
  },
  {
    name: "but a session that is gone is replaced by a new one",
    slot: { session: "s" },
    end: { kind: "start-failed" },
    expected: { kind: "requeue", counts: "death" },
  },
  {
    name: "an agent that says it is blocked is believed",
    left: { said: { state: "blocked", note: "no key" } },
    expected: { kind: "block", why: "the agent says blocked: no key" },
  },
  {
    name: "an agent is quoted with its own word",
    left: { said: { state: "failed", word: "canceled", note: "" } },
    expected: { kind: "block", why: "the agent says canceled" },
  },
  {
    name: "a word that nobody knows is no pass",
    left: { said: { state: "unknown", word: "weird", note: "n" } },
    expected: { kind: "block", why: "the agent's status is “weird”, which koryph does not know: n" },
  },
  {
    name: "a status that cannot be read is no pass, but the next attempt may write a better one",
    left: { said: { state: "unreadable", note: "" } },
    expected: {
      kind: "requeue",
      counts: "death",
      why: "its status.json names no state that koryph can read",
    },
  },
  {
    name: "a stop may cut a status off while it is written, so it is no pass either",
    end: { kind: "stopped" },
    left: { said: { state: "unreadable", note: "" } },
    expected: { kind: "requeue", counts: "none" },
  },
  { name: "a stopped agent with commits proceeds", end: { kind: "stopped" }, expected: { kind: "pass" } },
  {
    name: "the wait after a stop is that of the bead's risk tier",
    slot: { riskTier: 3 },
    end: { kind: "stopped" },
    left: nothing,
    expected: { kind: "requeue", counts: "none", notBefore: NOW + 60_000 },
  },
  {
    name: "a stopped agent without any is queued at no cost, after the wait that a death would have cost",
    slot: { deaths: 2 },
    end: { kind: "stopped" },
    left: nothing,
    expected: { kind: "requeue", counts: "none", notBefore: NOW + 60_000 },
  },
  {
    name: "one that the ending engine cut short is no more done than it says, whatever it has committed",
    end: { kind: "stopped" },
    interrupted: true,
    expected: { kind: "requeue", counts: "none" },
  },
  {
    name: "the same where the next engine finds it stopped",
    end: { kind: "stopped", detail: { code: "interrupted" } },
    expected: { kind: "requeue", counts: "none" },
  },
  {
    name: "one that had said it was done proceeds, though the engine ends",
    end: { kind: "stopped" },
    left: { said: { state: "done", note: "" } },
    interrupted: true,
    expected: { kind: "pass" },
  },
  {
    name: "one that was stopped because the engine ends does not make the next engine wait",
    end: { kind: "stopped" },
    left: nothing,
    interrupted: true,
    expected: { kind: "requeue", counts: "none", notBefore: NOW },
  },
])("$name", ({ slot: given, end, left, interrupted = false, expected }) => {
  const facts = {
    slot: slot(given),
    end: { ...completed, ...end },
    left: { ...committed, ...left },
    now: NOW,
    interrupted,
  };
  expect(worded(concludeAttempt(facts))).toMatchObject(expected);
});

describe("waiting", () => {
  test.each([
    { deaths: 0, seconds: 15 },
    { deaths: 1, seconds: 30 },
  ])("doubles: after $deaths earlier deaths it is $seconds s", ({ deaths, seconds }) => {
    const facts = {
      slot: slot({ deaths }),
      end: { ...completed, kind: "killed" as const },
      left: nothing,
      now: NOW,
    };
    expect(concludeAttempt(facts)).toMatchObject({ notBefore: NOW + seconds * 1000 });
  });

  test("never exceeds a quarter of an hour", () => {
    const end = { ...completed, kind: "killed" as const };
    const facts = { slot: slot({ deaths: 1 }), end, left: nothing, now: NOW, backoffSeconds: 600 };
    expect(concludeAttempt(facts)).toMatchObject({ notBefore: NOW + 900_000 });
  });
});

test.each<{
  name: string;
  slot?: Partial<Slot>;
  end?: Partial<AgentEnd>;
  left?: Partial<LeftBehind>;
  start: string;
}>([
  { name: "commits", left: { head: "abc", commits: 1 }, start: "resume" },
  { name: "changes that are in no commit", left: { dirty: true }, start: "resume" },
  { name: "a session that the agent told of", end: { session: "s" }, start: "resume" },
  { name: "a session from before", slot: { session: "s" }, start: "resume" },
  {
    name: "afresh where there is nothing, and the session is gone",
    slot: { session: "s" },
    end: { kind: "start-failed", session: "s" },
    start: "fresh",
  },
  { name: "afresh where there is nothing", start: "fresh" },
])("the next attempt goes on with $name", ({ slot: given, end, left, start }) => {
  const events = endEvents({
    slot: slot(given),
    end: { ...completed, kind: "killed", session: null, ...end },
    left: { ...nothing, ...left },
    now: NOW,
  });
  expect(events.map(({ data }) => data)).toMatchObject([{ uncommitted: left?.dirty ?? false }, { start }]);
});

test("an agent that never started has cost nothing", () => {
  const end: AgentEnd = { ...completed, kind: "start-failed", costUsd: 0, costKnown: false };
  const [ended] = endEvents({ slot: slot(), end, left: nothing, now: NOW });
  expect(ended?.data).toMatchObject({ usage: { cost_usd: 0, cost_known: true } });
});

test.each([
  { answered: false, cost: 0 },
  { answered: true, cost: 2 },
])("an agent that met a limit, answered before: $answered, has cost $cost", ({ answered, cost }) => {
  const end: AgentEnd = { ...completed, kind: "limited", costUsd: 0, costKnown: false, answered };
  const [ended] = endEvents({ slot: slot(), end, left: nothing, now: NOW });
  expect(ended?.data).toMatchObject({ usage: { cost_usd: cost, cost_known: !answered } });
});

test("an end and its sequel are one batch, and a cost nobody knows is counted as estimated", () => {
  const end: AgentEnd = { ...completed, kind: "lost", costUsd: 0, costKnown: false };
  const events = endEvents({ slot: slot({ estimateUsd: 2.5 }), end, left: nothing, now: NOW });
  expect(events.map(({ type }) => type)).toEqual(["slot.ended", "slot.queued"]);
  expect(events[0]?.data).toMatchObject({ usage: { cost_usd: 2.5, cost_known: false } });
});
