import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { starterProject } from "../../../src/core/config/starter-project.js";
import { type AppWorld, REPOSITORY, scenario } from "../../support/app/app-world.js";
import { last, opens, told } from "../../support/app/landing-stories.js";
import { REVIEWING, reviewerOf, shown } from "../../support/app/review-stories.js";
import { runComposite } from "../../support/cli/run-composite.js";

vi.setConfig({ testTimeout: 120_000 });

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const WORKFLOW = "on: workflow_dispatch\n";

/** The project's own reviewer, which only runners run. */
async function setUp(world: AppWorld): Promise<void> {
  const project = {
    ...(JSON.parse(starterProject("shop", ["true"])) as Record<string, unknown>),
    jobs: { workflow: "koryph.yml", minutes: 5 },
    default_runtime: "mine",
    runtimes: { mine: { command: [join(world.home, "reviewer.sh")] } },
  };
  const files = {
    "koryph.project.json": JSON.stringify(project),
    ".github/workflows/koryph.yml": WORKFLOW,
  };
  await world.sandbox.commit(REPOSITORY, "main", files);
}

/** What a runner does that GitHub gave the run to. */
async function runs(world: AppWorld, id: number, given: Record<string, string> = {}) {
  const workspace = mkdtempSync(join(world.home, "runner-"));
  const clone = ["clone", "--quiet", world.repository.gitDir, "checkout"];
  expect(await runGit(workspace, clone)).toMatchObject({ code: 0 });
  const inputs = runOf(world, id).inputs as Record<string, string>;
  return runComposite({
    actionPath: CHECKOUT,
    workspace: join(workspace, "checkout"),
    inputs: { mode: "job", token: world.sandbox.tokenFor("maria"), ...inputs, ...given },
    env: {
      ...{ GIT_CONFIG_NOSYSTEM: "1", HOME: workspace, KORYPH_HOME: join(workspace, "k") },
      ...{ GITHUB_API_URL: world.sandbox.url, GITHUB_SERVER_URL: world.sandbox.url },
      ...{ GITHUB_REPOSITORY: REPOSITORY, GITHUB_RUN_ID: `${id}` },
    },
  });
}

/** A person starts the same workflow with the same inputs; the run's number. */
async function dispatchedBy(world: AppWorld, login: string, inputs: Record<string, string>): Promise<number> {
  const path = `/repos/${REPOSITORY}/actions/workflows/koryph.yml/dispatches`;
  const answer = await fetch(`${world.sandbox.url}${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${world.sandbox.tokenFor(login)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ ref: "main", inputs, return_run_details: true }),
  });
  return ((await answer.json()) as { workflow_run_id: number }).workflow_run_id;
}

const said = ({ annotations }: Awaited<ReturnType<typeof runs>>) =>
  annotations.map(({ message }) => message).join("\n");
const runIds = (world: AppWorld) => world.repository.workflowRuns.map(({ id }) => id);
function runOf(world: AppWorld, id: number) {
  const found = world.repository.workflowRuns.find((run) => run.id === id);
  if (found === undefined) throw new Error(`no run ${id}`);
  return found;
}

scenario(
  "a runner does what the App asked it for, once, and the App believes the run that it dispatched",
  async (world) => {
    await setUp(world);
    const reviewer = reviewerOf(world);
    reviewer.answers([{ file: "shoes.txt", line: 1, summary: "Red does not sell." }]);
    const { pull, head } = await opens(world);
    await world.as("tina").says(pull, "/koryph review");
    const [id = 0] = runIds(world);
    expect(runOf(world, id)).toMatchObject({ actor: "koryph[bot]", headBranch: "main" });
    expect(runOf(world, id).inputs).toMatchObject({ kind: "review", head, attempt: "1" });

    // Whoever can push writes that it is done, which nobody believes.
    const job = String((runOf(world, id).inputs as Record<string, string>).job);
    await world.record({ type: "job.done", data: { job, code: "clean" } });
    world.clock.pass(120);
    await world.settled();
    expect(last(world, pull)).toMatch(/🚀.*a reviewer is about to read/u);

    // Inputs that the ledger does not have, and a run that a person started, are refused.
    const inputs = runOf(world, id).inputs as Record<string, string>;
    expect(said(await runs(world, id, { head: "0".repeat(40) }))).toContain("(inputs_differ)");
    const byHand = await dispatchedBy(world, "maria", inputs);
    expect(said(await runs(world, byHand))).toContain("(not_dispatched)");
    expect(reviewer.runs()).toBe(0);

    expect(await runs(world, id)).toMatchObject({ conclusion: "success", annotations: [] });
    expect(reviewer.runs()).toBe(1);
    expect(reviewer.noted("env")).not.toContain(world.sandbox.tokenFor("maria"));
    const reviews = await shown(world, `/pulls/${pull}/reviews`);
    expect(reviews).toMatchObject([{ state: "COMMENTED", commit_id: head }]);
    expect(said(await runs(world, id))).toContain("(claimed)");

    expect(last(world, pull)).toMatch(/🚀/u);
    await world.sandbox.completeRun(REPOSITORY, id, "success");
    await told(world, pull, /was read by a runner at .*its review tells what was found; \[the run\]/);
  },
  { ...REVIEWING, flags: {} },
);

scenario(
  "a runner that does not answer is asked once more, and then given up",
  async (world) => {
    await setUp(world);
    const { pull } = await opens(world);
    await world.as("tina").says(pull, "/koryph review");
    expect(runIds(world)).toHaveLength(1);
    world.clock.pass(330);
    await world.settled();
    expect(runIds(world)).toHaveLength(2);
    world.clock.pass(330);
    await told(world, pull, /no runner has answered, although it was asked twice.*runner_silent/s);
    expect(runIds(world)).toHaveLength(2);
  },
  { ...REVIEWING, flags: {}, long: true },
);
