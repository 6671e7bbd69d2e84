import { chownSync } from "node:fs";
import { expect, test } from "vitest";
import { operatorGit } from "../../../../src/adapters/git/exec/operator-git.js";
import { UserError } from "../../../../src/lib/user-error.js";
import { git } from "../../../support/cli/project.js";
import { tempFolder } from "../../../support/temp-folder.js";

test("a folder without a repository is no repository", async () => {
  expect(await operatorGit(tempFolder(), ["remote"])).toBeNull();
});

// Only root can give a folder away.
test.runIf(process.getuid?.() === 0)(
  "a checkout that belongs to somebody else is named as such",
  async () => {
    const root = tempFolder();
    git(root, "init", "--quiet");
    chownSync(root, 12_345, 12_345);
    const asked = operatorGit(root, ["remote"]);
    await expect(asked).rejects.toThrow(UserError);
    await expect(asked).rejects.toMatchObject({
      message: `dubious ownership: ${root} belongs to another user, so git does nothing in it`,
      hint: expect.stringContaining(`git config --global --add safe.directory ${root}`),
    });
  },
);
