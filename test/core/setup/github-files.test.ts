import { expect, test } from "vitest";
import { parse } from "yaml";
import { examineRules } from "../../../src/core/doctor/examine-rules.js";
import { examineWorkflow } from "../../../src/core/doctor/examine-workflow.js";
import { ownRunners } from "../../../src/core/doctor/runs-on.js";
import { JOB_KINDS } from "../../../src/core/model/job-kind.js";
import { type GithubSetup, githubFiles } from "../../../src/core/setup/github-files.js";

const SETUP: GithubSetup = {
  ...{
    project: "shop",
    action: `acme/koryph@${"a".repeat(40)}`,
    workSource: "github",
    autoMerge: false,
    runner: "koryph",
  },
  ...{
    signed: true,
    app: 4711,
    jobs: { workflow: "koryph.yml", kinds: [...JOB_KINDS] },
    events: { checks: ["test"] },
  },
};

function fileOf(path: string, setup: Partial<GithubSetup> = {}): string {
  const found = githubFiles({ ...SETUP, ...setup }).find((file) => file.path === path);
  if (found === undefined) throw new Error(`there is no ${path}`);
  return found.text;
}

test.each([
  ".github/workflows/koryph-waves.yml",
  ".github/workflows/koryph.yml",
  ".github/workflows/koryph-events.yml",
])("%s is one that the doctor finds nothing wrong with", (path) => {
  const kinds = path.endsWith("/koryph.yml") ? JOB_KINDS : [];
  const found = examineWorkflow({ file: path, branch: "main", text: fileOf(path), kinds });
  expect(found).toEqual([{ code: "workflow_ready", file: path }]);
});

test("waves give nothing to anybody but their one job, and no two runs go on at once", () => {
  const { permissions, concurrency, jobs } = parse(fileOf(".github/workflows/koryph-waves.yml"));
  expect(permissions).toEqual({});
  expect(concurrency["cancel-in-progress"]).toBe(false);
  const steps = jobs.waves.steps as { uses?: string }[];
  expect(steps.map(({ uses }) => uses)).toEqual(["actions/checkout@v4", SETUP.action]);
});

test.each(["file", "bd"] as const)(
  "with work_source %s the backlog has to be fetched first",
  (workSource) => {
    const { jobs } = parse(fileOf(".github/workflows/koryph-waves.yml", { workSource }));
    expect(jobs.waves.steps[1].run).toMatch(/::error.*\nexit 1\n$/);
  },
);

test("schedules of different projects are apart, at odd minutes", () => {
  const minutes = ["shop", "blog", "api", "a", "z".repeat(64)].map((project) => {
    const { on } = parse(fileOf(".github/workflows/koryph-waves.yml", { project }));
    return Number(on.schedule[0].cron.split(" ")[0]);
  });
  for (const minute of minutes) expect(minute % 2 === 1 && minute > 5 && minute < 55).toBe(true);
  expect(new Set(minutes).size).toBeGreaterThan(2);
});

test("one label names the machines of all workflows", () => {
  const paths = [".github/workflows/koryph-waves.yml", ".github/workflows/koryph.yml"];
  const asked = paths.flatMap((path) => ownRunners(fileOf(path, { runner: "big-box" })));
  const own = ["big-box", "big-box-review", "big-box-gate"].map((label) => ["self-hosted", label]);
  expect(asked).toEqual(own);
});

test("the rulesets are split: koryph passes the one that it keeps itself, and nobody passes the other", () => {
  const read = (name: string) => JSON.parse(fileOf(`.github/rulesets/${name}.json`));
  const [invariants, process] = [read("koryph-invariants"), read("koryph-process")];
  expect(invariants.bypass_actors).toEqual([]);
  expect(process.bypass_actors).toEqual([
    { actor_id: 4711, actor_type: "Integration", bypass_mode: "always" },
  ]);
  const rules = [invariants, process].flatMap(({ name, rules, bypass_actors }) =>
    (rules as { type: string; parameters?: Record<string, unknown> }[]).map(({ type, parameters = {} }) => ({
      ...{ type, parameters, ruleset: { name, bypassed: bypass_actors.length > 0 } },
    })),
  );
  const facts = {
    branch: "main",
    rules: { kind: "read", rules },
    seen: [],
    signs: true,
    passedByApp: new Set<string>(),
  } as const;
  expect(examineRules(facts)).toEqual([{ code: "rules_kept", branch: "main", count: 5 }]);
});

test("without signing no signature is asked for, and without an App nobody passes", () => {
  expect(fileOf(".github/rulesets/koryph-invariants.json", { signed: false })).not.toContain("signatures");
  expect(JSON.parse(fileOf(".github/rulesets/koryph-process.json", { app: null })).bypass_actors).toEqual([]);
});

test("the form for issues sets no label: whoever fills it in is nobody to release work", () => {
  const form = parse(fileOf(".github/ISSUE_TEMPLATE/koryph.yml"));
  expect(Object.keys(form)).toEqual(["name", "description", "body"]);
});
