import { describe, expect, test, vi } from "vitest";
import { review } from "../../../src/sandbox/world/people.js";
import { git } from "../../support/app/sandbox-lab.js";
import { LONG, longTest } from "../../support/long.js";
import { REPOSITORY } from "../../support/pulls/open-shop.js";
import { pullLab } from "../../support/pulls/pull-lab.js";
import { pullLandingLab, SHOP } from "../../support/pulls/pull-landing-lab.js";

// Several processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

test("koryph land takes a pull request's number or address, runs the gate and lands the very commits", async () => {
  const lab = await pullLandingLab();
  const { pull, head } = await lab.opens();
  const landed = await lab.koryph("land", `${pull}`);
  expect(landed, landed.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(landed.stdout).toContain(`#${pull} landed on main as ${head}`);
  expect(landed.stdout).toMatch(/running the gate on [\da-f]{12}[\s\S]*receipt [\da-f]{12}/);
  expect(await lab.tip("main")).toBe(head);
  expect(lab.isMerged(pull)).toBe(true);
  // Somebody else's branch is theirs to delete.
  expect(await lab.tip("shoes")).toBe(head);
  expect(await lab.receipts()).toBe(1);
  expect(await lab.koryph("verify", head)).toMatchObject({ code: 0 });
  // By the name that GitHub knows the operator by, not the machine's.
  expect((await lab.koryph("log", "--json")).stdout).toMatch(/"actor":"@maria"[^\n]*"type":"pull\.landing"/);

  const again = await lab.koryph("land", `${lab.sandbox.url}/${SHOP}/pull/${pull}/files`, "--json");
  expect(again).toMatchObject({ code: 0 });
  expect(JSON.parse(again.stdout)).toEqual({
    ...{ bead: null, pull, result: "merged", head, branch: "main", receipt: null, approved: null },
  });
  expect(await lab.recorded("land.landed")).toBe(1);
});

test("koryph land finds an approval that somebody gave in GitHub's own form, and that nobody told koryph of", async () => {
  const lab = await pullLandingLab({ land: { approvals: 1 } });
  const { pull, head } = await lab.opens();
  await review(lab.sandbox.world, SHOP, pull, "walter", { state: "APPROVED" });
  const landed = await lab.koryph("land", `${pull}`);
  expect(landed, landed.stderr).toMatchObject({ code: 0 });
  expect(await lab.tip("main")).toBe(head);
});

longTest(
  "an approval in GitHub's own form that its author took back with another review lands nothing",
  async () => {
    const lab = await pullLandingLab({ land: { approvals: 1 } });
    const { pull } = await lab.opens();
    await review(lab.sandbox.world, SHOP, pull, "walter", { state: "APPROVED" });
    lab.pass(5);
    await review(lab.sandbox.world, SHOP, pull, "walter", { state: "CHANGES_REQUESTED", body: "Not blue." });
    const base = await lab.tip("main");
    const refused = await lab.koryph("land", `${pull}`);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("changes_requested") });
    expect(await lab.tip("main")).toBe(base);
  },
);

longTest(
  "a base that moved is caught up with: gate on the rebased tree, signed, and approved as it was",
  async () => {
    const lab = await pullLandingLab({ land: { approvals: 1 } });
    const { pull, head } = await lab.opens();
    const approved = await lab.koryphAs("walter", "review-pr", `${pull}`, "--approve");
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining("koryph counts it") });
    expect(await lab.recorded("pull.approved")).toBe(1);
    const base = await lab.moveBase();
    const landed = await lab.koryph("land", `#${pull}`);
    expect(landed, landed.stderr).toMatchObject({ code: 0 });
    const [, now = ""] = / landed on main as ([\da-f]{40})/.exec(landed.stdout) ?? [];
    expect(now).not.toBe(head);
    expect(landed.stdout).toContain(
      `people approved ${head.slice(0, 12)}, which koryph rebased to ${now.slice(0, 12)}`,
    );
    expect(landed.stdout).toContain(`/${SHOP}/compare/${base}...${now}`);
    expect(landed.stdout).toMatch(/git range-diff, which decides nothing:\n {4}1: {2}[\da-f]{7,} [=!] 1: /);
    expect([await lab.tip("main"), await lab.tip("shoes")]).toEqual([now, now]);
    const [parent = "", author = ""] = (await git(lab.gitDir, "log", "-1", "--format=%P%n%an", now)).split(
      "\n",
    );
    expect(parent).toBe(base);
    expect(author).toBe("ann");
    expect(await git(lab.gitDir, "cat-file", "commit", now)).toContain("gpgsig");
    expect(landed.stdout).toMatch(/replayed on[\s\S]*running the gate[\s\S]*to the pull request's branch/);
    expect(lab.isMerged(pull)).toBe(true);
  },
);

