import { expect, test } from "vitest";
import { ActionInputs } from "../../src/core/config/action-inputs.js";
import { wavesWorkflow } from "../support/action/wave-world.js";

const { on, permissions, concurrency, jobs } = wavesWorkflow;
const { steps } = jobs.waves;

test("the workflow for scheduled waves starts at an odd minute, and one run waits for another", () => {
  const minutes = on.schedule.map(({ cron }) => Number(cron.split(" ")[0]));
  for (const minute of minutes) expect(minute % 5).not.toBe(0);
  expect(concurrency).toMatchObject({
    group: expect.stringContaining("github.repository_id"),
    "cancel-in-progress": false,
  });
});

test("it grants what a run needs to that job alone, and its checkout leaves no token behind", () => {
  expect(permissions).toEqual({});
  expect(jobs.waves.permissions).toEqual({ contents: "write", "pull-requests": "write", checks: "write" });
  expect(steps[0]).toMatchObject({ uses: "actions/checkout@v4", with: { "persist-credentials": false } });
});

test("it gives inputs that there are, and hands outputs on by environment only", () => {
  const koryph = steps.find(({ uses = "" }) => uses.startsWith("OWNER/koryph@"));
  const unknown = Object.keys(koryph?.with ?? {}).filter((name) => !(name in ActionInputs.shape));
  expect(unknown).toEqual([]);
  for (const { run = "" } of steps) expect(run).not.toContain("${{");
});
