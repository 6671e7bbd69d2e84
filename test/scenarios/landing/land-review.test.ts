import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { git } from "../../support/cli/project.js";
import { answer, blocking, CLEAN } from "../../support/landing/land-agents.js";
import {
  expectLanded,
  expectQuiet,
  landLab,
  prompt,
  refsOf,
  sessions,
  subjects,
  told,
} from "../../support/landing/land-lab.js";
import { longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 180_000 });

const MERGE = `git checkout --quiet -b side && commit one && git checkout --quiet -
git -c maintenance.auto=false merge --quiet --no-ff -m 'feat: a knot' side`;

const judged = (status: string) =>
  answer({ blocking: false, criteria: [{ id: "AC1", status, evidence: "README.md:1" }] });

test("a branch lands when its review is clean, goes back with the report twice, and then waits for a person", async () => {
  const lab = landLab({
    agents: {
      clean: { work: ["commit one\ncost 0.5"], review: [`${CLEAN}cost 0.25`] },
      bounced: {
        work: ["session s-1\ncommit one", "session s-1\ncommit two", "session s-1\ncommit three"],
        review: [CLEAN, blocking("second word"), judged("satisfied")],
      },
      disputed: {
        work: ["commit one", "commit two", "commit three"],
        review: [blocking("never good enough")],
      },
      garbled: { work: ["commit one"], review: ["echo 'it looks { quite } fine to me'"] },
      // What needs no model is found first: nobody pays for a review of these as they are.
      styled: {
        work: ["put styled-one one 'made it work'", "git commit --quiet --amend -m 'feat: make it work'"],
        review: [CLEAN],
      },
      guarded: { work: ["put CLAUDE.md anything"], review: [CLEAN] },
      knotted: { work: [MERGE], review: [CLEAN] },
    },
    // A criterion that a reviewer passes over is not satisfied.
    beads: { bounced: { acceptance_criteria: "- it works" } },
  });
  const run = await lab.koryph("run", "--auto-merge", "--review");
  expect(run, run.stdout).toMatchObject({ code: 4, stderr: "" });
  expect(await lab.status(), run.stdout).toEqual({
    clean: "merged",
    bounced: "merged",
    disputed: "merge-pending",
    garbled: "merged",
    styled: "merged",
    guarded: "blocked",
    knotted: "blocked",
  });
  const log = await lab.log();
  const verdicts = (bead: string) => told(log, bead, "slot.reviewed").map(({ verdict }) => verdict);
  expect(lab.beads.map(verdicts)).toEqual([
    ["clean"],
    ["blocking", "blocking", "clean"],
    ["blocking", "blocking", "blocking"],
    ["degraded"],
    ["clean"],
    [],
    [],
  ]);
  for (const bead of ["clean", "bounced", "garbled", "styled"]) expectLanded(lab, log, bead);
  for (const [bead, times] of Object.entries({ styled: 1, guarded: 0, knotted: 0 }))
    expect(sessions(lab, bead, "review"), bead).toHaveLength(times);
  expect(prompt(lab, "styled", "work", 2)).toContain("made it work");
  expect(told(log, "guarded", "slot.blocked")[0]?.reason).toContain("CLAUDE.md");

  // The same session goes on, and it is told what is wrong; the reviewer begins anew each time.
  expect(sessions(lab, "bounced", "work").slice(1)).toEqual(["resume s-1", "resume s-1"]);
  expect(sessions(lab, "bounced", "review").map((text) => text.split(" ")[0])).toEqual(["new", "new", "new"]);
  expect(prompt(lab, "bounced", "work", 2)).toContain("AC1 was not judged");
  expect(prompt(lab, "bounced", "work", 3)).toContain("second word");
  expect(prompt(lab, "bounced", "review", 2)).toContain("bounced-two");
  expect(subjects(lab)).toEqual(expect.arrayContaining(["feat: bounced one", "feat: bounced three"]));

  // Not clean is never shown as clean.
  expect(run.stdout).toContain("garbled  review degraded: the reviewer's answer holds no verdict");
  expect(sessions(lab, "garbled", "review")).toHaveLength(2);
  expect((await lab.koryph("status")).stdout).toMatch(/garbled .*the review is degraded: /);
  const [finished] = told(log, "disputed", "slot.finished");
  expect(finished?.note).toContain("the review still blocks after 2 rounds");
  expect(refsOf(lab, "disputed")).not.toEqual([]);
  // Whoever has to decide is told what was found, in the report's words and not in the reviewer's JSON.
  expect(run.stdout).toContain("  finished  the review blocks it: koryph tail disputed shows");
  expect((await lab.koryph("status")).stdout).toContain("\nkoryph tail disputed shows its report (review)\n");
  const tail = (await lab.koryph("tail", "disputed")).stdout;
  expect(tail).toMatch(
    /^disputed, review, finished\nreport \(review\):\n {2}# Review\n\n[\s\S]*never good enough/,
  );
  expect(tail).not.toContain('"findings"');
  // Only counts of what a reviewer says are for everybody.
  expect(JSON.stringify(log)).not.toMatch(/second word|never good enough/);
  expect(told(log, "clean", "slot.ended").map(({ usage }) => usage)).toMatchObject([
    { cost_usd: 0.5, cost_known: true },
    { cost_usd: 0.25, cost_known: true },
  ]);
  await expectQuiet(lab);
});

