import { expect } from "vitest";
import { type PeopleLab, peopleTest } from "../../support/app/sandbox-people.js";

// biome-ignore lint/suspicious/noExplicitAny: answers are read like GitHub's clients read them
type Body = any;

const names = (list: Body) => list.map(({ name }: Body) => name);

async function headOf(lab: PeopleLab): Promise<string> {
  return (await lab.get("you", "/pulls/1")).head.sha;
}

peopleTest(
  "a workflow run has its jobs as check runs of the Actions app, in a suite of its own",
  async (lab) => {
    await lab.openPull();
    const sha = await headOf(lab);
    const id = await lab.sandbox.startRun(lab.repo, {
      head: "agent/x",
      jobs: ["test", "lint"],
      actor: "alice",
    });
    const other = await lab.sandbox.startRun(lab.repo, { head: "main", jobs: ["test"] });

    const { total_count, workflow_runs } = await lab.get("app", `/actions/runs?head_sha=${sha}`);
    expect([total_count, workflow_runs.map((run: Body) => run.id)]).toEqual([1, [id]]);
    expect(workflow_runs[0]).toMatchObject({
      ...{ path: ".github/workflows/ci.yml", event: "push", status: "in_progress", conclusion: null },
      ...{ head_branch: "agent/x", head_sha: sha, actor: { login: "alice" }, pull_requests: [{ number: 1 }] },
    });
    const { jobs } = await lab.get("app", `/actions/runs/${id}/jobs`);
    expect(names(jobs)).toEqual(["test", "lint"]);
    const { check_runs } = await lab.get("app", `/commits/${sha}/check-runs?app_id=15368`);
    expect(check_runs.map((run: Body) => run.id).sort()).toEqual(jobs.map((job: Body) => job.id).sort());
    expect(check_runs[0]).toMatchObject({ app: { slug: "github-actions" }, status: "in_progress" });

    await lab.news();
    await lab.sandbox.completeRun(lab.repo, id, { test: "failure", lint: "success" });
    expect(await lab.get("app", `/actions/runs/${id}`)).toMatchObject({ conclusion: "failure" });
    expect(await lab.heard()).toEqual([
      ...["check_run.completed", "check_run.completed", "check_suite.completed", "workflow_run.completed"],
    ]);
    await lab.sandbox.completeRun(lab.repo, other);
    expect((await lab.get("app", "/actions/runs?status=success")).workflow_runs).toMatchObject([
      { id: other },
    ]);
    const [news] = (await lab.news()).slice(-1);
    expect(news?.payload).toMatchObject({
      workflow_run: { id: other, conclusion: "success", head_commit: { message: "Begin" } },
      workflow: { path: ".github/workflows/ci.yml" },
    });
    const { check_suites } = await lab.get("app", `/commits/${sha}/check-suites`);
    expect(check_suites).toMatchObject([
      { id: workflow_runs[0].check_suite_id, conclusion: "failure", latest_check_runs_count: 2 },
    ]);
    expect(await lab.get("app", `/check-suites/${check_suites[0].id}`)).toMatchObject({ head_sha: sha });
  },
);

peopleTest(
  "any workflow can post a check run of any name on any head; only jobs tell which are real",
  async (lab) => {
    await lab.openPull();
    const sha = await headOf(lab);
    const id = await lab.sandbox.startRun(lab.repo, { head: "agent/x", jobs: ["test"] });
    await lab.sandbox.completeRun(lab.repo, id, "failure");
    const forged = await fetch(`${lab.sandbox.url}/repos/${lab.repo}/check-runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${lab.sandbox.actionsToken(lab.repo)}` },
      body: JSON.stringify({ name: "test", head_sha: sha, conclusion: "success" }),
    });
    expect(forged.status).toBe(201);
    const { check_runs } = await lab.get("app", `/commits/${sha}/check-runs`);
    // The forged one hides the other: it joins the suite of its app, and is newer.
    expect(check_runs).toMatchObject([{ name: "test", conclusion: "success", app: { id: 15_368 } }]);
    const { jobs } = await lab.get("app", `/actions/runs/${id}/jobs`);
    expect(jobs).toMatchObject([{ name: "test", conclusion: "failure" }]);
    expect(jobs[0].id).not.toBe(check_runs[0].id);
  },
);

peopleTest("a dispatch starts a run that its answer names, and that ends as the test says", async (lab) => {
  const workflows = {
    ".github/workflows/koryph.yml": "on: workflow_dispatch\n",
    ".github/workflows/ci.yml": "on: push\n",
  };
  const main = await lab.sandbox.commit(lab.repo, "main", workflows);
  const dispatch = (file: string) =>
    lab.ask("app", "POST", `/actions/workflows/${file}/dispatches`, {
      ...{ ref: "main", inputs: { job: "j1" }, return_run_details: true },
    });
  const { body } = await dispatch("koryph.yml");
  expect(await dispatch("ci.yml")).toMatchObject({ status: 422, body: { message: /workflow_dispatch/ } });
  const run = () => lab.get("app", `/actions/runs/${body.workflow_run_id}`);
  expect(await run()).toMatchObject({
    ...{ status: "queued", event: "workflow_dispatch", head_sha: main, head_branch: "main" },
    ...{ path: ".github/workflows/koryph.yml", actor: { login: "koryph[bot]" } },
  });
  await lab.sandbox.completeRun(lab.repo, body.workflow_run_id, { gate: "success", review: "skipped" });
  expect(await run()).toMatchObject({ status: "completed", conclusion: "success" });
  expect(names((await lab.get("app", `/actions/runs/${body.workflow_run_id}/jobs`)).jobs)).toEqual([
    "gate",
    "review",
  ]);
  await expect(lab.sandbox.completeRun(lab.repo, body.workflow_run_id)).rejects.toThrow(/has ended already/);
});
