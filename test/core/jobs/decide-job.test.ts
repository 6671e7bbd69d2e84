import { expect, test } from "vitest";
import { type JobFacts, refuseJob } from "../../../src/core/jobs/decide-job.js";
import {
  isDispatchedByApp,
  judgeRun,
  nextRunnerStep,
  type RunnerRun,
} from "../../../src/core/jobs/runner-run.js";
import type { KnownJob } from "../../../src/core/run/ledger/ledger-state.js";

const [head, base] = ["a".repeat(40), "b".repeat(40)];
const expected = { app: "koryph", workflow: "koryph.yml", defaultBranch: "main" };
const run: RunnerRun = {
  ...{ id: 7, url: "u", event: "workflow_dispatch", actor: "koryph[bot]", triggeredBy: "koryph[bot]" },
  ...{ attempt: 1, path: ".github/workflows/koryph.yml", branch: "main", headSha: head, status: "completed" },
  conclusion: "success",
};
const asked = {
  ...{ id: "j", at: "", kind: "review" as const, pull: 1, head, base, evidence: null, claimed: [] },
};
const facts: JobFacts = {
  inputs: { job: "j", kind: "review", head, base, attempt: 1 },
  ...{ run, expected, asked, automatic: false, commands: "sha256:1", approved: true },
  request: { evidence: "holds", permitted: true },
  pull: { open: true, head, base },
};

function gate(given: Pick<KnownJob, "commands">): Partial<JobFacts> {
  return { inputs: { ...facts.inputs, kind: "gate" }, asked: { ...asked, kind: "gate", ...given } };
}

test.each<{ name: string; given: Partial<JobFacts>; refused: string | null }>([
  { name: "a job that the App asked for is done", given: {}, refused: null },
  { name: "GitHub shows no such run", given: { run: null }, refused: "not_dispatched" },
  {
    name: "a person started the workflow, with the inputs of a true job",
    given: { run: { ...run, actor: "mallory", triggeredBy: "mallory" } },
    refused: "not_dispatched",
  },
  { name: "nobody recorded it", given: { asked: null }, refused: "unknown_job" },
  {
    name: "inputs name another head than the record",
    given: { inputs: { ...facts.inputs, head: base } },
    refused: "inputs_differ",
  },
  {
    name: "the comment was edited",
    given: { request: { evidence: "edited", permitted: true } },
    refused: "evidence_gone",
  },
  {
    name: "whoever asked may not any more",
    given: { request: { evidence: "holds", permitted: false } },
    refused: "not_permitted",
  },
  {
    name: "nobody asked, and the project does not either",
    given: { request: null },
    refused: "not_permitted",
  },
  { name: "nobody asked but the project itself", given: { request: null, automatic: true }, refused: null },
  { name: "closed meanwhile", given: { pull: { open: false, head, base } }, refused: "not_open" },
  { name: "another head", given: { pull: { open: true, head: base, base } }, refused: "head_moved" },
  { name: "a gate of what the App has in mind", given: gate({ commands: "sha256:1" }), refused: null },
  { name: "a gate of other commands", given: gate({ commands: "sha256:2" }), refused: "gate_changed" },
  { name: "a gate of whatever commands", given: gate({}), refused: "gate_changed" },
  {
    name: "a gate of a fork's head that nobody approved",
    given: { ...gate({ commands: "sha256:1" }), approved: false },
    refused: "not_approved",
  },
  { name: "what runs nothing of it needs no approval", given: { approved: false }, refused: null },
  { name: "another base", given: { pull: { open: true, head, base: head } }, refused: "base_moved" },
  {
    name: "another runner has taken this ask",
    given: { asked: { ...asked, claimed: [1] } },
    refused: "claimed",
  },
  {
    name: "an earlier ask was taken, and this one is not",
    given: { asked: { ...asked, claimed: [1] }, inputs: { ...facts.inputs, attempt: 2 } },
    refused: null,
  },
])("$name", ({ given, refused }) => expect(refuseJob({ ...facts, ...given })).toBe(refused));

test.each<{ name: string; given: Partial<RunnerRun> }>([
  { name: "another event", given: { event: "push" } },
  { name: "started anew by a person", given: { triggeredBy: "walter" } },
  { name: "started anew at all", given: { attempt: 2 } },
  { name: "another workflow", given: { path: ".github/workflows/ci.yml" } },
  { name: "another branch", given: { branch: "mine" } },
  { name: "an account that is named like the App", given: { actor: "koryph" } },
])("a run is not the App's: $name", ({ given }) => {
  expect(isDispatchedByApp({ ...run, ...given }, expected)).toBe(false);
  expect(judgeRun({ ...run, ...given }, expected)).toBe("failed");
});

test.each<{ given: Partial<RunnerRun>; judged: string }>([
  { given: {}, judged: "succeeded" },
  { given: { path: ".github/workflows/koryph.yml@refs/heads/main" }, judged: "succeeded" },
  { given: { status: "in_progress", conclusion: null }, judged: "waits" },
  { given: { conclusion: "skipped" }, judged: "failed" },
  { given: { conclusion: "cancelled" }, judged: "failed" },
])("a run that is $given counts as $judged", ({ given, judged }) =>
  expect(judgeRun({ ...run, ...given }, expected)).toBe(judged),
);

const waiting = { asks: 1, run: "waits", ageMs: 10, limitMs: 100 } as const;
test.each<{ name: string; given: Partial<Parameters<typeof nextRunnerStep>[0]>; step: string }>([
  { name: "not asked yet", given: { asks: 0 }, step: "ask" },
  { name: "in time", given: {}, step: "wait" },
  { name: "silent for too long", given: { ageMs: 100 }, step: "ask" },
  { name: "silent twice", given: { asks: 2, ageMs: 100 }, step: "give-up" },
  { name: "the server died while it asked", given: { run: "lost" }, step: "ask" },
  { name: "and again", given: { run: "lost", asks: 2 }, step: "give-up" },
  { name: "done, however late", given: { run: "succeeded", ageMs: 1_000 }, step: "believe" },
  { name: "failed", given: { run: "failed" }, step: "fail" },
])("what follows: $name", ({ given, step }) => expect(nextRunnerStep({ ...waiting, ...given })).toBe(step));
