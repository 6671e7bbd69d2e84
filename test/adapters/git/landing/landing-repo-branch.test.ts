import { expect, test } from "vitest";
import { commit, git } from "../../../support/engine/clone-world.js";
import { LandingWorld } from "../../../support/landing/landing-world.js";

/** A project without a remote, whose branch koryph has seen. */
async function alone(): Promise<{ world: LandingWorld; tip: string }> {
  const world = new LandingWorld();
  git(world.operator, "remote", "remove", "origin");
  const tip = git(world.operator, "rev-parse", "HEAD");
  expect(await world.landing().fetchBase()).toEqual({ branch: "main", tip, receipts: null });
  return { world, tip };
}

test("without a remote the branch that was found first stays the one to land on, and another one is named", async () => {
  const { world, tip } = await alone();
  git(world.operator, "checkout", "--quiet", "-b", "my-work");
  commit(world.operator, "mine", { "mine.txt": "x\n" });
  expect(await world.landing().fetchBase()).toEqual({
    branch: "main",
    tip,
    elsewhere: "my-work",
    receipts: null,
  });
  git(world.operator, "checkout", "--quiet", "main");
  const next = commit(world.operator, "next", { "next.txt": "x\n" });
  expect(await world.landing().fetchBase()).toEqual({ branch: "main", tip: next, receipts: null });
  git(world.operator, "checkout", "--quiet", "--detach", tip);
  expect(await world.landing().fetchBase()).toEqual({ branch: "main", tip: next, receipts: null });
});

test("a remote's own word about its default branch is followed", async () => {
  const world = await LandingWorld.open();
  git(world.remote, "branch", "trunk", "main");
  git(world.remote, "symbolic-ref", "HEAD", "refs/heads/trunk");
  expect(await world.landing().fetchBase()).toEqual({
    branch: "trunk",
    tip: world.remoteTip,
    receipts: null,
  });
});

test("without a remote the first fetch finds main although a feature branch is checked out, and names that", async () => {
  const world = new LandingWorld();
  git(world.operator, "remote", "remove", "origin");
  const tip = git(world.operator, "rev-parse", "main");
  git(world.operator, "checkout", "--quiet", "-b", "feature");
  commit(world.operator, "mine", { "mine.txt": "x\n" });
  expect(await world.landing().fetchBase()).toEqual({
    branch: "main",
    tip,
    elsewhere: "feature",
    receipts: null,
  });
});

test("without a remote init.defaultBranch names the branch", async () => {
  const world = new LandingWorld();
  git(world.operator, "remote", "remove", "origin");
  git(world.operator, "branch", "trunk", "main");
  git(world.operator, "config", "init.defaultBranch", "trunk");
  expect(await world.landing().fetchBase()).toMatchObject({ branch: "trunk", elsewhere: "main" });
});

test("a branch that was renamed without a remote is an error that says how to go on with the new name", async () => {
  const { world } = await alone();
  git(world.operator, "branch", "--move", "main", "trunk");
  await expect(world.landing().fetchBase()).rejects.toMatchObject({
    message: "other_branch: koryph lands on main here, and there is no such branch any more",
    hint: "to land on another one, set default_branch in koryph.project.json; there is trunk",
  });
  expect(await world.open({ defaultBranch: "trunk" }).fetch()).toMatchObject({ defaultBranch: "trunk" });
  await expect(world.open({ defaultBranch: "tronk" }).fetch()).rejects.toMatchObject({
    message: "koryph.project.json names tronk as default_branch, and there is no such branch",
    hint: "make it, or name another one; there is trunk",
  });
});

test.each<{ name: string; given: (world: LandingWorld) => void; says: RegExp; hint: RegExp }>([
  {
    name: "a repository without a remote that has no usual branch",
    given: ({ operator }) => {
      git(operator, "remote", "remove", "origin");
      git(operator, "branch", "--move", "main", "trunk");
      git(operator, "checkout", "--quiet", "-b", "feature");
    },
    says: /^it is not clear which branch to land on: there is no remote/,
    hint: /^set default_branch in koryph.project.json; there are feature, trunk$/,
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
