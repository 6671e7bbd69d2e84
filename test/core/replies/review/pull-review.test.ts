import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { redactText } from "../../../../src/core/redact.js";
import { findingList } from "../../../../src/core/replies/review/finding-list.js";
import { reviewCheck } from "../../../../src/core/replies/review/pull-check.js";
import {
  findingComment,
  findingsApart,
  findingsBody,
  fixedComment,
  reviewBody,
} from "../../../../src/core/replies/review/pull-review.js";
import type { PullAnalysis } from "../../../../src/core/review/pull/analysis.js";
import { identifyFinding } from "../../../../src/core/review/pull/finding-identity.js";
import { readFindingMarker, readReviewMarker } from "../../../../src/core/review/pull/finding-marker.js";
import { knownThread } from "../../../../src/core/review/pull/known-thread.js";
import { MOST_PULL_FINDINGS } from "../../../../src/core/review/pull/limits.js";
import { planReview } from "../../../../src/core/review/pull/plan-review.js";
import { readVerdict } from "../../../../src/core/review/read-verdict.js";
import type { Finding } from "../../../../src/core/review/verdict.js";
import { byteLength, cutBytes } from "../../../../src/lib/fit/cut-bytes.js";

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
const HEAD = "a".repeat(40);

const findings = (count: number, words: string): Finding[] =>
  Array.from({ length: count }, (_, n) => ({
    severity: (["blocking", "major", "minor"] as const)[n % 3] ?? "minor",
    file: `src/f${n}.ts`,
    line: n + 1,
    summary: `${n}: ${words}`,
  }));

const analysis = (found: readonly Finding[], blocking = true): PullAnalysis => ({
  ...{ pull: 7, title: "A change", head: HEAD, base: "b".repeat(40), at: "2026-01-01T00:00:00.000Z" },
  verdict: { blocking, criteria: [], findings: [...found] },
});

const body = (found: readonly Finding[]) => {
  const plan = planReview({ findings: found, changed: new Map(), threads: [], told: new Set() }, digest);
  return reviewBody({ analysis: analysis(found), plan, misplaced: [], key: digest("key") });
};

test("a text is cut to its bytes, never inside a character", () => {
  expect(cutBytes("aäb", 2)).toBe("a");
  expect(cutBytes("aäb", 3)).toBe("aä");
  expect(cutBytes("😀😀", 7)).toBe("😀");
  expect(cutBytes("short", 100)).toBe("short");
});

test.each([
  { count: 137, words: "w".repeat(30) },
  { count: 137, words: `${"äöü@#<".repeat(200)}` },
  { count: 1_000, words: "long ".repeat(250) },
  { count: 1, words: "x".repeat(60_000) },
])("$count findings fit into a review and a check run, and none is lost", ({ count, words }) => {
  const found = findings(count, words);
  const text = body(found);
  expect(byteLength(text)).toBeLessThanOrEqual(60_000);
  const check = reviewCheck({ kind: "analysed", analysis: analysis(found) }, 7);
  for (const part of [check.summary, check.text]) expect(byteLength(part)).toBeLessThanOrEqual(65_535);
  expect(check.annotations).toHaveLength(count);
  const listed = (all: string) => all.match(/^- (?:\*\*)?(?:blocking|major|minor)/gm)?.length ?? 0;
  const counted = (all: string) => {
    const note = /^- … and (.*)$/m.exec(all)?.[1] ?? "";
    return (note.match(/\d+/g) ?? []).reduce((sum, digits) => sum + Number(digits), 0);
  };
  for (const all of [text, check.text]) expect(listed(all) + counted(all)).toBe(count);
  expect(readReviewMarker(text)?.told).toHaveLength(listed(text));
});

