import { describe, expect, test } from "vitest";
import { type Diagnosis, isUnsafe, levelOf } from "../../../src/core/doctor/diagnosis.js";
import { type AppFacts, examineApp } from "../../../src/core/doctor/examine-app.js";
import { bypassedByApp, examineBypass, type RulesetFacts } from "../../../src/core/doctor/examine-bypass.js";
import { examineRunners, type FleetFacts } from "../../../src/core/doctor/examine-runners.js";
import { examineSchedule, type ScheduleFacts } from "../../../src/core/doctor/examine-schedule.js";
import { isKoryphs, startsNoChecks } from "../../../src/core/doctor/examine-workflow.js";
import { ownRunners } from "../../../src/core/doctor/runs-on.js";
import { APP_PERMISSIONS } from "../../../src/core/model/app-permissions.js";
import { HANDLED_EVENTS } from "../../../src/core/model/delivery.js";
import { diagnosisText } from "../../../src/core/replies/doctor/diagnosis-words.js";

const expression = (of: string) => `$\{{ ${of} }}`;
const codes = (diagnoses: readonly Diagnosis[]) => diagnoses.map(({ code }) => code);

describe("the App", () => {
  const SEEN: Extract<AppFacts, { kind: "seen" }> = {
    ...{ kind: "seen", id: 7, slug: "koryph", installed: "yes" },
    ...{ events: [...HANDLED_EVENTS], permissions: { ...APP_PERMISSIONS } },
  };
  const { actions: _, ...withoutActions } = APP_PERMISSIONS;
  test.each<{ name: string; given: AppFacts; named?: string; says: readonly string[]; unsafe: boolean }>([
    { name: "as app.yml has it", given: SEEN, says: ["app_ready"], unsafe: false },
    {
      name: "seen by its name only",
      given: { ...SEEN, installed: "unknown" },
      says: ["app_ready"],
      unsafe: false,
    },
    {
      name: "not to be seen",
      given: { kind: "unseen", slug: "koryph", why: "hidden" },
      says: ["app_unseen"],
      unsafe: false,
    },
    { name: "another one", given: SEEN, named: "acme-koryph", says: ["app_not_named"], unsafe: true },
    {
      name: "installed elsewhere",
      given: { ...SEEN, installed: "no" },
      says: ["app_not_installed"],
      unsafe: true,
    },
    {
      name: "deaf to comments",
      given: { ...SEEN, events: HANDLED_EVENTS.slice(1) },
      says: ["app_lacks_events"],
      unsafe: true,
    },
    {
      name: "one permission missing, another too low",
      given: { ...SEEN, permissions: { ...withoutActions, checks: "read" } },
      says: ["app_lacks_permissions"],
      unsafe: true,
    },
    {
      name: "one that may change workflows",
      given: { ...SEEN, permissions: { ...APP_PERMISSIONS, workflows: "write", statuses: "write" } },
      says: ["app_ready", "app_may_more"],
      unsafe: false,
    },
  ])("$name", ({ given, named, says, unsafe }) => {
    const found = examineApp(given, named ?? null);
    expect(codes(found)).toEqual(says);
    expect(isUnsafe(found)).toBe(unsafe);
  });

  test("what is missing and what is too much are named with their level", () => {
    const permissions = { ...withoutActions, checks: "read", workflows: "write" };
    const said = examineApp({ ...SEEN, permissions }, null).map((each) => diagnosisText(each).says);
    expect(said).toEqual([
      "the App koryph lacks checks: write, actions: write",
      "the App koryph may more than koryph needs: workflows: write",
    ]);
  });
});

