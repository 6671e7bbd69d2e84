import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeLedgerCommit } from "../../../../src/adapters/git/ledger/ledger-commits.js";
import { EMPTY_TREE, openLedgerRepository } from "../../../../src/adapters/git/ledger/ledger-repository.js";
import { UserError } from "../../../../src/lib/user-error.js";
import { tempFolder } from "../../../support/temp-folder.js";

const AT = 1_700_000_000_500;

function git(gitDir: string, args: readonly string[], input = ""): string {
  const who = { NAME: "koryph", EMAIL: "koryph@localhost", DATE: `@${Math.floor(AT / 1000)} +0000` };
  const both = Object.entries(who).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", ...Object.fromEntries(both) };
  return execFileSync("git", args, { cwd: gitDir, input, encoding: "utf8", env, stdio: "pipe" }).trim();
}

async function repository(): Promise<string> {
  const gitDir = join(tempFolder(), "ledger.git");
  await openLedgerRepository(gitDir);
  return gitDir;
}

test("a commit is the very one that git would write, and git finds no fault with it", async () => {
  const gitDir = await repository();
  const lines = ['{"id":1,"title":"ünïcode ✓ \\u0000"}', '{"id":2}'];
  const first = await writeLedgerCommit(gitDir, { parent: null, subject: "run.started", lines, at: AT });
  const second = await writeLedgerCommit(gitDir, {
    parent: first,
    subject: "slot.queued b-1",
    lines,
    at: AT,
  });
  const message = (subject: string) => `${subject}\n\n${lines.join("\n")}\n`;
  expect(git(gitDir, ["commit-tree", EMPTY_TREE], message("run.started"))).toBe(first);
  expect(git(gitDir, ["commit-tree", EMPTY_TREE, "-p", first], message("slot.queued b-1"))).toBe(second);
  git(gitDir, ["update-ref", "refs/koryph/ledger", second]);
  git(gitDir, ["fsck", "--strict", "--no-dangling"]);
});

test("writing the same commit again changes nothing and leaves nothing behind", async () => {
  const gitDir = await repository();
  const draft = { parent: null, subject: "a", lines: ["{}"], at: AT };
  const sha = await writeLedgerCommit(gitDir, draft);
  expect(await writeLedgerCommit(gitDir, draft)).toBe(sha);
  expect(readdirSync(join(gitDir, "objects", sha.slice(0, 2)))).toEqual([sha.slice(2)]);
});

test("a repository that cannot be written is the operator's to put right", async () => {
  const gitDir = await repository();
  // Permissions would not stop root.
  rmSync(join(gitDir, "objects"), { recursive: true });
  writeFileSync(join(gitDir, "objects"), "");
  const draft = { parent: null, subject: "a", lines: ["{}"], at: AT };
  await expect(writeLedgerCommit(gitDir, draft)).rejects.toBeInstanceOf(UserError);
});
