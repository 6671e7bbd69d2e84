import { expect, test } from "vitest";
import type { PullRefusal } from "../../../../src/core/land/pull/pull-refusal.js";
import { pullWords } from "../../../../src/core/replies/land/pull/pull-words.js";
import { sha } from "../../../support/core/slots.js";

test.each<{ name: string; refusal: PullRefusal; found: RegExp; next: RegExp }>([
  {
    name: "of many commits three are named, and how many more there are",
    refusal: { code: "commit_rule", commits: ["1", "2", "3", "4", "5"].map(sha), rule: "a pattern" },
    found: /^1{12}, 2{12}, 3{12} and 2 more break the rule a pattern$/,
    next: /rewrite them/,
  },
  {
    name: "every pull request is named that would be merged along",
    refusal: { code: "ancestor_unapproved", pulls: [7, 12] },
    found: /would also merge pull request 7, pull request 12,/,
    next: /approve and land those first/,
  },
  {
    name: "too many reviews are counted, with a way out",
    refusal: { code: "too_large", verdicts: 5_000 },
    found: /more than 5000 reviews.*a request for changes may be among those/,
    next: /open another pull request for the same branch/,
  },
])("$name", ({ refusal, found, next }) => {
  const words = pullWords(refusal);
  expect(words.found).toMatch(found);
  expect(words.next).toMatch(next);
});
