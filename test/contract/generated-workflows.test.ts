import { validateWorkflow } from "@action-validator/core";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ActionInputs } from "../../src/core/config/action-inputs.js";
import { JOB_KINDS } from "../../src/core/model/job-kind.js";
import { githubFiles } from "../../src/core/setup/github-files.js";

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions?: object;
        readonly steps: readonly {
          readonly uses?: string;
          readonly run?: string;
          readonly with?: Readonly<Record<string, unknown>>;
        }[];
      }
    >
  >;
}

const ACTION = "OWNER/koryph@COMMIT_SHA";

/** Every workflow that init writes for any project. */
const written = (["github", "bd", "file"] as const).flatMap((workSource) =>
  githubFiles({
    ...{
      project: "shop",
      action: ACTION,
      workSource,
      autoMerge: true,
      runner: "koryph",
      signed: true,
      app: 7,
    },
    jobs: { workflow: "koryph.yml", kinds: JOB_KINDS },
    events: { checks: ["ci"] },
  })
    .filter(({ path }) => path.startsWith(".github/workflows/"))
    .map(({ path, text }) => ({ name: `${path} for ${workSource}`, text })),
);

describe.each(written)("$name", ({ text }) => {
  const { permissions, jobs } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test("is valid, and no script has anything of an event in it", () => {
    expect(validateWorkflow(text).errors).toEqual([]);
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });

  test("grants nothing to all jobs, and to each what it names", () => {
    expect(permissions).toEqual({});
    for (const job of Object.values(jobs)) expect(job.permissions).toBeDefined();
  });

  test("leaves no token in a checkout", () => {
    const checkouts = steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));
    for (const { with: given } of checkouts) expect(given).toMatchObject({ "persist-credentials": false });
    expect(text.match(/actions\/checkout@/g)?.length ?? 0).toBe(checkouts.length);
  });

  test("gives koryph inputs that there are", () => {
    const given = steps.filter(({ uses }) => uses === ACTION).flatMap((step) => Object.keys(step.with ?? {}));
    expect(given).toContain("mode");
    expect(given.filter((name) => !(name in ActionInputs.shape))).toEqual([]);
  });
});

test("there are workflows to look at", () => {
  expect(written.length).toBeGreaterThanOrEqual(9);
});
