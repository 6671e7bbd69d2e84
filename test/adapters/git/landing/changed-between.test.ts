import { join } from "node:path";
import { expect, test } from "vitest";
import { changedBetween } from "../../../../src/adapters/git/landing/changed-between.js";
import { LandingWorld } from "../../../support/landing/landing-world.js";

test("each range tells what differs between its ends, and one that is not here tells nothing", async () => {
  const world = await LandingWorld.open();
  const base = world.remoteTip;
  const one = world.made(base, "one", { "src/a": "1\n", "line\nbreak": "1\n" });
  const two = world.made(one, "two", { "src/b": "2\n" });
  const gone = "0".repeat(40);
  expect(
    await changedBetween(join(world.home, "repo.git"), [
      { base, head: two },
      { base: one, head: two },
      { base, head: gone },
      { base: one, head: one },
    ]),
  ).toEqual([["line\nbreak", "src/a", "src/b"], ["src/b"], null, []]);
});