longTest("what is refused is told with its code and the next step, and nothing has moved", async () => {
  const lab = await pullLandingLab({ land: { approvals: 1 } });
  const { pull, head } = await lab.opens("shoes", { red: "" });
  const base = await lab.moveBase();
  const refused = await lab.koryph("land", `${pull}`);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toMatchInlineSnapshot(`
    "#1 was not landed, not_approved: 0 of 1 approvals
      needed: the approval of one person who had no hand in its commits, for exactly this head
      next: a reviewer types koryph review-pr 1 --approve, or approves in GitHub's own form
      who: a reviewer with write access
    "
  `);
  const told = await lab.koryph("land", `${pull}`, "--json");
  expect(JSON.parse(told.stdout)).toMatchObject({ pull, result: "error", reason_code: "not_approved" });
  expect([await lab.tip("main"), await lab.tip("shoes")]).toEqual([base, head]);
  expect(await lab.receipts()).toBe(0);
});

longTest("a red gate refuses before anything is pushed, also for a base that moved", async () => {
  const lab = await pullLandingLab();
  const { pull, head } = await lab.opens("shoes", { red: "" });
  const base = await lab.moveBase();
  const refused = await lab.koryph("land", `${pull}`);
  expect(refused.stderr).toMatch(/#\d+ was not landed, gate_failed: the gate is red: .*ended with 1/);
  expect([await lab.tip("main"), await lab.tip("shoes")]).toEqual([base, head]);
});

longTest("a base branch that is red by itself is not held against the pull request", async () => {
  const lab = await pullLandingLab();
  const { pull } = await lab.opens();
  const base = await lab.sandbox.commit(SHOP, "main", { red: "" }, { author: "walter" });
  const refused = await lab.koryph("land", `${pull}`);
  expect(refused.stderr).toMatch(
    /was not landed, base_red: the base branch itself is red at \w{12}: .*ended with 1.*not this pull request's fault/,
  );
  expect(refused.stderr).toMatch(/needed: a base branch whose own gate is green/);
  expect(refused.stderr).toMatch(/next: koryph gate shows what is wrong there; .*koryph land/);
  expect(refused).toMatchObject({ code: 1 });
  expect(await lab.tip("main")).toBe(base);
});

describe.each([{ branch: "shoes" }, { branch: "main" }])("killed when $branch is pushed", ({ branch }) => {
  test.runIf(LONG || branch === "main")("a repeat finishes it, once", async () => {
    const lab = await pullLandingLab();
    const { pull } = await lab.opens();
    await lab.moveBase();
    await lab.killedAtPush(branch, "land", `${pull}`);
    const landed = await lab.koryph("land", `${pull}`, "--json");
    expect(landed, landed.stderr).toMatchObject({ code: 0 });
    expect(await lab.tip("main")).toBe((JSON.parse(landed.stdout) as { head: string }).head);
    expect(await lab.tip("main")).toBe(await lab.tip("shoes"));
    expect(lab.isMerged(pull)).toBe(true);
    expect(await lab.recorded("land.landed")).toBe(1);
    expect(await lab.receipts()).toBe(1);
    expect(await lab.recorded("land.rebased")).toBe(1);
  });
});

longTest("--cancel takes a landing out of the queue that was left there, once", async () => {
  const lab = await pullLandingLab();
  const { pull } = await lab.opens();
  const base = await lab.moveBase();
  await lab.killedAtPush("shoes", "land", `${pull}`);
  expect(await lab.koryph("land", `${pull}`, "--cancel", "--method", "ff")).toMatchObject({ code: 2 });
  const taken = await lab.koryph("land", `#${pull}`, "--cancel");
  expect(taken, taken.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(taken.stdout).toContain(`#${pull} is out of the landing queue`);
  const again = await lab.koryph("land", `${pull}`, "--cancel", "--json");
  expect(again).toMatchObject({ code: 1 });
  expect(JSON.parse(again.stdout)).toMatchObject({ pull, result: "error", reason_code: "not_queued" });
  expect(await lab.tip("main")).toBe(base);
  expect(await lab.koryph("land", `${pull}`)).toMatchObject({ code: 0 });
});

longTest(
  "--method squash makes one signed commit of the branch, which wants an approval of its own",
  async () => {
    const lab = await pullLandingLab({ land: { approvals: 1 } });
    const { pull, head } = await lab.opens();
    const bob = { author: "bob", message: "more shoes" };
    lab.sandbox.addUser("bob");
    lab.sandbox.setRole(SHOP, "bob", "write");
    await lab.sandbox.commit(SHOP, "shoes", { "more.txt": "x\n" }, bob);
    const base = await lab.moveBase();
    lab.pass(60);
    await lab.koryphAs("walter", "review-pr", `${pull}`, "--approve");
    const refused = await lab.koryph("land", `${pull}`, "--method", "squash");
    expect(refused.stderr).toMatch(
      /not_approved: 0 of 1 approvals; walter does not count: walter has approved another head/,
    );
    const squashed = await lab.tip("shoes");
    const [parents, subject, ...body] = (
      await git(lab.gitDir, "log", "-1", "--format=%P%n%B", squashed)
    ).split("\n");
    expect([parents, subject]).toEqual([base, "feat: shoes"]);
    expect(body.join("\n")).toMatch(/- more shoes\n\nCo-authored-by: bob <\d+\+bob@users\.noreply\./);
    expect(await git(lab.gitDir, "cat-file", "commit", squashed)).toContain("gpgsig");
    expect(await lab.tip("main")).toBe(base);
    expect(head).not.toBe(squashed);

    lab.pass(60);
    // A co-author stays one.
    expect((await lab.koryphAs("bob", "review-pr", `${pull}`, "--approve")).stdout).toContain(
      "had a hand in",
    );
    await lab.koryphAs("walter", "review-pr", `${pull}`, "--approve");
    expect(await lab.koryph("land", `${pull}`)).toMatchObject({ code: 0 });
    expect(await lab.tip("main")).toBe(squashed);
    expect(lab.isMerged(pull)).toBe(true);
  },
);

longTest("koryph land <bead> lands its pull request, deletes the branch and closes the bead", async () => {
  const { lab, sandbox, pulls, tip, pass } = await pullLab({ a: "commit one" });
  expect(await lab.koryph("run")).toMatchObject({ code: 4 });
  const [pull] = pulls();
  sandbox.addUser("walter");
  sandbox.setRole(REPOSITORY, "walter", "write");
  pass(60);
  const { env } = lab;
  lab.env = { ...env, GITHUB_TOKEN: sandbox.tokenFor("walter") };
  const approved = await lab.koryph("review-pr", `${pull?.number}`, "--approve");
  expect(approved, approved.stderr).toMatchObject({ code: 0 });
  lab.env = env;
  const head = tip("refs/heads/agent/a");
  const landed = await lab.koryph("land", "a");
  expect(landed, landed.stdout + landed.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(landed.stdout).toContain(`a landed on main as ${head}`);
  expect([tip("refs/heads/main"), tip("refs/heads/agent/a")]).toEqual([head, ""]);
  expect(lab.workLines().find(({ id }) => id === "a")).toMatchObject({ close_reason: `landed: ${head}` });
  expect(await lab.status()).toEqual({ a: "merged" });
  expect(lab.names("clones")).toEqual([]);
  const again = await lab.koryph("land", "a");
  expect(again.stdout).toContain(`a had landed already on main as ${head}`);
});

test("koryph land --all lands the pull requests that lack nothing, and says what the others lack", async () => {
  const { lab, sandbox, pulls, tip, pass } = await pullLab({ a: "commit one", b: "commit two" });
  expect(await lab.koryph("run")).toMatchObject({ code: 4 });
  const of = (bead: string) => pulls().find(({ pull }) => pull.headRef === `agent/${bead}`);
  sandbox.addUser("walter");
  sandbox.setRole(REPOSITORY, "walter", "write");
  pass(60);
  const { env } = lab;
  lab.env = { ...env, GITHUB_TOKEN: sandbox.tokenFor("walter") };
  await lab.koryph("review-pr", `${of("a")?.number}`, "--approve");
  lab.env = env;
  const [main, b] = [tip("refs/heads/main"), tip("refs/heads/agent/b")];
  const landed = await lab.koryph("land", "--all");
  expect(landed, landed.stdout + landed.stderr).toMatchObject({ code: 0 });
  expect(landed.stdout).toMatch(/b is left out: waits for a reviewer with write access: 0 of 1 approvals/);
  expect(landed.stdout).toMatch(/a landed on main as [\da-f]{40}/);
  expect(tip("refs/heads/main")).not.toBe(main);
  expect(tip("refs/heads/agent/b")).toBe(b);
  expect(await lab.status()).toEqual({ a: "merged", b: "pr-opened" });

  // Without a way to GitHub it is left out as well, and is no failure of the others.
  lab.env = { ...env, GITHUB_TOKEN: "" };
  const alone = await lab.koryph("land", "--all");
  expect(alone.stdout).toMatch(/b is left out: [\s\S]*no finished bead waits/);
});

longTest("what is no pull request of this repository is said to be none", async () => {
  const lab = await pullLandingLab();
  const { pull } = await lab.opens();
  const said = async (...args: string[]) => (await lab.koryph("land", ...args)).stderr;
  expect(await said("99")).toContain("team/shop has no pull request 99");
  expect(await said("https://github.com/other/shop/pull/1")).toContain("github.com/other/shop");
  expect(await said("?")).toContain("neither a bead id nor a pull request");
  const mixed = await lab.koryph("land", "99", `${pull}`, "gh-1", "--json");
  expect(mixed).toMatchObject({ code: 1 });
  expect(JSON.parse(mixed.stdout)).toMatchObject({
    landings: [{ reason_code: "not_landable" }, { result: "merged" }, { reason_code: "no_slot" }],
  });
});

longTest("a request for changes takes back an approval that is on record already", async () => {
  const lab = await pullLandingLab({ land: { approvals: 1 } });
  const { pull } = await lab.opens();
  const base = await lab.tip("main");
  expect(await lab.koryphAs("walter", "review-pr", `${pull}`, "--approve")).toMatchObject({ code: 0 });
  lab.pass(60);
  await review(lab.sandbox.world, SHOP, pull, "walter", { state: "CHANGES_REQUESTED", body: "Not blue." });
  const refused = await lab.koryph("land", `${pull}`);
  expect(refused, refused.stdout).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("changes_requested"),
  });
  expect(await lab.tip("main")).toBe(base);
});

longTest("a second person's approval in GitHub's own form is found as well", async () => {
  const lab = await pullLandingLab({ land: { approvals: 2 } });
  lab.sandbox.addUser("wendy");
  lab.sandbox.setRole(SHOP, "wendy", "write");
  const { pull, head } = await lab.opens();
  await review(lab.sandbox.world, SHOP, pull, "walter", { state: "APPROVED" });
  const first = await lab.koryph("land", `${pull}`);
  expect(first.stderr).toContain("1 of 2 approvals");
  await review(lab.sandbox.world, SHOP, pull, "wendy", { state: "APPROVED" });
  const landed = await lab.koryph("land", `${pull}`);
  expect(landed, landed.stderr).toMatchObject({ code: 0 });
  expect(await lab.tip("main")).toBe(head);
});

longTest(
  "a pull request that was closed and opened again keeps its approval in GitHub's own form",
  async () => {
    const lab = await pullLandingLab({ land: { approvals: 1 } });
    const { pull, head } = await lab.opens();
    expect(await lab.koryphAs("walter", "review-pr", `${pull}`, "--approve")).toMatchObject({ code: 0 });
    const send = async (state: string) =>
      fetch(`${lab.sandbox.url}/repos/${SHOP}/pulls/${pull}`, {
        method: "PATCH",
        headers: {
          authorization: `Bearer ${lab.sandbox.tokenFor("maria")}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ state }),
      });
    expect((await send("closed")).status).toBe(200);
    expect(await lab.koryph("pr-sync")).toMatchObject({ code: 0 });
    expect((await send("open")).status).toBe(200);
    const landed = await lab.koryph("land", `${pull}`);
    const again = await lab.koryph("land", `${pull}`);
    expect([landed.stderr, again.stderr]).toEqual(["", ""]);
    expect(await lab.tip("main")).toBe(head);
  },
);

longTest("koryph land --all finds approvals in GitHub's own form", async () => {
  const { lab, sandbox, pulls, pass } = await pullLab({ a: "commit one" });
  expect(await lab.koryph("run")).toMatchObject({ code: 4 });
  sandbox.addUser("walter");
  sandbox.setRole(REPOSITORY, "walter", "write");
  pass(60);
  await review(sandbox.world, REPOSITORY, pulls()[0]?.number ?? 0, "walter", { state: "APPROVED" });
  const landed = await lab.koryph("land", "--all");
  expect(landed.stdout).toMatch(/a landed on main as [\da-f]{40}/);
});

longTest("a contained pull request's approval in GitHub's own form is found as well", async () => {
  const lab = await pullLandingLab({ land: { approvals: 1 } });
  const below = await lab.opens("shoes");
  const head = await lab.sandbox.commit(
    SHOP,
    "hats",
    { "hats.txt": "x\n" },
    {
      ...{ author: "ann", message: "feat: hats", parent: below.head },
    },
  );
  const { number: pull } = await lab.sandbox.openPull(SHOP, {
    author: "ann",
    head: "hats",
    title: "feat: hats",
  });
  lab.pass(60);
  await review(lab.sandbox.world, SHOP, below.pull, "walter", { state: "APPROVED" });
  await review(lab.sandbox.world, SHOP, pull, "walter", { state: "APPROVED" });
  const landed = await lab.koryph("land", `${pull}`);
  expect(landed, landed.stderr).toMatchObject({ code: 0 });
  expect(await lab.tip("main")).toBe(head);
});
