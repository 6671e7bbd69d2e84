import { expect, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { expectLanded, landLab, prompt, sessions } from "../../support/landing/land-lab.js";
import { longTest } from "../../support/long.js";

vi.setConfig({ testTimeout: 180_000 });

longTest("what an attempt left without a commit is there for the next one, which is told so", async () => {
  const lab = landLab({
    agents: {
      half: {
        work: [
          "session s-1\necho begun >draft.txt\nexit 3",
          "session s-1\n[ -e draft.txt ] || exit 7\ncommit one",
        ],
      },
    },
  });
  const run = await lab.koryph("run", "--auto-merge");
  expect(run, run.stdout).toMatchObject({ code: 4, stderr: "" });

  const head = expectLanded(lab, await lab.log(), "half");
  expect(git(lab.remote, "show", `${head}:draft.txt`)).toBe("begun\n");
  expect(sessions(lab, "half", "work").slice(1)).toEqual(["resume s-1"]);
  expect(prompt(lab, "half", "work", 1)).not.toContain("## Earlier attempt");
  const second = prompt(lab, "half", "work", 2);
  expect(second).toContain("It made no commit. Changes that it had not committed are in your clone.");
  expect(second).not.toContain("do not begin anew");
});
