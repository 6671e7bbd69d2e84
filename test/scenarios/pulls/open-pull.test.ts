import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { git } from "../../support/cli/project.js";
import { expectKilled } from "../../support/engine/engine-crash.js";
import { agentHead, expectQuiet, told } from "../../support/landing/land-lab.js";
import { longTest } from "../../support/long.js";
import { type PullLab, pullLab } from "../../support/pulls/pull-lab.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

const beads = {
  a: { title: "Sell shoes", issue_type: "bug", acceptance_criteria: "- [ ] shoes are sold\n- in all sizes" },
};

/** The letters that git shows for the signatures of commits of the repository on GitHub, by the list on its main. */
function signatures({ lab, repository }: PullLab, range: string): string[] {
  const { gitDir } = repository();
  const signers = join(lab.top, "signers");
  writeFileSync(signers, git(gitDir, "show", "main:.allowed_signers"));
  const log = ["-c", `gpg.ssh.allowedSignersFile=${signers}`, "log", "--format=%G?", range];
  return git(gitDir, ...log)
    .trim()
    .split("\n");
}

test("work whose policy is pr becomes one pull request, signed and green, and main stays where it was", async () => {
  const world = await pullLab({ a: "commit one\ncommit two", b: "commit one" }, beads);
  const { lab, sandbox, token, pulls, tip } = world;
  const main = tip("refs/heads/main");

  const run = await lab.koryph("run");
  expect(run, run.stdout).toMatchObject({ code: 4, stderr: "" });
  expect(run.stdout).toContain("run ended (drained): 2 pull requests open, 0 finished, 0 blocked");
  expect(tip("refs/heads/main")).toBe(main);
  expect(await lab.status()).toEqual({ a: "pr-opened", b: "pr-opened" });
  const [first, second] = [...pulls()].sort((one, other) => one.title.localeCompare(other.title));
  expect([first?.title, second?.title]).toEqual(["feat: b one", "fix(a): Sell shoes"]);
  expect(second?.body).toContain("- shoes are sold\n- in all sizes\n");
  expect(second?.author).toBe("maria");

  const log = await lab.log();
  for (const bead of ["a", "b"]) {
    const head = tip(`refs/heads/agent/${bead}`);
    const [opened] = told(log, bead, "pull.opened");
    expect(opened).toMatchObject({ head, base: main, url: expect.stringContaining("/team/shop/pull/") });
    expect(signatures(world, `${main}..${head}`)).not.toContain("N");
    // What the agent left was signed, so it is another commit.
    expect(head).not.toBe(agentHead(lab, bead));
  }
  const { number } = second ?? { number: 0 };
  const url = `${sandbox.url}/team/shop/pull/${number}`;
  for (const command of [["status"], ["list"], ["show", "a"], ["show", "a", "--json"]])
    expect((await lab.koryph(...command)).stdout, command.join(" ")).toContain(url);
  expect((await lab.koryph("log")).stdout).toContain(`pull=${number}`);
  expect(JSON.stringify(lab.workLines().find(({ id }) => id === "a"))).toContain(
    `koryph: its pull request is open: ${url}`,
  );
  const land = await lab.koryph("land", "a");
  expect(land).toMatchObject({ code: 1, stderr: expect.stringContaining("not_approved") });

  const again = await lab.koryph("run");
  expect(again, again.stdout).toMatchObject({ code: 4 });
  expect(pulls()).toHaveLength(2);
  expect(lab.starts("a")).toHaveLength(1);
  const said = [run, again, land].map(({ stdout, stderr }) => stdout + stderr).join("\n");
  expect(said + JSON.stringify(log)).not.toContain(token);
  expect(sandbox.problems).toEqual([]);
  await expectQuiet(lab);
});

