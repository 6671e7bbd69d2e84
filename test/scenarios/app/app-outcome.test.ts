import { expect } from "vitest";
import { runStarted, slotDispatched, slotStarted } from "../../support/app/app-events.js";
import { scenario } from "../../support/app/app-world.js";

scenario("what an engine made of a command is edited into its reply, also after a restart", async (world) => {
  const issue = await world.as("maria").opens("Sell shoes");
  const bead = `gh-${issue}`;
  await world.record(runStarted(), slotDispatched(bead, "Sell shoes"), slotStarted(bead));
  await world.as("tina").says(issue, "/koryph nudge make them blue");
  expect(world.reply(issue)).toMatch(/^🚀 .*“make them blue”\.$/u);

  // Nobody takes it for three minutes.
  world.clock.pass(200);
  await expect
    .poll(() => world.reply(issue), { timeout: 20_000 })
    .toMatch(/^🚀 .*No engine has taken it yet, as of/u);

  await world.stop();
  const [request] = (await world.state()).requests;
  const data = { request: request?.id ?? "", note: "delivered", code: "delivered" };
  await world.record({ type: "control.consumed", run: "r-1", data });
  await world.start();
  world.clock.pass(400);
  await expect
    .poll(() => world.reply(issue), { timeout: 20_000 })
    .toMatch(/^✅ .*“make them blue”\. The engine took it at [-\d: ]+ UTC: delivered\.$/u);
  await world.settled();
});

scenario(
  "a reply that somebody deleted stays deleted, whatever became of the command",
  async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world.record(runStarted());
    await world.as("maria").says(issue, "/koryph drain");
    const [reply] = world.issue(issue).comments.filter(({ viaApp }) => viaApp !== null);
    await world.as("maria").deletes(reply?.id ?? 0);
    await world.record({ type: "lease.claimed", data: { holder: "e", host: "h", ttl_seconds: 60 } });
    world.clock.pass(10);
    await expect.poll(() => world.watched(), { timeout: 20_000 }).toBe(0);
    expect(world.replies(issue)).toEqual([]);
  },
  { long: true },
);