longTest("where the project says so, a review that cannot be read blocks", async () => {
  const lab = landLab({
    agents: { garbled: { work: ["commit one"], review: ["exit 7"] } },
    config: () => ({ review: { auto: true, on_degraded: "block" } }),
  });
  const run = await lab.koryph("run", "--auto-merge");
  expect(run, run.stdout).toMatchObject({ code: 4, stderr: "" });
  const log = await lab.log();
  expect(told(log, "garbled", "slot.blocked")[0]?.reason).toMatch(/^the review is degraded: /);
  expect(told(log, "garbled", "land.requested")).toEqual([]);
});

longTest("stages work on the branch before its review, and again when it comes back", async () => {
  const lab = landLab({
    agents: {
      staged: {
        work: ["commit one\ncost 1", "commit two\ncost 1"],
        docs: ["put notes.md first 'docs: first'\ncost 0.1", "put notes.md again 'docs: again'\ncost 0.1"],
        polish: ["cost 0.01\nsay failed 'not today'"],
        review: [`${blocking("say more")}cost 0.05`, `${CLEAN}cost 0.05`],
      },
      stuck: { work: ["commit one\ncost 0"], docs: ["say failed 'no words'\ncost 0"] },
    },
    config: () => ({
      pipeline: [
        { name: "docs", prompt: "Write the notes." },
        { name: "polish", prompt: "Make it shine.", optional: true },
      ],
    }),
  });
  mkdirSync(join(lab.root, "agents"));
  writeFileSync(join(lab.root, "agents/docs.md"), "---\nmodel: fable\n---\nYou are a poet.\n");
  git(lab.root, "add", "--all");
  git(lab.root, "commit", "--quiet", "-m", "docs: who writes them");
  git(lab.root, "push", "--quiet", "origin", "main");
  // Not on the default branch, so nobody is that.
  writeFileSync(join(lab.root, "agents/reviewer.md"), "You like everything.\n");
  const run = await lab.koryph("run", "--auto-merge", "--review");
  expect(run, run.stdout).toMatchObject({ code: 4, stderr: "" });
  expect(await lab.status(), run.stdout).toEqual({ staged: "merged", stuck: "blocked" });
  const log = await lab.log();
  expectLanded(lab, log, "staged");
  expect(subjects(lab).slice(-4)).toEqual([
    "feat: staged one",
    "docs: first",
    "feat: staged two",
    "docs: again",
  ]);
  expect(prompt(lab, "staged", "docs", 1)).toContain("Write the notes.");
  expect(prompt(lab, "staged", "docs", 1)).toContain("\n~~~~~~\nYou are a poet.\n~~~~~~\n");
  expect(prompt(lab, "staged", "review", 1)).toContain("the colleague who will be called when this breaks");
  // An optional stage that cannot be done is left out.
  expect(sessions(lab, "staged", "polish")).toHaveLength(2);
  expect(told(log, "stuck", "slot.blocked")[0]?.reason).toContain("no words");
  expect(sessions(lab, "stuck", "review")).toEqual([]);
  expect(run.stdout).toContain("cost $2.32");
  await expectQuiet(lab);
});

longTest(
  "a checkout with changes of its own holds up the review and the landing, and costs the bead nothing",
  async () => {
    const lab = landLab({ agents: { plain: { work: ["commit one"], review: [CLEAN] } }, remote: false });
    writeFileSync(join(lab.root, "README.md"), "being edited\n");
    const run = lab.begin("run", "--auto-merge", "--review");
    await run.says(
      /check of plain: the checkout has uncommitted changes \(README\.md\); commit or stash them; waiting until/,
    );
    expect(sessions(lab, "plain", "review")).toEqual([]);
    git(lab.root, "checkout", "--quiet", "README.md");
    expect(await run.ended, run.said()).toMatchObject({ code: 4 });
    expect(run.said().match(/uncommitted changes/g)).toHaveLength(1);
    const log = await lab.log();
    expectLanded(lab, log, "plain");
    expect(log.filter(({ type }) => /refused|blocked/.test(type))).toEqual([]);
  },
);

test("the gate comes before the review: nobody reviews what is red, and what is green is not run again to land", async () => {
  const lab = landLab({
    agents: {
      mended: { work: ["put red x", "git rm --quiet red\ncommit two"], review: [CLEAN] },
    },
    config: (top) => ({ gate: [`git rev-parse HEAD >>${join(top, "gated")}; test ! -e red`] }),
  });
  const base = git(lab.remote, "rev-parse", "main").trim();
  const run = await lab.koryph("run", "--auto-merge", "--review");
  expect(run, run.stdout).toMatchObject({ code: 4, stderr: "" });

  const log = await lab.log();
  const head = expectLanded(lab, log, "mended");
  expect(told(log, "mended", "slot.refused").map(({ result }) => result)).toEqual(["gate-failed"]);
  expect(sessions(lab, "mended", "review")).toHaveLength(1);
  expect(prompt(lab, "mended", "work", 2)).toContain("test ! -e red");
  const gated = readFileSync(join(lab.top, "gated"), "utf8").trimEnd().split("\n");
  // A red gate is tried twice, and then held against what it stands on.
  expect(gated).toEqual([base, gated[1], gated[1], base, head]);
  await expectQuiet(lab);
});
