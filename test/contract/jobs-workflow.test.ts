import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { JOB_KINDS } from "../../src/core/model/job-kind.js";
import { jobsWorkflow } from "../../src/core/setup/workflows.js";

interface Job {
  readonly if: string;
  readonly "runs-on": unknown;
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses: string; readonly with: Readonly<Record<string, unknown>> }[];
}

const page = readFileSync(new URL("../../docs/action.md", import.meta.url), "utf8");
const text = /```yaml\n(name: koryph\n[\s\S]*?workflow_dispatch[\s\S]*?)```/.exec(page)?.[1] ?? "";
const workflow = parse(text) as { permissions: object; jobs: Readonly<Record<string, Job>> };
const jobs = Object.entries(workflow.jobs);

test("the workflow of docs/action.md has a job for each kind, called as the App looks for it", () => {
  expect(jobs.map(([name]) => name)).toEqual([...JOB_KINDS]);
  for (const [name, job] of jobs) expect(job.if).toBe(`inputs.kind == '${name}'`);
});

test("each has a runner and permissions of its own, and nothing besides", () => {
  expect(workflow.permissions).toEqual({});
  expect(new Set(jobs.map(([, job]) => JSON.stringify(job["runs-on"]))).size).toBe(jobs.length);
});

test("the key is where nothing of the repository runs, and where other people's commits run nothing can be written", () => {
  const withKey = jobs.filter(([, job]) => JSON.stringify(job).includes("secrets."));
  expect(withKey.map(([name, job]) => [name, job.environment])).toEqual([["rebase", "koryph-signing"]]);
  expect(Object.values(workflow.jobs.gate?.permissions ?? {})).not.toContain("write");
});

test("no checkout leaves its token to what runs after it", () => {
  for (const [, { steps }] of jobs) expect(steps[0]?.with).toEqual({ "persist-credentials": false });
});

test("koryph init --github writes the same jobs", () => {
  const setup = {
    runner: "koryph",
    action: "OWNER/koryph@COMMIT_SHA",
    jobs: { workflow: "koryph.yml", kinds: JOB_KINDS },
  };
  const written = parse(jobsWorkflow(setup)) as typeof workflow;
  const told = ({ if: when, "runs-on": runner, environment, permissions, steps }: Job) => ({
    ...{ when, runner, environment, permissions, steps },
  });
  expect(written.permissions).toEqual(workflow.permissions);
  expect(Object.entries(written.jobs).map(([name, job]) => [name, told(job)])).toEqual(
    jobs.map(([name, job]) => [name, told(job)]),
  );
});
