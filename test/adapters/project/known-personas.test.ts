import { expect, test } from "vitest";
import { knownPersonas } from "../../../src/adapters/project/known-personas.js";
import { projectWith } from "../../support/core/slots.js";
import { commit, git, put } from "../../support/engine/clone-world.js";
import { tempFolder } from "../../support/temp-folder.js";

const POET = { "agents/poet.md": "You write verse.\n" };
const config = projectWith({ review: { auto: false, on_degraded: "proceed", persona: "poet" } });

function checkout(files: Readonly<Record<string, string>>): string {
  const root = tempFolder();
  git(root, "init", "--quiet", "--template=", "--initial-branch=main");
  commit(root, "first", { "a.txt": "a\n", ...files });
  return root;
}

async function knowsPoet(root: string): Promise<boolean> {
  return (await knownPersonas({ root, config }))("poet");
}

test("a persona that no commit has is not described", async () => {
  const root = checkout({});
  put(root, POET);
  expect(await knowsPoet(root)).toBe(false);
});

test("one on the default branch is, whatever is checked out", async () => {
  const root = checkout({});
  git(root, "switch", "--quiet", "--create", "idea");
  git(root, "switch", "--quiet", "main");
  commit(root, "a poet", POET);
  git(root, "switch", "--quiet", "idea");
  expect(await knowsPoet(root)).toBe(true);
});

test("with a remote, its default branch counts, not what was not pushed", async () => {
  const root = checkout({});
  git(root, "update-ref", "refs/remotes/origin/trunk", "HEAD");
  git(root, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk");
  commit(root, "a poet", POET);
  expect(await knowsPoet(root)).toBe(false);
  git(root, "update-ref", "refs/remotes/origin/trunk", "HEAD");
  expect(await knowsPoet(root)).toBe(true);
});

test("without a repository the files are all there is to go by", async () => {
  const root = tempFolder();
  put(root, POET);
  expect(await knowsPoet(root)).toBe(true);
});