describe("who may bypass", () => {
  const PROCESS: RulesetFacts = { name: "process", rules: ["pull_request"], actors: [], asApp: null };
  const app = { slug: "koryph", id: 7 };
  const integration = (id: number, mode = "always") => ({ type: "Integration", id, mode });
  test.each<{
    name: string;
    given: Partial<RulesetFacts>;
    app?: typeof app | { slug: string; id: null };
    says: string[];
  }>([
    {
      name: "the App is on the list",
      given: { actors: [integration(7)] },
      says: ["app_bypasses", "bypass_listed"],
    },
    {
      name: "for pull requests only",
      given: { actors: [integration(7, "pull_request")] },
      says: ["app_bypasses_pulls_only", "bypass_listed"],
    },
    { name: "nobody", given: {}, says: ["app_no_bypass"] },
    { name: "another App", given: { actors: [integration(8)] }, says: ["app_no_bypass", "bypass_listed"] },
    { name: "the list is hidden", given: { actors: null }, says: ["app_bypass_unknown"] },
    {
      name: "an App whose number is not known may be any",
      given: { actors: [integration(8)] },
      app: { slug: "koryph", id: null },
      says: ["app_bypass_unknown", "bypass_listed"],
    },
    { name: "GitHub tells the App itself", given: { actors: null, asApp: "always" }, says: ["app_bypasses"] },
    {
      name: "what GitHub tells the App counts",
      given: { actors: null, asApp: "pull_requests_only" },
      says: ["app_bypasses_pulls_only"],
    },
    {
      name: "guards that let somebody past",
      given: {
        rules: ["non_fast_forward"],
        actors: [{ type: "OrganizationAdmin", id: null, mode: "always" }],
      },
      says: ["guards_bypassed"],
    },
  ])("$name", ({ given, app: who = app, says }) => {
    const facts = { rulesets: [{ ...PROCESS, ...given }], app: who };
    expect(codes(examineBypass(facts))).toEqual(says);
    expect(bypassedByApp(facts).has("process")).toBe(says.includes("app_bypasses"));
  });

  test("everybody who may is named, with the mode", () => {
    const actors = [
      integration(7),
      { type: "RepositoryRole", id: 5, mode: "pull_request" },
      { type: "Team", id: 12, mode: "exempt" },
      { type: "Moon", id: 1, mode: "always" },
    ];
    const [, listed] = examineBypass({ rulesets: [{ ...PROCESS, actors }], app });
    expect(listed && diagnosisText(listed).says).toBe(
      'the ruleset "process" lets past: the App koryph (Always), administrators (pull requests only), the team with the id 12 (Exempt), Moon 1 (Always)',
    );
  });
});

describe("the clock", () => {
  const FACTS: ScheduleFacts = {
    ...{ file: "waves.yml", text: 'on:\n  schedule:\n    - cron: "23 */2 * * *"', state: "active" },
    ...{ runs: ["2026-03-04T08:25:00Z", "2026-03-04T06:33:00Z"], since: "2026-01-01T00:00:00Z" },
    ...{ needed: false, now: Date.parse("2026-03-04T10:30:00Z") },
  };
  test.each<{ name: string; given: Partial<ScheduleFacts>; says: string[] }>([
    { name: "runs when it should", given: {}, says: ["schedule_kept"] },
    { name: "runs late", given: { runs: ["2026-03-04T09:05:00Z"] }, says: ["schedule_late"] },
    { name: "has stopped", given: { runs: ["2026-03-04T02:24:00Z"] }, says: ["schedule_missed"] },
    {
      name: "three times is not yet too often",
      given: { runs: ["2026-03-04T04:24:00Z"] },
      says: ["schedule_kept"],
    },
    { name: "never ran", given: { runs: [] }, says: ["schedule_missed"] },
    { name: "is new", given: { runs: [], since: "2026-03-04T09:00:00Z" }, says: ["schedule_new"] },
    { name: "switched off by GitHub", given: { state: "disabled_inactivity" }, says: ["workflow_disabled"] },
    { name: "not to be seen", given: { state: null }, says: ["runs_unreadable"] },
    { name: "not one that is read", given: { text: "    - cron: '@daily'" }, says: ["schedule_unreadable"] },
    {
      name: "in another zone",
      given: { text: `${FACTS.text}\n      timezone: Europe/Rome` },
      says: ["schedule_unreadable"],
    },
    { name: "none at all", given: { text: "on: push" }, says: [] },
  ])("$name", ({ given, says }) => {
    const found = examineSchedule({ ...FACTS, ...given });
    expect(codes(found)).toEqual(says);
    expect(isUnsafe(found)).toBe(false);
  });

  test("the drift is the median, in minutes", () => {
    expect(examineSchedule(FACTS)[0]).toMatchObject({ runs: 2, minutes: 6 });
  });

  test("one that the App has to start must not be switched off", () => {
    const found = examineSchedule({ ...FACTS, state: "disabled_manually", needed: true });
    expect(found.map(levelOf)).toEqual(["bad"]);
  });
});

