import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { agentHead, expectLanded, land, landLab, mainTip, refusals } from "../../support/landing/land-lab.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** Variations of stories that the short form tells once, or that rules tell more cheaply. */
test("without a remote, work never lands on a branch that somebody checked out meanwhile", async () => {
  const lab = landLab({
    agents: { one: "mark begun\nawait switched\ncommit one" },
    remote: false,
  });
  const start = mainTip(lab);
  const run = lab.begin("run", "--auto-merge");
  await lab.marked("begun");
  git(lab.root, "checkout", "--quiet", "-b", "my-work");
  lab.allow("switched");
  const { stdout } = await run.ended;
  expect(stdout).toContain("it lands on main, and the checkout is on my-work now");
  expect([mainTip(lab), git(lab.root, "rev-parse", "my-work").trim()]).toEqual([start, start]);
  expect(refusals(await lab.log(), "one")).toEqual(["error: other_branch"]);
  expect(lab.workLines().find(({ id }) => id === "one")).not.toMatchObject({ status: "closed" });

  const refused = await lab.koryph("run");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("other_branch: koryph lands on main here, and my-work is checked out");
  expect(refused.stderr).toContain(
    'git checkout main; to land on my-work instead, set default_branch to "my-work" in koryph.project.json',
  );
  expect(await land(lab, "one")).toMatchObject({ code: 1, said: { reason_code: "other_branch" } });

  git(lab.root, "checkout", "--quiet", "main");
  const landed = await lab.koryph("land", "one");
  expect(landed).toMatchObject({ code: 0 });
  expect(landed.stdout).toContain(`one landed on main as ${agentHead(lab, "one")}`);
  expectLanded(lab, await lab.log(), "one");

  // What the hint says for whoever means it.
  git(lab.root, "checkout", "--quiet", "-B", "my-work");
  lab.configure({ default_branch: "my-work" });
  expect((await lab.koryph("run")).stderr).toBe("");
});

longTest("with a remote whose default branch was changed, a landing names the branch it is on", async () => {
  const lab = landLab({ agents: { one: "commit one" } });
  await lab.koryph("run");
  git(lab.remote, "branch", "trunk", "main");
  git(lab.remote, "symbolic-ref", "HEAD", "refs/heads/trunk");
  expect(await land(lab, "one")).toMatchObject({ code: 0, said: { result: "merged", branch: "trunk" } });
  expect(git(lab.remote, "rev-parse", "trunk").trim()).toBe(agentHead(lab, "one"));
  // The checkout of whoever asked is not the remote's.
  expect((await lab.koryph("land", "one")).stdout).toMatch(
    /^one had landed already on trunk as [0-9a-f]{40}\nto have it in your checkout: git pull --ff-only origin trunk\n$/,
  );
});

longTest("a first run lands on the default branch, whatever branch is checked out", async () => {
  const lab = landLab({ agents: { one: "commit one" } });
  git(lab.root, "checkout", "--quiet", "-b", "feature");
  git(lab.root, "commit", "--quiet", "--allow-empty", "-m", "feat: mine");
  const mine = git(lab.root, "rev-parse", "feature");
  expect(await lab.koryph("run", "--auto-merge")).toMatchObject({ code: 4, stderr: "" });
  expectLanded(lab, await lab.log(), "one");
  expect(git(lab.remote, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe("refs/heads/main\n");
  expect(git(lab.root, "rev-parse", "feature")).toBe(mine);
});

longTest("without a remote a first run starts nothing while another branch is checked out", async () => {
  const lab = landLab({ agents: { one: "commit one" }, remote: false });
  git(lab.root, "checkout", "--quiet", "-b", "feature");
  const start = mainTip(lab);
  const refused = await lab.koryph("run", "--auto-merge");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("other_branch: koryph lands on main here, and feature is checked out");
  expect([mainTip(lab), git(lab.root, "rev-parse", "feature").trim()]).toEqual([start, start]);
  expect(lab.starts("one")).toEqual([]);
});
