import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PULL_REASONS } from "../../src/core/land/pull/pull-refusal.js";

test("docs/landing.md has a row for each reason not to land a pull request", () => {
  const page = readFileSync(new URL("../../docs/landing.md", import.meta.url), "utf8");
  const rows = page.slice(page.indexOf("### Refusals")).matchAll(/^\| `(\w+)` \|/gm);
  expect([...rows].map(([, code]) => code)).toEqual(Object.keys(PULL_REASONS));
});
