import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  endStandingWriters,
  moveRefsStanding,
} from "../../../../src/adapters/git/exec/standing-ref-writer.js";
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
  endStandingWriters();
  expect(await answered).toBe(true);
  endStandingWriters();
  await expect.poll(() => processesOf(repo)).toEqual([]);
});

test("a folder that is no repository is no", async () => {
  expect(await moveRefsStanding("/nonexistent", `update refs/x ${NONE} ${NONE}\n`)).toBe(false);
});
