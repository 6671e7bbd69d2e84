import { expect, test } from "vitest";
import { runnerJobsOn } from "../../src/app/runners/runner-jobs-on.js";

const place = { installation: 1, repository: { fullName: "team/shop", id: 2 } };
const parts = {
  mayAsk: true,
  app: { asInstallation: () => Promise.reject(new Error("GitHub was asked")) },
  memory: { decide: async () => {}, decided: async () => null },
  botSlug: async () => "our-koryph",
  now: () => 0,
} as unknown as Parameters<typeof runnerJobsOn>[0];
const jobs = { workflow: "koryph.yml", kinds: ["gate" as const], app: "Our-Koryph", minutes: 1 };
const job = { id: "J", kind: "gate", head: "h", base: "b" } as const;

test("runners are asked by the App that the project names, and by no other", async () => {
  const other = runnerJobsOn(parts, place, { jobs: { ...jobs, app: "koryph" } });
  expect(await other?.ask(job)).toEqual({ kind: "other-app", named: "koryph", own: "our-koryph" });
  await expect(runnerJobsOn(parts, place, { jobs })?.ask(job)).rejects.toThrow("GitHub was asked");
});

test("without a workflow there is nobody to ask", () => {
  expect(runnerJobsOn(parts, place, { jobs: { ...jobs, workflow: undefined } })).toBeUndefined();
});

test("a workflow run asks none: what it was answered would lie where others can write", () => {
  expect(runnerJobsOn({ ...parts, mayAsk: false }, place, { jobs })).toBeUndefined();
});
