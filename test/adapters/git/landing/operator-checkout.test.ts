import { expect, test } from "vitest";
import { unseenWork } from "../../../../src/adapters/git/landing/operator-checkout.js";
import { commit, git, put } from "../../../support/engine/clone-world.js";
import { tempFolder } from "../../../support/temp-folder.js";

function checkout() {
  const root = tempFolder();
  git(root, "init", "--quiet", "--template=", "--initial-branch=main");
  const tip = commit(root, "first", { "a.txt": "a\n", ".gitignore": "ignored/\n" });
  const base = { branch: "main", tip, remote: "origin" };
  return { root, base };
}

test("a clean checkout of what agents start from has nothing that they lack", async () => {
  const { root, base } = checkout();
  put(root, { "ignored/x": "x\n", "koryph.project.json": "{}\n" });
  expect(await unseenWork(root, base)).toBeNull();
});

test("commits that were not pushed, changed files and new ones are unseen", async () => {
  const { root, base } = checkout();
  commit(root, "mend", { "b.txt": "b\n" });
  put(root, { "a.txt": "mine\n", "new.txt": "new\n" });
  expect(await unseenWork(root, base)).toEqual({
    branch: "main",
    remote: "origin",
    ahead: 1,
    uncommitted: ["a.txt", "new.txt"],
  });
});

test("where somebody else has pushed what was never fetched, what was fetched last is compared with", async () => {
  const { root, base } = checkout();
  const elsewhere = { ...base, tip: "1".repeat(40) };
  commit(root, "mend", { "b.txt": "b\n" });
  expect(await unseenWork(root, elsewhere)).toBeNull();
  git(root, "update-ref", "refs/remotes/origin/main", base.tip);
  expect(await unseenWork(root, elsewhere)).toMatchObject({ ahead: 1 });
});

test("another branch is other work", async () => {
  const { root, base } = checkout();
  git(root, "switch", "--quiet", "--create", "idea");
  commit(root, "idea", { "b.txt": "b\n" });
  put(root, { "a.txt": "mine\n" });
  expect(await unseenWork(root, base)).toBeNull();
});
