import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeObjects } from "../../../../src/adapters/git/exec/describe-objects.js";
import { moveRefsStanding } from "../../../../src/adapters/git/exec/move-refs-standing.js";
import { endStandingGits } from "../../../../src/adapters/git/exec/standing-git.js";
import { CloneWorld, git } from "../../../support/engine/clone-world.js";
import { processesOf } from "../../../support/engine/engine-processes.js";

const NONE = "0".repeat(40);

function world() {
  const { remote: repo } = new CloneWorld();
  const first = git(repo, "rev-parse", "main");
  const next = git(repo, "commit-tree", "-m", "next", "-p", "main", "main^{tree}");
  const at = (ref: string) => git(repo, "for-each-ref", "--format=%(objectname)", ref);
  return { repo, first, next, at };
}

test("moves follow one another, and those asked for at once are all answered", async () => {
  const { repo, first, next, at } = world();
  const asked = [1, 2, 3, 4].map((n) => moveRefsStanding(repo, `update refs/x/${n} ${first} ${NONE}\n`));
  expect(await Promise.all(asked)).toEqual([true, true, true, true]);
  expect(await moveRefsStanding(repo, `update refs/x/1 ${next} ${first}\n`)).toBe(true);
  expect([at("refs/x/1"), at("refs/x/4")]).toEqual([next, first]);
});

test("all or none: one that is elsewhere keeps the others, and the next move is as good as the first", async () => {
  const { repo, first, next, at } = world();
  const both = `update refs/x/1 ${first} ${NONE}\nupdate refs/heads/main ${next} ${next}\n`;
  expect(await moveRefsStanding(repo, both)).toBe(false);
  expect(at("refs/x/1")).toBe("");
  expect(await moveRefsStanding(repo, `update refs/x/1 ${first} ${NONE}\n`)).toBe(true);
});

test("a ref that is locked is left alone, and no lock of ours stays", async () => {
  const { repo, first, at } = world();
  const lock = join(repo, "refs/heads/main.lock");
  writeFileSync(lock, "");
  expect(
    await moveRefsStanding(repo, `delete refs/heads/main ${first}\nupdate refs/x ${first} ${NONE}\n`),
  ).toBe(false);
  expect(at("refs/x")).toBe("");
  rmSync(lock);
  expect(await moveRefsStanding(repo, `update refs/x ${first} ${NONE}\n`)).toBe(true);
  expect(existsSync(join(repo, "refs/x.lock"))).toBe(false);
});

test("a git that was killed is followed by another, and one that has nothing to do goes", async () => {
  const { repo, first } = world();
  expect(await moveRefsStanding(repo, `update refs/x/1 ${first} ${NONE}\n`)).toBe(true);
  for (const pid of processesOf(repo)) process.kill(pid, "SIGKILL");
  await expect.poll(() => processesOf(repo)).toEqual([]);
  // Whoever asks just now may get no answer from the dead one.
  await expect.poll(() => moveRefsStanding(repo, `update refs/x/1 ${first} ${first}\n`)).toBe(true);
  const answered = moveRefsStanding(repo, `update refs/x/2 ${first} ${NONE}\n`);
  endStandingGits();
  expect(await answered).toBe(true);
  endStandingGits();
  await expect.poll(() => processesOf(repo)).toEqual([]);
});

test("a folder that is no repository is no", async () => {
  expect(await moveRefsStanding("/nonexistent", `update refs/x ${NONE} ${NONE}\n`)).toBe(false);
});

test("objects are told in the order asked for, also those that came since and those asked for at once", async () => {
  const { repo, first, next } = world();
  const commit = { sha: first, type: "commit", size: expect.any(Number) };
  const names = [first, NONE, `${first}^{tree}`, `${first}^{blob}`, "main:README.md"];
  const tree = { sha: git(repo, "rev-parse", "main^{tree}"), type: "tree", size: expect.any(Number) };
  const file = { sha: git(repo, "rev-parse", "main:README.md"), type: "blob", size: 6 };
  expect(await describeObjects(repo, names)).toEqual([commit, null, tree, null, file]);
  const fresh = git(repo, "commit-tree", "-m", "fresh", "-p", next, "main^{tree}");
  const many = Array.from({ length: 5_000 }, (_, n) => (n % 2 === 0 ? fresh : NONE));
  const [last, all] = await Promise.all([describeObjects(repo, [fresh]), describeObjects(repo, many)]);
  expect(last).toEqual([{ sha: fresh, type: "commit", size: expect.any(Number) }]);
  expect(all.filter((found) => found?.sha === fresh)).toHaveLength(2_500);
});

test("when the standing git is killed in the middle, another one answers", async () => {
  const { repo, first } = world();
  await describeObjects(repo, [first]);
  const asked = describeObjects(
    repo,
    Array.from({ length: 2_000 }, () => first),
  );
  for (const pid of processesOf(repo)) process.kill(pid, "SIGKILL");
  expect(await asked).toHaveLength(2_000);
});
