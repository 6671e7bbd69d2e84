import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readCommands } from "../../../src/core/commands/read-commands.js";
import type { PullRefusal } from "../../../src/core/land/pull/pull-refusal.js";
import { carriedText } from "../../../src/core/replies/land/pull/carried-text.js";
import {
  standingJson,
  standingSentence,
  standingTable,
} from "../../../src/core/replies/land/pull/standing-text.js";
import { pullBody, pullTitle } from "../../../src/core/replies/pulls/pull-text.js";
import { findingComment, reviewBody } from "../../../src/core/replies/review/pull-review.js";
import { identifyFinding } from "../../../src/core/review/pull/finding-identity.js";
import { planReview } from "../../../src/core/review/pull/plan-review.js";
import type { Finding } from "../../../src/core/review/verdict.js";
import { UNSAFE } from "../../../src/lib/plain-text.js";
import { HOSTILE_TEXTS, SECRET } from "../../support/core/hostile-texts.js";
import { OWN_ELEMENT, OWN_MARK, REFERENCE, seenMarkdown } from "../../support/core/seen-markdown.js";
import { LONG } from "../../support/long.js";

/** All of them at every place take a minute. */
const TEXTS = HOSTILE_TEXTS.filter((_, index) => LONG || index % 5 === 0);
const HEAD = "a".repeat(40);
const at = "2026-01-01T00:00:00.000Z";
const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

const work = (text: string) => ({
  ...{ bead: "shoe-1", title: text, type: "task", acceptance: `- ${text}\n- second`, run: "r-1" },
  commits: [{ subject: text }, { subject: text }],
});

/** Every reason whose words carry something that strangers name. */
const reasons = (text: string): PullRefusal[] => [
  { code: "base_changed", asked: text, actual: text },
  { code: "sha_mismatch", asked: text, actual: HEAD },
  { code: "rules_unreadable", why: text },
  { code: "rule_unsupported", rules: [{ type: text, why: text }] },
  { code: "missing_bypass", rulesets: [text] },
  { code: "code_owner_missing", files: [{ path: text, owners: [text] }] },
  { code: "protected_path", paths: [text, text] },
  { code: "workflow_file", paths: [text] },
  { code: "unsupported_change", findings: [text] },
  { code: "gate_unproven", check: text, by: null },
  { code: "rebase_conflict", files: [text] },
  { code: "not_replayed", why: text },
  { code: "push_refused", why: text },
];

const standing = (text: string) => ({
  ...{ pull: 7, head: HEAD, base: text, unmet: reasons(text) },
  phase: { kind: "open" as const, refused: { code: "broken", detail: text, at } },
  hold: { id: "1", reason: text, actor: text, at, scope: "bead" as const, evidence: null },
  carried: { approved: HEAD, head: HEAD, base: HEAD },
  compared: { approvedOn: HEAD, headOn: HEAD, rangeDiff: `1:  1234567 = 1:  89abcde ${text}\n` },
});

const finding = (text: string): Finding => ({ severity: "major", file: text, line: 3, summary: text });

function review(text: string): string {
  const findings = [finding(text)];
  const plan = planReview({ findings, changed: new Map(), threads: [], told: new Set() }, digest);
  const criteria = [{ id: text, status: "unsatisfied" as const, evidence: text }];
  const verdict = { blocking: true, criteria, findings };
  const analysis = { pull: 7, title: text, head: HEAD, base: HEAD, at, verdict };
  return reviewBody({ analysis, plan, misplaced: [], key: digest("key") });
}

function comment(text: string): string {
  const found = finding(text);
  return findingComment({ finding: found, at: null, ...identifyFinding(found, null, digest) }, HEAD);
}

/** Where text of others gets into what koryph posts as markdown, with how often koryph's own mark is in it. */
const POSTED: Readonly<Record<string, (text: string) => string>> = {
  "the body of a pull request": (text) => pullBody(work(text)),
  "how a pull request stands": (text) => standingSentence(standing(text), "https://github.test/team/shop"),
  "what a landing lacks": (text) => standingTable(standing(text)),
  "a carried approval": (text) => carriedText(standing(text), "https://github.test/team/shop"),
  "the same for tools": (text) => standingJson(standing(text)),
  "a review": review,
  "a comment on a line": comment,
};

describe.each(Object.keys(POSTED))("%s", (place) => {
  const post = (text: string) => POSTED[place]?.(text) ?? "";
  const harmless = seenMarkdown(post("harmless words"));

  test.each(TEXTS.map((text) => [text.slice(0, 40), text]))("takes %j as words", (_, text) => {
    const posted = post(text);
    const { text: shown, elements, kinds } = seenMarkdown(posted);
    expect(Buffer.byteLength(posted)).toBeLessThan(65_536);
    expect(readCommands(posted).lines).toEqual([]);
    expect(posted).not.toContain(SECRET);
    expect(posted.replaceAll("\n", "")).not.toMatch(new RegExp(UNSAFE.source, "u"));
    // Nothing that the same post about harmless words does not have.
    expect([...kinds].filter((kind) => !harmless.kinds.has(kind) && kind !== "break")).toEqual([]);
    expect(elements.filter((each) => !OWN_ELEMENT.test(each) && !OWN_MARK.test(each))).toEqual([]);
    expect(elements.filter((each) => OWN_MARK.test(each))).toHaveLength(
      harmless.elements.filter((each) => OWN_MARK.test(each)).length,
    );
    expect(shown).not.toMatch(REFERENCE);
  });
});

test.each(TEXTS.map((text) => [text.slice(0, 40), text]))("a title is one short line: %j", (_, text) => {
  const title = pullTitle(work(text));
  expect(title).toMatch(/^feat\(shoe-1\): \S/);
  expect(title.length).toBeLessThanOrEqual(256);
  expect(title).not.toMatch(new RegExp(UNSAFE.source, "u"));
  expect(title).not.toContain(SECRET);
});

test("there are more than a hundred of them, each once", () => {
  expect(new Set(HOSTILE_TEXTS).size).toBe(HOSTILE_TEXTS.length);
  expect(HOSTILE_TEXTS.length).toBeGreaterThan(100);
});
