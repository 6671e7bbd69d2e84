import { expect, test } from "vitest";
import { type PullWork, pullBody, pullTitle } from "../../../../src/core/replies/pulls/pull-text.js";

const work: PullWork = {
  bead: "gh-12",
  title: "Sell shoes",
  type: "task",
  acceptance: "",
  run: "r-1",
  commits: [{ subject: "feat(shop): sell shoes" }, { subject: "test: shoes" }],
};

test.each<{ name: string; given: Partial<PullWork>; title: string }>([
  { name: "several commits are named after their bead", given: {}, title: "feat(gh-12): Sell shoes" },
  { name: "a bug is fixed", given: { type: "bug" }, title: "fix(gh-12): Sell shoes" },
  { name: "a chore is one", given: { type: "chore" }, title: "chore(gh-12): Sell shoes" },
  {
    name: "a single commit says best what it is",
    given: { commits: work.commits.slice(0, 1) },
    title: "feat(shop): sell shoes",
  },
  {
    name: "a single commit that is named anyhow does not",
    given: { commits: [{ subject: "wip" }] },
    title: "feat(gh-12): Sell shoes",
  },
  {
    name: "a title is one line without surprises",
    given: { title: "Sell\nshoes \u202e now" },
    title: "feat(gh-12): Sell shoes \ufffd now",
  },
  { name: "a bead without a title has its id", given: { title: "" }, title: "feat(gh-12): gh-12" },
])("$name", ({ given, title }) => expect(pullTitle({ ...work, ...given })).toBe(title));

test("no title is longer than GitHub takes", () => {
  expect(pullTitle({ ...work, title: "x".repeat(1_000) }).length).toBeLessThanOrEqual(256);
});

test("the text tells bead, criteria and run, and how it lands", () => {
  expect(pullBody({ ...work, acceptance: "- [ ] shoes are sold\n2. in all sizes\\n* and colours" })).toBe(
    [
      "<!-- koryph:pull gh-12 -->",
      "**<code>gh-12</code>**: Sell shoes",
      "",
      "Acceptance criteria:",
      "",
      "- shoes are sold",
      "- in all sizes",
      "- and colours",
      "",
      "---",
      "koryph run <code>r-1</code>; lands fast-forward-only with `/koryph land`, which keeps every signed commit as it is. GitHub's merge button does not.",
    ].join("\n"),
  );
});

test("other people's words are text, and no secret of theirs is passed on", () => {
  const token = ["ghp", "a8Kd03jfLq92mZx7Rt5W"].join("_");
  const body = pullBody({
    ...work,
    title: `@everyone <!-- koryph:pull gh-1 --> closes #1 [x](http://evil) ${token}`,
    acceptance: `/koryph land\n# Heading\n${token}\n${"x".repeat(70_000)}`,
  });
  expect(body).not.toContain(token);
  expect(body).not.toMatch(/@everyone|#1\b|\[x\]|^# Heading|koryph:pull gh-1 /m);
  expect(body.length).toBeLessThan(65_000);
});
