import { expect, test, vi } from "vitest";
import { EventsWorld, expectGreen } from "../../support/action/events-world.js";
import { JobFate } from "../../support/cli/run-composite.js";
import { longTest } from "../../support/long.js";

vi.setConfig({ testTimeout: 180_000 });

interface Moment {
  readonly name: string;
  /** How often the request passes before it is done and never answered. */
  readonly after: number;
  readonly operation: string;
  /** It was done. */
  readonly shows: (world: EventsWorld, issue: number) => Promise<boolean> | boolean;
}

const has = (type: string) => async (world: EventsWorld, issue: number) => {
  const events = await world.app.events();
  const about = type === "hold.placed" ? `gh-${issue}` : `"type":"${type}"`;
  return events.filter(({ line }) => line.includes(`"${type}"`) && line.includes(about)).length > 0;
};

const MOMENTS: readonly Moment[] = [
  {
    name: "it has taken the comment",
    operation: "git-receive-pack",
    after: 0,
    shows: has("app.took"),
  },
  {
    name: "its decision is in the ledger",
    operation: "git-receive-pack",
    after: 1,
    shows: has("hold.placed"),
  },
  {
    ...{ name: "its reply is there", operation: "issues/create-comment", after: 0 },
    shows: (world, issue) => world.app.issue(issue).comments.length > 1,
  },
  {
    name: "all is recorded",
    operation: "git-receive-pack",
    after: 2,
    shows: has("app.answered"),
  },
];

/** A run that is lost with its machine at that moment. */
async function lostAt(world: EventsWorld, moment: Moment, issue: number, body: string) {
  const { event, id } = await world.says("maria", issue, body);
  const { operation, after } = moment;
  if (after > 0) world.sandbox.faults.add({ operation, times: after, kind: { delayMs: 0 } });
  world.sandbox.faults.add({ operation, times: 1, kind: { applyThen: "hang" } });
  const fate = new JobFate();
  const running = world.runs(event, { fate });
  await vi.waitFor(async () => expect(await moment.shows(world, issue)).toBe(true), {
    timeout: 120_000,
    interval: 50,
  });
  fate.lose();
  const lost = await running;
  world.sandbox.faults.clear();
  expect(lost.conclusion).toBe("failure");
  return { event, id, lost };
}

longTest.each(MOMENTS)(
  "a run that is lost when $name is finished by its next attempt, once",
  async (moment) => {
    const world = await EventsWorld.open();
    const issue = await world.app.as("maria").opens("Sell shoes");
    const hold = `/koryph hold gh-${issue} wait for the shop`;
    const { event, id, lost } = await lostAt(world, moment, issue, hold);

    const next = await world.runs(event, { again: lost.run });
    expectGreen(next);
    expect(next.log).not.toContain("failed");

    expect(world.app.reply(issue)).toContain("✅");
    expect(world.app.reactions(issue, id)).toEqual(["eyes", "+1"]);
    expect(await world.types()).toMatchObject({ "hold.placed": 1, "app.answered": 1 });
    const state = await world.app.state();
    expect(state.holds[`gh-${issue}`]?.reason).toBe("wait for the shop");
  },
);

longTest(
  "what a lost run left is finished by the schedule, and so is a comment that started no run",
  async () => {
    const world = await EventsWorld.open();
    const issue = await world.app.as("maria").opens("Sell shoes");
    // Before any run was there, comments are nobody's.
    await world.says("maria", issue, "/koryph status");
    expectGreen(await world.runs(world.schedule));
    expect(world.app.replies(issue)).toEqual([]);

    const replies = MOMENTS[2] as Moment;
    const other = await world.app.as("maria").opens("Sell shirts");
    await lostAt(world, replies, other, "/koryph status");
    const missed = await world.says("maria", issue, `/koryph hold gh-${issue} later`);
    await world.says("maria", issue, "nothing that koryph should read");
    expectGreen(await world.runs(world.schedule));

    expect(world.app.replies(other)).toHaveLength(1);
    expect(world.app.replies(issue)).toEqual([expect.stringContaining("✅")]);
    expect(world.app.reactions(issue, missed.id)).toEqual(["eyes", "+1"]);
    const types = await world.types();
    expectGreen(await world.runs(world.schedule));
    expectGreen(await world.runs(missed.event));
    expect(await world.types()).toEqual(types);
    expect(world.app.replies(issue)).toHaveLength(1);
  },
);

test("of two runs at once one answers, and there is one effect", async () => {
  const world = await EventsWorld.open();
  const issue = await world.app.as("maria").opens("Sell shoes");
  const { id, event } = await world.says("maria", issue, `/koryph hold gh-${issue} wait`);

  const runs = await Promise.all([world.runs(event), world.runs(event), world.runs(event)]);

  for (const run of runs) expectGreen(run);
  expect(runs.filter(({ log }) => log.includes("koryph answered 1 comment"))).toHaveLength(1);
  expect(world.app.reply(issue)).toContain("✅");
  expect(world.app.reactions(issue, id)).toEqual(["eyes", "+1"]);
  expect(await world.types()).toMatchObject({ "app.took": 1, "hold.placed": 1, "app.answered": 1 });
});
