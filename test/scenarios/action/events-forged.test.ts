import { expect, test, vi } from "vitest";
import { EventsWorld, expectGreen } from "../../support/action/events-world.js";
import { LANDING, last, opens, tip } from "../../support/app/landing-stories.js";
import { longTest } from "../../support/long.js";

vi.setConfig({ testTimeout: 180_000 });

interface Given {
  readonly id: number;
  readonly events: readonly object[];
  readonly effect?: object;
}

/** What whoever may push can say of a comment: that an earlier run has decided this of its first command. */
function forge(world: EventsWorld, { id, events, effect }: Given): Promise<void> {
  const value = { kind: "append", events, done: true, said: "as you wish", ...(effect && { effect }) };
  const data = { key: `comment ${id}`, place: 0, value: JSON.stringify(value) };
  return world.app.record({ type: "app.kept", data });
}

test("a decision that somebody put into the ledger gives nobody's comment a power that it has not", async () => {
  const world = await EventsWorld.open(LANDING);
  const { pull, head } = await opens(world.app);
  const base = await tip(world.app);
  const data = { pull, branch: "main", base, head, method: "ff", allow_protected: false };
  const landing = [{ type: "pull.landing", bead: `pull-${pull}`, data }];
  const effect = { kind: "land", pull, branch: "main" };

  // Rita may read, and asks for nothing; maria may land, and asks for something else.
  for (const [login, text] of [
    ["rita", "/koryph land"],
    ["maria", "/koryph hold"],
  ] as const) {
    const { id, event } = await world.says(login, pull, text);
    await forge(world, { id, events: landing, effect });
    expectGreen(await world.runs(event));
    expect(last(world.app, pull), text).not.toContain("as you wish");
    expect(await tip(world.app), text).toBe(base);
  }
  expect(await world.types()).not.toHaveProperty("pull.landing");

  const drain = await world.says("walter", pull, "/koryph drain");
  await forge(world, { id: drain.id, events: [{ type: "control.drain", data: {} }] });
  expectGreen(await world.runs(drain.event));
  expect(last(world.app, pull)).toContain("not_permitted");
  expect(await world.types()).not.toHaveProperty("control.drain");
});

longTest(
  "the schedule leaves a comment alone that somebody edited in the second in which it was written",
  async () => {
    const world = await EventsWorld.open();
    const issue = await world.app.as("maria").opens("Sell shoes");
    expectGreen(await world.runs(world.schedule));
    const { id } = await world.says("maria", issue, "what a nice idea");
    await world.app.as("walter").edits(id, `/koryph hold gh-${issue} by maria`);
    const comment = world.app.comment(issue, id);
    if (comment !== undefined) comment.updatedAt = comment.createdAt;
    expectGreen(await world.runs(world.schedule));
    expect(world.app.replies(issue)).toEqual([]);
    expect(await world.types()).not.toHaveProperty("hold.placed");
  },
);
