import { createHash } from "node:crypto";
import { expect } from "vitest";
import { GithubCheckRuns } from "../../../src/adapters/github/reviews/github-check-runs.js";
import { GithubReviews } from "../../../src/adapters/github/reviews/github-reviews.js";
import { tokenClient } from "../../../src/adapters/github/token-client.js";
import { REVIEW_CHECK, reviewCheck } from "../../../src/core/replies/review/pull-check.js";
import type { PullAnalysis } from "../../../src/core/review/pull/analysis.js";
import { changedLines } from "../../../src/core/review/pull/changed-lines.js";
import type { Finding } from "../../../src/core/review/verdict.js";
import { postReview } from "../../../src/pulls/review/post-review.js";
import { type PeopleLab, peopleTest } from "../../support/app/sandbox-people.js";

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

const clientOf = (lab: PeopleLab, who: string) => async () =>
  tokenClient({ apiUrl: lab.sandbox.url, token: lab.tokenOf(who) });

function reviewsOf(lab: PeopleLab, who = "bob") {
  return new GithubReviews(clientOf(lab, who), lab.repo);
}

const finding = (line: number, summary: string, file = "text.md"): Finding => ({
  ...{ severity: "major", file, line, summary },
});

async function analysed(lab: PeopleLab, pull: number, findings: readonly Finding[]) {
  const { head, base } = await lab.get("you", `/pulls/${pull}`);
  const files: { filename: string; patch?: string }[] = await lab.get(
    "you",
    `/pulls/${pull}/files?per_page=100`,
  );
  const diff = files
    .map(({ filename, patch = "" }) => `diff --git a/x b/x\n+++ b/${filename}\n${patch}\n`)
    .join("");
  const analysis: PullAnalysis = {
    ...{ pull, title: "t", head: head.sha, base: base.sha, at: "2026-01-01T00:00:00.000Z" },
    verdict: { blocking: false, criteria: [], findings: [...findings] },
  };
  return { analysis, changed: changedLines(diff), digest };
}

const said = async (lab: PeopleLab, pull: number) => ({
  reviews: (await lab.get("you", `/pulls/${pull}/reviews?per_page=100`)).length,
  comments: (await lab.get("you", `/pulls/${pull}/comments?per_page=100`)).map(
    // A comment whose code is gone has no line any more.
    ({ path, original_line: line }: { path: string; original_line: number }) => `${path}:${line}`,
  ),
});

peopleTest("an analysis is one review of the head; the next says only what is new", async (lab) => {
  const pull = await lab.openPull();
  lab.sandbox.setRole(lab.repo, "carol", "write");
  const reviews = reviewsOf(lab, "carol");
  const first = [
    finding(2, "Wrong number."),
    finding(9, "Outside the change."),
    finding(1, "No end.", "new.md"),
  ];
  const facts = await analysed(lab, pull, first);
  expect(await postReview(reviews, facts)).toMatchObject({ kind: "posted", resolved: 0 });
  expect(await said(lab, pull)).toEqual({ reviews: 1, comments: ["text.md:2", "new.md:1"] });
  const [review] = await lab.get("you", `/pulls/${pull}/reviews`);
  expect(review).toMatchObject({ state: "COMMENTED", commit_id: facts.analysis.head });
  expect(review.body).toContain("not an approval");
  expect(review.body).toContain("Outside the change&#46;");

  expect(await postReview(reviews, facts)).toMatchObject({ kind: "posted", url: null });
  // A colleague with a token of their own sees what was said.
  expect(await postReview(reviewsOf(lab, "you"), facts)).toMatchObject({ url: null });
  expect(await said(lab, pull)).toMatchObject({ reviews: 1 });

  const text = "line 1\n2\nthree\n";
  await lab.sandbox.commit(lab.repo, "agent/x", { "text.md": text }, { author: "alice" });
  const next = await analysed(lab, pull, [...first.slice(1), finding(3, "Also wrong.")]);
  expect(await postReview(reviews, next)).toMatchObject({ kind: "posted", resolved: 1 });
  expect(await said(lab, pull)).toEqual({ reviews: 2, comments: ["text.md:2", "new.md:1", "text.md:3"] });
  const { threads } = await reviews.earlier(pull);
  expect(threads.map(({ resolved }) => resolved)).toEqual([true, false, false]);
  expect(threads[0]?.comment.body).toContain("Not found any more");
  expect(await postReview(reviews, next)).toMatchObject({ url: null, resolved: 0 });
});

