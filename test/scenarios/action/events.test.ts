import { expect, test, vi } from "vitest";
import { EventsWorld, expectGreen } from "../../support/action/events-world.js";
import { runStarted, slotDispatched, slotStarted } from "../../support/app/app-events.js";
import { longTest } from "../../support/long.js";

vi.setConfig({ testTimeout: 120_000 });

test("a workflow run answers a comment once, and the same run again changes nothing", async () => {
  const world = await EventsWorld.open();
  const issue = await world.app.as("maria").opens("Sell shoes");
  const { id, event } = await world.says("maria", issue, `/koryph hold gh-${issue} wait for the shop`);

  const first = await world.runs(event);
  expectGreen(first);
  expect(first.log).toContain("koryph answered 1 comment");
  const reply = world.app.reply(issue);
  expect(reply).toContain("✅");
  expect(world.app.reactions(issue, id)).toEqual(["eyes", "+1"]);
  const types = await world.types();
  expect(types).toMatchObject({ "app.began": 1, "app.took": 1, "hold.placed": 1, "app.answered": 1 });

  for (const again of [first.run, undefined]) {
    const repeat = await world.runs(event, again === undefined ? {} : { again });
    expectGreen(repeat);
    expect(world.app.reply(issue)).toBe(reply);
    expect(await world.types()).toEqual(types);
  }
  expect(world.sandbox.problems).toEqual([]);
});

longTest("what an engine made of a command is told in the reply by a later run", async () => {
  const world = await EventsWorld.open();
  const issue = await world.app.as("maria").opens("Sell shoes");
  await world.app.record(
    runStarted(),
    slotDispatched(`gh-${issue}`, "Sell shoes"),
    slotStarted(`gh-${issue}`),
  );
  const { event } = await world.says("maria", issue, "/koryph nudge keep it short");
  expectGreen(await world.runs(event));
  expect(world.app.reply(issue)).toContain("🚀");
  const asked = (await world.app.state()).requests[0]?.id ?? "";
  await world.app.record({ type: "control.consumed", data: { request: asked, note: "delivered" } });
  expectGreen(await world.runs(world.schedule));
  expect(world.app.reply(issue)).toContain("✅");
});
