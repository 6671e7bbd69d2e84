import { expect } from "vitest";
import { starterProject } from "../../../src/core/config/starter-project.js";
import { runStarted, slotDispatched, slotStarted } from "../../support/app/app-events.js";
import { REPOSITORY, scenario } from "../../support/app/app-world.js";

scenario(
  "an issue on which somebody used koryph has one comment that says how its bead stands",
  async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const other = await world.as("maria").opens("Sell hats");
    const [bead, unasked] = [`gh-${issue}`, `gh-${other}`];
    await world.record(
      runStarted(),
      ...[bead, unasked].flatMap((each) => [slotDispatched(each, "Sell"), slotStarted(each)]),
    );
    await world.as("walter").says(issue, "/koryph hold not before the release");
    expect(world.reply(issue)).toContain("is held");
    world.clock.pass(10);
    await expect.poll(() => world.statuses(issue)).toEqual([expect.stringContaining("held by @walter")]);
    expect(world.statuses(issue)[0]).toMatch(/an agent is at work[\s\S]*Edited as things change/);

    // What an engine writes into the ledger is seen by the sweep, with which the App starts.
    await world.stop();
    await world.record(
      { type: "hold.lifted", bead, data: {} },
      { type: "slot.blocked", run: "r-1", bead, data: { reason: "no licence" } },
    );
    await world.start();
    await expect.poll(() => world.statuses(issue)).toEqual([expect.stringContaining("no licence")]);
    expect(world.statuses(issue)[0]).toContain(`/koryph retry ${bead}`);
    expect(world.statuses(other)).toEqual([]);
  },
);

scenario("why of an issue that nobody released says so, and who can", async (world) => {
  const settings = JSON.parse(starterProject("shop", ["true"])) as object;
  const text = JSON.stringify({ ...settings, work_source: "github" });
  await world.sandbox.commit(REPOSITORY, "main", { "koryph.project.json": text });
  const issue = await world.as("maria").opens("Sell shoes");
  await world.as("rita").says(issue, "/koryph why");
  expect(world.reply(issue)).toMatch(/not released: it does not have the label koryph:release/);
});
