import { expect, test } from "vitest";
import { commit, git } from "../../../support/engine/clone-world.js";
import { LandingWorld } from "../../../support/landing/landing-world.js";

/** A project without a remote, whose branch koryph has seen. */
async function alone(): Promise<{ world: LandingWorld; tip: string }> {
  const world = new LandingWorld();
  git(world.operator, "remote", "remove", "origin");
  const tip = git(world.operator, "rev-parse", "HEAD");
  expect(await world.landing().fetchBase()).toEqual({ branch: "main", tip });
  return { world, tip };
}

test("without a remote the branch that was found first stays the one to land on, and another one is named", async () => {
  const { world, tip } = await alone();
  git(world.operator, "checkout", "--quiet", "-b", "my-work");
  commit(world.operator, "mine", { "mine.txt": "x\n" });
  expect(await world.landing().fetchBase()).toEqual({ branch: "main", tip, elsewhere: "my-work" });
  git(world.operator, "checkout", "--quiet", "main");
  const next = commit(world.operator, "next", { "next.txt": "x\n" });
  expect(await world.landing().fetchBase()).toEqual({ branch: "main", tip: next });
  git(world.operator, "checkout", "--quiet", "--detach", tip);
  expect(await world.landing().fetchBase()).toEqual({ branch: "main", tip: next });
});

test("a remote's own word about its default branch is followed", async () => {
  const world = await LandingWorld.open();
  git(world.remote, "branch", "trunk", "main");
  git(world.remote, "symbolic-ref", "HEAD", "refs/heads/trunk");
  expect(await world.landing().fetchBase()).toEqual({ branch: "trunk", tip: world.remoteTip });
});

test("a branch that was renamed without a remote is an error that says how to go on with the new name", async () => {
  const { world } = await alone();
  git(world.operator, "branch", "--move", "main", "trunk");
  await expect(world.landing().fetchBase()).rejects.toMatchObject({
    message:
      "other_branch: koryph lands on main here, and there is no such branch any more; trunk is checked out",
    hint: expect.stringMatching(/go on with trunk from now on: git --git-dir=\S+ symbolic-ref --delete/),
  });
});

test.each<{ name: string; given: (world: LandingWorld) => void; says: RegExp; hint: RegExp }>([
  {
    name: "a detached HEAD without a remote",
    given: ({ operator }) => {
      git(operator, "remote", "remove", "origin");
      git(operator, "branch", "--move", "main", "trunk");
      git(operator, "checkout", "--quiet", "--detach");
    },
    says: /has a commit checked out and no branch/,
    hint: /^check a branch out: git checkout trunk$/,
  },
  {
    name: "a remote whose default branch was deleted",
    given: ({ operator, remote }) => {
      git(operator, "push", "--quiet", "origin", "main:dev");
      git(remote, "update-ref", "-d", "refs/heads/main");
    },
    says: /^the default branch of \S+ is gone: its HEAD names a branch that is not there$/,
    hint: /^push that branch again, .* it has dev$/,
  },
  {
    name: "a remote without any commit",
    given: ({ remote }) => git(remote, "update-ref", "-d", "refs/heads/main"),
    says: /has no commit on its default branch/,
    hint: /^make a first commit/,
  },
])("$name is named for what it is", async ({ given, says, hint }) => {
  const world = new LandingWorld();
  given(world);
  await expect(world.landing().fetchBase()).rejects.toMatchObject({
    name: "UserError",
    message: expect.stringMatching(says),
    hint: expect.stringMatching(hint),
  });
});