peopleTest(
  "a finding that a person dismissed, or somebody outside forged, is treated as such",
  async (lab) => {
    const pull = await lab.openPull();
    const found = [finding(2, "Wrong number.")];
    const facts = await analysed(lab, pull, found);
    await postReview(reviewsOf(lab, "you"), facts);
    const [thread] = (await reviewsOf(lab, "you").earlier(pull)).threads;
    await lab.ask("mallory", "POST", `/pulls/${pull}/reviews`, {
      ...{ event: "COMMENT", body: "x" },
      comments: [{ path: "text.md", line: 3, body: thread?.comment.body }],
    });
    expect((await reviewsOf(lab, "you").earlier(pull)).threads).toHaveLength(1);
    // Somebody without the right to write trusts nobody's marks but their own.
    expect((await reviewsOf(lab, "mallory").earlier(pull)).threads.map(({ path }) => path)).toContain(
      "text.md",
    );

    lab.sandbox.setRole(lab.repo, "carol", "write");
    await lab.graphql(
      "carol",
      `mutation { resolveReviewThread(input: { threadId: "${thread?.thread}" }) { thread { id } } }`,
    );
    expect(await postReview(reviewsOf(lab, "you"), facts)).toMatchObject({
      url: null,
      plan: { silent: [{ why: "dismissed" }], post: [] },
    });
  },
);

peopleTest(
  "a comment that GitHub does not place moves into the text, and the others are posted",
  async (lab) => {
    const pull = await lab.openPull();
    const facts = await analysed(lab, pull, [
      finding(2, "One."),
      finding(3, "Two."),
      finding(2, "Three.", "gone.md"),
    ]);
    const changed = new Map([...facts.changed, ["gone.md", new Map([[2, "code"]])]]);
    expect(await postReview(reviewsOf(lab), { ...facts, changed })).toMatchObject({ kind: "posted" });
    const after = await said(lab, pull);
    expect(after.comments.toSorted()).toEqual(["text.md:2", "text.md:3"]);
    const bodies = (await lab.get("you", `/pulls/${pull}/reviews`)).map(({ body }: { body: string }) => body);
    expect(bodies.filter((body: string) => body.includes("Three&#46;"))).toHaveLength(1);
    expect(await postReview(reviewsOf(lab), { ...facts, changed })).toMatchObject({ url: null });
  },
);

peopleTest("a review whose answer got lost is not posted again", async (lab) => {
  const pull = await lab.openPull();
  const facts = await analysed(lab, pull, [finding(2, "One.")]);
  lab.sandbox.faults.add({ operation: "pulls/create-review", times: 1, kind: { applyThen: 502 } });
  expect(await postReview(reviewsOf(lab), facts)).toMatchObject({ kind: "posted" });
  expect(await said(lab, pull)).toEqual({ reviews: 1, comments: ["text.md:2"] });
});

peopleTest("137 findings: comments thirty at a time, annotations fifty at a time, none lost", async (lab) => {
  const files = Object.fromEntries(
    Array.from({ length: 140 }, (_, n) => [`f${n}.txt`, `${"x".repeat(n)}\n`]),
  );
  await lab.sandbox.commit(lab.repo, "agent/many", files, { author: "alice" });
  const { number: pull } = await lab.sandbox.openPull(lab.repo, {
    author: "alice",
    head: "agent/many",
    title: "Many",
  });
  const findings = Array.from({ length: 137 }, (_, n) =>
    finding(1, `Finding ${"ä".repeat(200)} ${n}`, `f${n}.txt`),
  );
  const changed = new Map(
    Object.entries(files).map(([path, text]) => [path, new Map([[1, text.trimEnd()]])]),
  );
  const { analysis } = await analysed(lab, pull, findings);
  await postReview(reviewsOf(lab), { analysis, changed, digest });
  const { threads } = await reviewsOf(lab).earlier(pull);
  expect(new Set(threads.map(({ path }) => path)).size).toBe(137);
  expect((await said(lab, pull)).reviews).toBe(5);

  const report = {
    ...{ name: REVIEW_CHECK, head: analysis.head, externalId: `koryph:${pull}` },
    ...reviewCheck({ kind: "analysed", analysis }, pull),
  };
  expect(await new GithubCheckRuns(clientOf(lab, "bob"), lab.repo).publish(report)).toEqual({
    kind: "not-allowed",
  });
  const checks = new GithubCheckRuns(clientOf(lab, "app"), lab.repo);
  // Cut short in the middle, it goes on where it stopped.
  lab.sandbox.faults.add({ operation: "checks/update", times: 1, kind: { applyThen: 502 } });
  await expect(checks.publish(report)).rejects.toThrow();
  expect(await checks.publish(report)).toMatchObject({ kind: "published" });
  expect(await checks.publish(report)).toMatchObject({ kind: "published" });
  const { check_runs: runs } = await lab.get("you", `/commits/${analysis.head}/check-runs?filter=all`);
  expect(runs).toMatchObject([
    { name: REVIEW_CHECK, conclusion: "success", output: { annotations_count: 137 } },
  ]);
});
