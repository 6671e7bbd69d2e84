import { join } from "node:path";
import { expect, vi } from "vitest";
import { type AppWorld, REPOSITORY, scenario } from "../../support/app/app-world.js";
import { last, opens, told } from "../../support/app/landing-stories.js";
import { REVIEWING, reviewerOf, shown } from "../../support/app/review-stories.js";
import { dispatchedBy, runIds, runOf, runs, saidBy, setUpJobs } from "../../support/app/runner-stories.js";

vi.setConfig({ testTimeout: 120_000 });

/** The project's own reviewer, which only runners run. */
const setUp = (world: AppWorld) =>
  setUpJobs(world, {
    project: {
      jobs: { workflow: "koryph.yml", minutes: 5 },
      default_runtime: "mine",
      runtimes: { mine: { command: [join(world.home, "reviewer.sh")] } },
    },
  });

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
    const job = String(runOf(world, id).inputs.job);
    await world.record({ type: "job.done", data: { job, code: "clean" } });
    world.clock.pass(120);
    await world.settled();
    expect(last(world, pull)).toMatch(/🚀.*a reviewer is about to read/u);

    // Inputs that the ledger does not have, and a run that a person started, are refused.
    const inputs = runOf(world, id).inputs;
    expect(saidBy(await runs(world, id, { head: "0".repeat(40) }))).toContain("(inputs_differ)");
    const byHand = await dispatchedBy(world, "maria", inputs);
    expect(saidBy(await runs(world, byHand))).toContain("(not_dispatched)");
    expect(reviewer.runs()).toBe(0);

    const done = await runs(world, id);
    expect(done).toMatchObject({ conclusion: "success", annotations: [] });
    expect(reviewer.runs()).toBe(1);
    expect(reviewer.noted("env")).not.toContain(done.token);
    const reviews = await shown(world, `/pulls/${pull}/reviews`);
    expect(reviews).toMatchObject([{ state: "COMMENTED", commit_id: head }]);
    expect(saidBy(await runs(world, id))).toContain("(claimed)");

    expect(last(world, pull)).toMatch(/🚀/u);
    await world.sandbox.completeRun(REPOSITORY, id, { review: "success" });
    await told(world, pull, /was read by a runner at .*its review tells what was found; \[the run\]/);
  },
  // The short form has one job of a runner's: rebase-job.
  { ...REVIEWING, flags: {}, long: true },
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
