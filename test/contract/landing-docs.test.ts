import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PULL_REASONS } from "../../src/core/land/pull/pull-refusal.js";
import { REFUSALS } from "../../src/core/land/refusal.js";

const read = (page: string) => readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");

test("docs/landing.md has a row for each reason not to land a pull request", () => {
  const page = read("landing.md");
  const rows = page.slice(page.indexOf("### Refusals")).matchAll(/^\| `(\w+)` \|/gm);
  expect([...rows].map(([, code]) => code)).toEqual(Object.keys(PULL_REASONS));
});

test("docs/json.md names each reason_code of a landing that ends in error", () => {
  const [, row = ""] = /^\| `reason_code` \| with `error`: ([^;]*);/m.exec(read("json.md")) ?? [];
  const told = [...row.matchAll(/`(\w+)`/g)].map(([, code]) => code);
  const errors = Object.entries(REFUSALS).filter(([, { result }]) => result === "error");
  expect(told.sort()).toEqual(errors.map(([kind]) => kind).sort());
});
