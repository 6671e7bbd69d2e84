import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepo } from "../../../../src/adapters/git/exec/open-repo.js";
import { AGENT, git } from "../../../support/engine/clone-world.js";
import { tempFolder } from "../../../support/temp-folder.js";

test("several that make it at once end with one repository, and nothing beside it", async () => {
  const home = join(tempFolder(), "home");
  const repo = join(home, "repo.git");
  await Promise.all(Array.from({ length: 6 }, () => openRepo(repo, AGENT)));
  expect(git(repo, "rev-parse", "--is-bare-repository")).toBe("true");
  expect(readdirSync(home)).toEqual(["repo.git"]);
});

test.each(["HEAD", "refs", "objects"])("one that lost its %s is a repository again", async (name) => {
  const repo = join(tempFolder(), "repo.git");
  await openRepo(repo, AGENT);
  rmSync(join(repo, name), { recursive: true });
  await openRepo(repo, AGENT);
  expect(git(repo, "rev-parse", "--is-bare-repository")).toBe("true");
});
