import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { issueWaves } from "../../support/action/wave-world.js";
import { git } from "../../support/cli/project.js";
import { longTest } from "../../support/long.js";
import { RELEASE_LABEL } from "../../support/pulls/issue-desk.js";
import { storm } from "../../support/pulls/storm.js";

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

longTest(
  "sixty issues that touch the same places land once each, never two of a place at once, in a storm",
  async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index + 1);
    /** One place for most, two for every third: chains of issues that exclude one another. */
    const places = (number: number) => [number % 7, ...(number % 3 === 0 ? [(number * 5 + 1) % 7] : [])];
    const work = (number: number) => {
      const taken = [...new Set(places(number))].sort();
      const enter = taken.map(
        (place) => `mkdir "$lab/places/${place}" || echo ${place} >>"$lab/places/shared"`,
      );
      return [...enter, `commit c${number}`, ...taken.map((place) => `rmdir "$lab/places/${place}"`)].join(
        "\n",
      );
    };
    const agents = Object.fromEntries(numbers.map((number) => [`gh-${number}`, work(number)]));
    const world = await issueWaves(agents, { max_concurrent_slots: 6 });
    const { lab, file, release, ask, issue, said, sandbox, runs } = world;
    mkdirSync(join(lab.top, "places"));
    for (const number of numbers) {
      await file({ title: `Part ${number}` });
      const labels = [...new Set(places(number))].map((place) => `fp:place-${place}`);
      await ask("maria", "POST", `/issues/${number}/labels`, { labels });
    }
    await release(...numbers);
    const calm = storm(sandbox);
    const heard: string[] = [];
    for (let tries = 0; tries < 8 && numbers.some((number) => issue(number).state === "open"); tries += 1)
      heard.push((await runs()).log);
    calm();
    const log = heard.join("\n\n");
    expect(
      numbers.map((number) => issue(number).state),
      log,
    ).toEqual(numbers.map(() => "closed"));
    const shared = join(lab.top, "places", "shared");
    expect(existsSync(shared) ? readFileSync(shared, "utf8") : "", log).toBe("");
    const subjects = git(world.repository().gitDir, "log", "--format=%s", "main").split("\n");
    for (const number of numbers) {
      expect(lab.starts(`gh-${number}`), log).toHaveLength(1);
      expect(said(number)).toHaveLength(1);
      expect(subjects.filter((subject) => subject === `feat: gh-${number} c${number}`)).toHaveLength(1);
    }
    expect(sandbox.problems).toEqual([]);
  },
);
