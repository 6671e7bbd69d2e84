import { describe, expect, test } from "vitest";
import type { QuotaWindow, WindowUsage } from "../../../../src/core/govern/quota-level.js";
import { quotaFacts, quotaReports } from "../../../../src/core/run/plan/quota-facts.js";
import {
  fitQuota,
  type QuotaFacts,
  type QuotaQuestion,
  quotaRefusal,
} from "../../../../src/core/run/plan/quota-refusal.js";
import { bead } from "../../../support/core/beads.js";

const unknown = { ceilingUsd: null, spentUsd: 1 };

/** Claude Code's account, whose windows hold 100 USD each; so much of them is spent. */
function facts(usage: Partial<Record<QuotaWindow, WindowUsage>>, more: Partial<QuotaFacts> = {}): QuotaFacts {
  const account = { fiveHour: unknown, weekly: unknown, ...usage };
  return {
    guard: "on",
    ladder: { warn: 0.8, drain: 0.9, stop: 0.95 },
    accounts: new Map([["", account]]),
    ...more,
  };
}
const spent = (spentUsd: number | null) => ({ fiveHour: { ceilingUsd: 100, spentUsd } });
const week = (spentUsd: number) => ({ weekly: { ceilingUsd: 100, spentUsd } });

const agent = (estimateUsd = 1, runtime = "claude") => ({ runtime, estimateUsd });
const pinned = { mode: "login", fingerprint: "0123456789abcdef" } as const;
const one: QuotaQuestion = { agent: agent(), again: false, width: 8, atWork: [] };

describe("an agent", () => {
  test.each<{
    name: string;
    quota?: QuotaFacts;
    given?: Partial<QuotaQuestion>;
    expected: string | undefined;
  }>([
    { name: "starts where nobody has calibrated anything", expected: undefined },
    { name: "starts below the first level", quota: facts(spent(79)), expected: undefined },
    { name: "starts as the only one where it warns", quota: facts(spent(89)), expected: undefined },
    {
      name: "is new, so it waits from the second level on",
      quota: facts(spent(90)),
      expected: "quota_reached",
    },
    {
      name: "goes on with what was begun there",
      quota: facts(spent(90)),
      given: { again: true },
      expected: undefined,
    },
    {
      name: "waits at the last level in any case",
      quota: facts(spent(95)),
      given: { again: true },
      expected: "quota_reached",
    },
    {
      name: "waits for the week as well",
      quota: facts(week(95)),
      given: { again: true },
      expected: "quota_reached",
    },
    { name: "waits where nobody can tell", quota: facts(spent(null)), expected: "quota_unmeasured" },
    {
      name: "starts where only the other window cannot be told, which nobody has calibrated",
      quota: facts({ ...spent(1), weekly: { ceilingUsd: null, spentUsd: null } }),
      expected: undefined,
    },
    {
      name: "starts where the guard only talks",
      quota: facts(spent(99), { guard: "advisory" }),
      expected: undefined,
    },
    { name: "starts where the guard is off", quota: facts(spent(99), { guard: "off" }), expected: undefined },
    {
      name: "starts on another account",
      quota: facts(spent(99)),
      given: { agent: agent(1, "codex") },
      expected: undefined,
    },
    {
      name: "starts on a pinned account, whose windows are its own",
      quota: facts(spent(99)),
      given: { agent: { ...agent(), account: pinned } },
      expected: undefined,
    },
    {
      name: "waits for the pinned account that it works on",
      quota: {
        ...facts({}),
        accounts: new Map([["claude:0123456789abcdef", { weekly: unknown, ...spent(99) }]]),
      },
      given: { agent: { ...agent(), account: pinned } },
      expected: "quota_reached",
    },
    {
      name: "does not count those on a pinned account",
      quota: facts(spent(86)),
      given: { atWork: [1, 2, 3, 4].map(() => ({ ...agent(), account: pinned })) },
      expected: undefined,
    },
    {
      name: "is one of few as the account fills up",
      quota: facts(spent(86)),
      given: { atWork: [1, 2, 3].map(() => agent()) },
      expected: undefined,
    },
    {
      name: "is one too many then",
      quota: facts(spent(86)),
      given: { atWork: [1, 2, 3, 4].map(() => agent()) },
      expected: "quota_narrowed",
    },
    {
      name: "does not count those of other accounts",
      quota: facts(spent(86)),
      given: { atWork: [1, 2, 3, 4].map(() => agent(1, "codex")) },
      expected: undefined,
    },
    {
      name: "begins nothing that may use up the five hours",
      quota: facts(spent(50)),
      given: { agent: agent(45) },
      expected: "quota_exceeded",
    },
    {
      name: "not even with what others may still cost",
      quota: facts(spent(50)),
      given: { agent: agent(5), atWork: [agent(40)] },
      expected: "quota_exceeded",
    },
    {
      name: "weighs nothing in a week",
      quota: facts(week(50)),
      given: { agent: agent(45) },
      expected: undefined,
    },
    {
      name: "waits for a level of one's own",
      quota: facts(spent(40), { ladder: { warn: 0.1, drain: 0.4, stop: 0.5 } }),
      expected: "quota_reached",
    },
  ])("$name", ({ quota, given, expected }) =>
    expect(quotaRefusal({ ...one, ...given }, quota)?.code).toBe(expected),
  );
});

test("a plan goes as far as the account does, and the rest waits", () => {
  const item = (id: string, estimateUsd: number) => ({ bead: bead({ id }), ...agent(estimateUsd) });
  const plan = { width: 8, dispatch: [item("a", 20), item("b", 30), item("c", 10)], deferred: [] };
  const fitted = fitQuota(plan as unknown as Parameters<typeof fitQuota>[0], facts(spent(50)));
  expect(fitted.dispatch.map(({ bead: { id } }) => id)).toEqual(["a", "c"]);
  expect(fitted.deferred.map(({ bead: { id }, refusal }) => `${id} ${refusal.code}`)).toEqual([
    "b quota_exceeded",
  ]);
  expect(fitQuota(plan as unknown as Parameters<typeof fitQuota>[0], undefined)).toBe(plan);
});

const ladder = { warn: 0.8, drain: 0.9, stop: 0.95 };
const known = { guard: { mode: "off", until: null }, accounts: facts(spent(92)).accounts } as const;

test.each([
  { name: "the machine says", project: undefined, billingGuard: true, guard: "off" },
  { name: "the project says before it", project: "advisory" as const, billingGuard: true, guard: "advisory" },
  { name: "the run says before both", project: "on" as const, billingGuard: false, guard: "off" },
])("the guard is what $name", ({ project, billingGuard, guard }) => {
  expect(quotaFacts(known, { ...ladder, guard: project }, { billingGuard, now: 0 }).guard).toBe(guard);
});

test("an account is told of by the fuller of its windows, and not at all where none is calibrated", () => {
  expect(quotaReports(facts({ ...spent(10), ...week(92) }))).toEqual([
    { pool: "", level: "drain", window: "weekly", fraction: 0.92, measured: true, guard: "on" },
  ]);
  expect(quotaReports(facts(spent(null)))).toMatchObject([{ level: "stop", fraction: 1, measured: false }]);
  expect(quotaReports(facts({}))).toEqual([]);
});
