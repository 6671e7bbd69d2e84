import { expect, vi } from "vitest";
import { REPOSITORY, scenario } from "../../support/app/app-world.js";
import { newestReceipt, opens, passes, protect, tip, told } from "../../support/app/landing-stories.js";
import { runIds, runOf, runs, saidBy, setUpJobs } from "../../support/app/runner-stories.js";

vi.setConfig({ testTimeout: 120_000 });

scenario(
  "a landing has a runner run the gate, and believes that job's end on GitHub",
  async (world) => {
    const gate = ["echo '::error::red' && test -e shoes.txt && test \"$(cat shoes.txt)\" = blue"];
    await setUpJobs(world, {
      project: { gate, jobs: { workflow: "koryph.yml", minutes: 5, kinds: ["gate"] } },
    });
    protect(world);
    const { pull, head } = await opens(world);
    const base = await tip(world);
    await passes(world, head);
    await world.as("walter").says(pull, "/koryph approve");
    await world.as("rita").says(pull, "/koryph why");
    await told(world, pull, /the gate has not run on this head.*has a runner run it when it lands/s);

    await world.as("maria").says(pull, "/koryph land");
    const [red = 0] = runIds(world);
    expect(runOf(world, red).inputs).toMatchObject({ kind: "gate", head, base });
    expect(world.statuses(pull)).toEqual([
      expect.stringMatching(/asked to run the gate on this head: \[its run\]/),
    ]);
    const job = runOf(world, red).inputs.job ?? "";
    await world.record({ type: "job.done", data: { job, code: "green" } });
    const failed = await runs(world, red);
    expect(failed.conclusion).toBe("failure");
    expect(saidBy(failed)).toMatch(/the gate is red: echo/);
    expect(failed.log).toContain("\n| ::error::red\n");
    await world.sandbox.completeRun(REPOSITORY, red, { gate: "failure" });
    await told(world, pull, /run the gate on this head did not end with success.*runner_failed/s);
    expect(await tip(world)).toBe(base);

    const mended = await world.sandbox.commit(
      REPOSITORY,
      "shoes",
      { "shoes.txt": "blue\n" },
      { author: "ann" },
    );
    world.clock.pass(60);
    await passes(world, mended);
    await world.as("walter").says(pull, "/koryph approve");
    await world.as("maria").says(pull, "/koryph land");
    const green = runIds(world).at(-1) ?? 0;
    expect(await runs(world, green)).toMatchObject({ conclusion: "success", annotations: [] });
    // A run in which another job did well proves nothing of the gate; that one did.
    await world.sandbox.completeRun(REPOSITORY, green, { review: "skipped", gate: "success" });
    await told(world, pull, /has landed, at/);
    expect(await tip(world)).toBe(mended);
    expect(await newestReceipt(world)).toMatchObject({
      gate: { result: "green", commands: expect.stringMatching(/^sha256:/) },
    });
  },
  { long: true },
);

scenario(
  "a fork's commits run on no runner once nobody approves exactly that head",
  async (world) => {
    await setUpJobs(world, {
      project: { jobs: { workflow: "koryph.yml", kinds: ["gate"] }, land: { approvals: 0 } },
    });
    world.sandbox.addUser("ann");
    const { name } = await world.sandbox.addFork(REPOSITORY, "ann");
    const files = { "caps.txt": "x\n" };
    const head = await world.sandbox.commit(`ann/${name}`, "caps", files, { author: "ann" });
    const opened = { author: "ann", head: "ann:caps", title: "Caps" };
    const { number: pull } = await world.sandbox.openPull(REPOSITORY, opened);
    world.clock.pass(60);
    const land = `/koryph land ${head.slice(0, 12)}`;
    await world.as("maria").says(pull, land);
    await told(world, pull, /0 of 1 approvals.*not_approved/s);
    expect(runIds(world)).toEqual([]);

    const approval = await world.as("walter").says(pull, `/koryph approve ${head.slice(0, 12)}`);
    await world.as("maria").says(pull, land);
    const [id = 0] = runIds(world);
    world.as("walter").edits(approval, "on second thoughts");
    expect(saidBy(await runs(world, id))).toContain("(not_approved)");
    await world.sandbox.completeRun(REPOSITORY, id, { gate: "failure" });
    await told(world, pull, /has changed the comment since.*not_approved/s);

    await world.as("walter").says(pull, `/koryph approve ${head.slice(0, 12)}`);
    await world.as("maria").says(pull, land);
    const next = runIds(world).at(-1) ?? 0;
    expect(await runs(world, next)).toMatchObject({ conclusion: "success" });
    await world.sandbox.completeRun(REPOSITORY, next, { gate: "success" });
    await told(world, pull, /has landed, at/);
    expect(await tip(world)).toBe(head);
  },
  { long: true },
);