longTest(
  "without a token the work is kept and blocked, and a resumed run opens it without an agent",
  async () => {
    const { lab, pulls, tip, repository, sandbox } = await pullLab({ a: "commit one" }, beads);
    const { GITHUB_TOKEN = "", ...without } = lab.env;
    lab.env = { ...without, GH_TOKEN: "", PATH: `${lab.top}/nowhere:${process.env.PATH}` };

    const run = await lab.koryph("run");
    expect(run, run.stdout).toMatchObject({ code: 4 });
    expect(run.stdout).toMatch(
      /a {2}blocked: error: a pull request on 127.0.0.1:\d+ needs a token, and there is none/,
    );
    expect(run.stdout).toContain(
      "set GITHUB_TOKEN or GH_TOKEN, or log in with gh auth login, then koryph run --resume",
    );
    expect(pulls()).toEqual([]);
    expect(tip("refs/heads/agent/a")).toBe("");

    // Somebody else has the branch by now: it is theirs.
    lab.env = { ...lab.env, GH_TOKEN: GITHUB_TOKEN };
    const theirs = await sandbox.commit("team/shop", "agent/a", { "x.txt": "x\n" }, { author: "maria" });
    const taken = await lab.koryph("run", "--resume");
    expect(taken.stdout).toContain("agent/a on the remote is at");
    expect(tip("refs/heads/agent/a")).toBe(theirs);
    git(repository().gitDir, "update-ref", "-d", "refs/heads/agent/a");

    const resumed = await lab.koryph("run", "--resume");
    expect(resumed, resumed.stdout).toMatchObject({ code: 4, stderr: "" });
    expect(await lab.status()).toEqual({ a: "pr-opened" });
    expect(pulls()).toHaveLength(1);
    expect(lab.starts("a")).toHaveLength(1);

    // Another attempt at it goes to the same pull request, on top of a default branch that has moved.
    await sandbox.commit("team/shop", "main", { "other.txt": "x\n" }, { author: "maria" });
    lab.behave("a.work.2", "commit two");
    await lab.koryph("retry", "a");
    const retried = await lab.koryph("run", "--resume");
    expect(retried, retried.stdout).toMatchObject({ code: 4, stderr: "" });
    expect(pulls()).toHaveLength(1);
    const { gitDir } = repository();
    expect(git(gitDir, "log", "--format=%s", "main..agent/a").trim().split("\n")).toEqual([
      "feat: a two",
      "feat: a one",
    ]);
    expect(git(gitDir, "merge-base", "main", "agent/a").trim()).toBe(tip("refs/heads/main"));
  },
);

longTest("a remote that is no GitHub is told before anything is paid for", async () => {
  const { lab } = await pullLab({ a: "commit one" });
  const { GITHUB_SERVER_URL: _, GITHUB_API_URL: __, ...env } = lab.env;
  lab.env = env;
  for (const command of [["validate"], ["run", "--dry-run"], ["run"]]) {
    const { code, stderr } = await lab.koryph(...command);
    expect({ code, stderr }, command.join(" ")).toEqual({
      code: 1,
      stderr: expect.stringMatching(/merge_policy.*a remote on GitHub, as 127\.0\.0\.1:\d+ is none/s),
    });
  }
  expect(lab.starts("a")).toEqual([]);
  const direct = await lab.koryph("run", "--direct");
  expect(direct, direct.stdout).toMatchObject({ code: 4 });
  expect(await lab.status()).toEqual({ a: "merged" });
});

// The simulator dies at these points in the short form, too.
longTest.each([
  { name: "between pull request and record", point: "ledger.claim:pull.opened", when: "before", n: 1 },
  { name: "between push and pull request", point: "repo.pushBranch", when: "after", n: 1 },
  { name: "before the announcement", point: "ledger.claim:pull.pushing", when: "before", n: 1 },
  { name: "between announcement and push", point: "ledger.claim:pull.pushing", when: "after", n: 1 },
  { name: "after the record", point: "ledger.claim:pull.opened", when: "after", n: 1 },
] as const)("a crash $name leaves one pull request in the end", async ({ name: _, ...point }) => {
  const { lab, sandbox, pulls, tip } = await pullLab({ a: "commit one" }, beads);
  await expectKilled(lab.engine(point));
  // Meanwhile the default branch moves on, so that other commits have to be pushed.
  await sandbox.commit("team/shop", "main", { "other.txt": "x\n" }, { author: "maria" });
  const resumed = await lab.koryph("run", "--resume");
  expect(resumed, resumed.stdout).toMatchObject({ code: 4, stderr: "" });
  expect(await lab.status()).toEqual({ a: "pr-opened" });
  expect(pulls()).toHaveLength(1);
  expect(told(await lab.log(), "a", "pull.opened")).toMatchObject([{ head: tip("refs/heads/agent/a") }]);
  expect(lab.starts("a")).toHaveLength(1);
  const fetched = await runGit(lab.root, ["ls-remote", "origin", "refs/heads/agent/*"]);
  expect(fetched.stdout.trim().split("\n")).toHaveLength(1);
});