describe("runners", () => {
  test.each([
    { text: "    runs-on: ubuntu-latest", asks: [] },
    { text: "    runs-on: [self-hosted, koryph] # ours", asks: [["self-hosted", "koryph"]] },
    { text: '    runs-on: ["self-hosted", "koryph"]', asks: [["self-hosted", "koryph"]] },
    { text: "    runs-on: arc-set", asks: [["arc-set"]] },
    {
      text: "    runs-on:\n      - self-hosted\n      - koryph\n    steps:\n      - run: x",
      asks: [["self-hosted", "koryph"]],
    },
    { text: "    runs-on:\n    - self-hosted\n    steps:", asks: [["self-hosted"]] },
    { text: "    runs-on:\n      group: big\n      labels: [koryph]\n    steps:", asks: [["koryph"]] },
    { text: "    runs-on: { group: big, labels: koryph }", asks: [["koryph"]] },
    { text: "    runs-on: { group: big }", asks: [] },
    { text: `    runs-on: ${expression("matrix.os")}`, asks: [] },
    { text: "    runs-on: [self-hosted]\n    runs-on: [self-hosted]", asks: [["self-hosted"]] },
  ])("$text", ({ text, asks }) => expect(ownRunners(text)).toEqual(asks));

  const labels = ["self-hosted", "koryph"];
  const ONE = { name: "box", online: true, labels: ["self-hosted", "Linux", "Koryph"] };
  const FACTS: FleetFacts = {
    asks: [{ file: "waves.yml", labels }],
    own: [ONE],
    shared: "none",
    isPublic: false,
  };
  test.each<{ name: string; given: Partial<FleetFacts>; says: string[] }>([
    { name: "one is online", given: {}, says: ["runner_ready"] },
    { name: "all are off", given: { own: [{ ...ONE, online: false }] }, says: ["runner_offline"] },
    {
      name: "none has the label",
      given: { own: [{ ...ONE, labels: ["self-hosted"] }] },
      says: ["runner_missing"],
    },
    { name: "the organisation has one", given: { own: [], shared: [ONE] }, says: ["runner_ready"] },
    {
      name: "the organisation does not show its own",
      given: { own: [], shared: null },
      says: ["runner_unknown"],
    },
    { name: "only administrators see them", given: { own: null }, says: ["runner_unknown"] },
    { name: "in public", given: { isPublic: true }, says: ["runner_ready", "runner_public"] },
    { name: "nobody asks", given: { asks: [], own: [], isPublic: true }, says: [] },
  ])("$name", ({ given, says }) => {
    const found = examineRunners({ ...FACTS, ...given });
    expect(codes(found)).toEqual(says);
    expect(isUnsafe(found)).toBe(false);
  });
});

test("a workflow of koryph's is known by its Action, or by what it asks it for", () => {
  expect(isKoryphs("      - uses: acme/koryph@abc")).toBe(true);
  expect(isKoryphs("name: koryph\n      - uses: acme/factory@abc\n        with:\n          mode: run")).toBe(
    true,
  );
  expect(isKoryphs("      - uses: actions/checkout@v4\n        # koryph reads this")).toBe(false);
});

test("only a run with the workflow's own token starts no checks", () => {
  const run = (token: string) => `        with:\n          mode: run\n          token: ${token}`;
  expect(startsNoChecks(run(expression("github.token")))).toBe(true);
  expect(startsNoChecks(run(expression("steps.app.outputs.token")))).toBe(false);
  expect(startsNoChecks(run(expression("github.token")).replace("run", "job"))).toBe(false);
});