test("of findings that do not fit, the worst keep their words, and the last ones are counted", () => {
  const found = findings(6, "w".repeat(100));
  const { text, listed } = findingList(found, 500);
  expect(listed).toBe(6);
  expect(text).toMatch(/^- \*\*blocking\*\* <code>src\/f0/m);
  expect(text).toMatch(/^- minor <code>src\/f5&#46;ts&#58;6<\/code>$/m);
  expect(findingList(found, 120).text).toMatch(/- … and 1 blocking, \d major, 2 minor$/);
});

test("what does not fit into the text with its words goes into further reviews, as far as those reach", () => {
  const split = (count: number) => {
    const found = findings(count, "wörds. ".repeat(150));
    const plan = planReview({ findings: found, changed: new Map(), threads: [], told: new Set() }, digest);
    const facts = { analysis: analysis(found), plan, misplaced: [], key: digest("key") };
    const portions = findingsApart(facts);
    const apart = new Set(portions.flat());
    const bodies = portions.map((portion) => findingsBody(digest("more"), portion));
    return {
      bodies,
      main: reviewBody({ ...facts, apart }),
      told: (text: string) => readReviewMarker(text)?.told ?? [],
    };
  };
  const worded = (text: string) => text.match(/^- \*\*/gm)?.length ?? 0;
  const few = split(137);
  expect(few.main).toContain("- of these in the reviews before this one: ");
  for (const text of [few.main, ...few.bodies]) {
    expect(byteLength(text)).toBeLessThanOrEqual(60_000);
    expect(worded(text)).toBe(few.told(text).length);
  }
  expect([few.main, ...few.bodies].reduce((sum, text) => sum + worded(text), 0)).toBe(137);
  const many = split(MOST_PULL_FINDINGS);
  expect(many.bodies).toHaveLength(10);
  expect(many.main).toMatch(/^- minor <code>src/m);
  expect(split(3).bodies).toEqual([]);
});

test.each([
  "@maintainer please merge",
  "fixes #12, closes octo/repo#3 and GH-4",
  "<!-- koryph:finding id=00000000 words=00000000 --><img src=x onerror=y>",
  "[link](https://evil.example) ![image](https://evil.example/x.png)",
  "zero\u200bwidth \u202ebidi\u202c tag\u{e0041}",
  "| a | table | ``` fence",
  "/koryph land",
  "line\nbreak\r\n# heading",
])("words of a reviewer stay words: %s", (summary) => {
  const found: Finding = { severity: "major", file: "a.ts", line: 1, summary };
  const said = findingComment({ finding: found, at: null, ...identifyFinding(found, null, digest) }, HEAD);
  const words = said.split("\n").slice(1).join("\n");
  expect(words).not.toMatch(
    /@\w|(?<!&)#\d|GH-\d|<!--|<img|\]\(|https?:\/\/|[\u200b\u202e]|\u{e0041}|^\/koryph|^# /mu,
  );
  expect(said.split("\n")).toHaveLength(4);
});

test("no mixture of hostile pieces becomes markup, a mention or a mark", () => {
  const pieces = [
    "@you",
    "#7",
    "fixes ",
    "GH-7",
    "<!--",
    "-->",
    "<b>",
    "](x)",
    "![",
    "`",
    "~~~",
    "|",
    "\n",
    "\u200b",
  ];
  const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, text, (words, path) => {
      const finding: Finding = { severity: "major", file: path.join(""), line: 1, summary: words.join("") };
      const said = body([finding]);
      // In code GitHub looks for none of it, and no piece gets out of the code.
      const shown = said
        .split("\n")
        .slice(1)
        .join("\n")
        .replace(/<code>[^<]*<\/code>/g, "");
      expect(shown).not.toMatch(/@\w|(?<![&\w])#\d|\bGH-\d|<!--|<b>|\]\(|`|~|\u200b/);
      expect(readReviewMarker(said)?.told).toHaveLength(1);
    }),
    { numRuns: 200 },
  );
});

test("a secret that a reviewer repeats is posted nowhere, and 137 findings are read as 137", () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const answer = { blocking: true, criteria: [], findings: findings(137, `the key is ${token}`) };
  const reading = readVerdict({ text: JSON.stringify(answer), structured: null }, [], MOST_PULL_FINDINGS);
  if (reading.kind === "degraded") throw new Error(reading.why.code);
  expect(reading.verdict.findings).toHaveLength(137);
  const text = body(reading.verdict.findings);
  expect(text).not.toContain(token.slice(0, 12));
  expect(redactText(text)).toBe(text);
});

test("a comment is known by its mark, and says once that its finding is gone", () => {
  const finding: Finding = { severity: "minor", file: "a.ts", line: 2, summary: "Dead code." };
  const identity = identifyFinding(finding, "return;", digest);
  const said = findingComment({ finding, at: null, ...identity }, HEAD);
  expect(readFindingMarker(said)).toEqual({ ...identity, fixed: null });
  const thread = {
    thread: "T",
    path: "a.ts",
    resolved: false,
    byAuthor: false,
    outdated: true,
    answered: false,
  };
  const open = knownThread({ ...thread, comment: { id: 1, body: said, minimized: false } });
  const fixed = open && fixedComment(open, HEAD);
  expect(readFindingMarker(fixed ?? "")?.fixed).toBe(HEAD);
  const again = knownThread({ ...thread, comment: { id: 1, body: fixed ?? "", minimized: false } });
  expect(again && fixedComment(again, "c".repeat(40))).toBe(fixed);
});

test("a degraded analysis is called so, and never clean", () => {
  const check = reviewCheck({ kind: "degraded", head: HEAD, why: { code: "no-verdict" } }, 7);
  expect(check).toMatchObject({ conclusion: "neutral", annotations: [] });
  expect(check.summary).toContain("not an approval");
  expect(check.summary).toContain("degraded, which is not clean: the reviewer's answer holds no verdict");
});

test("a clean analysis is called an analysis", () => {
  const clean = analysis([], false);
  const plan = planReview({ findings: [], changed: new Map(), threads: [], told: new Set() }, digest);
  const text = reviewBody({ analysis: clean, plan, misplaced: [], key: digest("key") });
  expect(text.split("\n").slice(1).join("\n")).toMatchInlineSnapshot(`
    "### koryph's analysis: nothing that blocks

    An agent read <code>aaaaaaaaaaaa</code>. This is an analysis, not an approval.

    No findings."
  `);
  expect(reviewCheck({ kind: "analysed", analysis: clean }, 7).conclusion).toBe("success");
});
