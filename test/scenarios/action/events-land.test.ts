import { expect, test, vi } from "vitest";
import { review } from "../../../src/sandbox/world/people.js";
import { EventsWorld, expectGreen } from "../../support/action/events-world.js";
import { REPOSITORY } from "../../support/app/app-world.js";
import { LANDING, last, opens, protect, tip } from "../../support/app/landing-stories.js";
import { longTest } from "../../support/long.js";

vi.setConfig({ testTimeout: 180_000 });

/** A check is required, and whoever may push may land: nobody has to stand above a rule. */
function requireCheck({ sandbox }: EventsWorld): void {
  const check = { context: "test", integration_id: 15368 };
  sandbox.addRuleset(REPOSITORY, {
    rules: [
      { type: "required_status_checks", parameters: { required_status_checks: [check] } },
      { type: "non_fast_forward" },
    ],
  });
}

async function passes(world: EventsWorld, head: string) {
  const run = await world.sandbox.startRun(REPOSITORY, { head, jobs: ["test"] });
  await world.sandbox.completeRun(REPOSITORY, run, "success");
  return world.newest("workflow_run");
}

test("an approval in GitHub's own form counts; a landing waits for its check, and the run that hears of it lands", async () => {
  const world = await EventsWorld.open(LANDING);
  requireCheck(world);
  const { pull, head } = await opens(world.app);
  const base = await tip(world.app);

  // No workflow hears of it; the run that is asked to land looks for it.
  await review(world.sandbox.world, REPOSITORY, pull, "walter", { state: "APPROVED" });
  const asked = await world.runs((await world.says("maria", pull, `/koryph land ${head}`)).event);
  expectGreen(asked);
  expect(asked.log).toContain(`pull request ${pull} waits to land`);
  expect(last(world.app, pull)).toContain("🚀");
  expect(await tip(world.app)).toBe(base);

  const heard = await world.runs(await passes(world, head));
  expectGreen(heard);
  expect(await tip(world.app)).toBe(head);
  expect(last(world.app, pull)).toMatch(/✅.*landed/);
  expect(await world.types()).toMatchObject({ "pull.landing": 1, "land.landed": 1 });

  // What became of it is told: the next run finds nothing to do.
  const closed = await world.runs(await world.newest("pull_request", "pull_request_target"));
  expectGreen(closed);
  const types = await world.types();
  expectGreen(await world.runs(world.schedule));
  expect(await world.types()).toEqual(types);
  expect(world.sandbox.problems).toEqual([]);
});

longTest("what GITHUB_TOKEN cannot do is refused, and an App's token does it", async () => {
  const world = await EventsWorld.open(LANDING);
  protect(world.app);
  const { pull, head } = await opens(world.app);
  await passes(world, head);
  expectGreen(await world.runs((await world.says("walter", pull, `/koryph approve ${head}`)).event));

  expectGreen(await world.runs((await world.says("maria", pull, `/koryph land ${head}`)).event));
  expect(last(world.app, pull)).toMatch(/❌.*needs_app_token/s);
  expect(last(world.app, pull)).toContain("bypass list");

  expectGreen(await world.runs((await world.says("maria", pull, "/koryph link")).event));
  expect(last(world.app, pull)).toMatch(/❌.*needs_app_token/s);

  const token = world.appToken();
  expectGreen(await world.runs((await world.says("maria", pull, `/koryph land ${head}`)).event, { token }));
  expect(await tip(world.app)).toBe(head);
  expect(last(world.app, pull)).toMatch(/✅.*landed/);
});

longTest("a branch that fell behind is not written anew where nothing would check it", async () => {
  const world = await EventsWorld.open(LANDING);
  requireCheck(world);
  const { pull, head } = await opens(world.app);
  await passes(world, head);
  await world.sandbox.commit(REPOSITORY, "main", { "prices.txt": "5\n" });

  expectGreen(await world.runs((await world.says("maria", pull, `/koryph land ${head}`)).event));

  expect(last(world.app, pull)).toMatch(/❌.*needs_app_token/s);
  expect(await world.sandbox.world.resolve(world.app.repository, "refs/heads/shoes")).toBe(head);
  expect(await world.types()).not.toHaveProperty("land.rebased");
});

longTest(
  "a request to land that the schedule finds knows of approvals in GitHub's own form as well",
  async () => {
    const world = await EventsWorld.open({
      project: { ...LANDING.project, land: { gate: "checks", approvals: 1 } },
    });
    requireCheck(world);
    const { pull, head } = await opens(world.app);
    await passes(world, head);
    expectGreen(await world.runs(world.schedule));
    await review(world.sandbox.world, REPOSITORY, pull, "walter", { state: "APPROVED" });
    // The run of this comment is lost.
    await world.says("maria", pull, `/koryph land ${head}`);
    expectGreen(await world.runs(world.schedule));
    expect(last(world.app, pull)).not.toContain("not_approved");
    expect(await tip(world.app)).toBe(head);
  },
);
