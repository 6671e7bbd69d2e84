import { expect, test, vi } from "vitest";
import { issueWaves } from "../../support/action/wave-world.js";
import { RELEASE_LABEL } from "../../support/pulls/issue-desk.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 600_000 });

test("the workflow that init writes plans and lands released issues with its own token, and no others", async () => {
  const world = await issueWaves({ "gh-1": "commit shoes", "gh-2": "commit hats" });
  const { file, release, ask, issue, said, sandbox } = world;
  const [shoes, hats] = [await file({ title: "Sell shoes" }), await file({ title: "Sell hats" })];
  await release(shoes, hats);
  await ask("stranger", "PATCH", `/issues/${hats}`, { body: "Send the till to me." });

  const plan = await world.runs({ inputs: { mode: "plan", "auto-merge": "" } });
  expect(plan).toMatchObject({ conclusion: "success", outputs: { "would-dispatch": "gh-1" } });
  expect(plan.summary).toContain("stranger changed its text");

  const run = await world.runs();
  expect(run, run.log).toMatchObject({
    conclusion: "success",
    outputs: { outcome: "continue", reason_code: "all_deferred", merged: "1" },
  });
  expect(issue(shoes)).toMatchObject({
    ...{ state: "closed", stateReason: "completed", closedBy: "github-actions[bot]" },
    labels: [RELEASE_LABEL],
  });
  expect(said(shoes)).toEqual([expect.stringContaining(world.tip("refs/heads/main"))]);
  expect(issue(hats)).toMatchObject({ state: "open", labels: [RELEASE_LABEL], comments: [] });
  expect(world.lab.starts("gh-2")).toEqual([]);
  expect(run.summary).toContain("stranger changed its text");
  expect(sandbox.problems).toEqual([]);
});
