import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PULL_REASONS } from "../../src/core/land/pull/pull-refusal.js";

const SCENARIOS = new URL("../scenarios/", import.meta.url);

/** The stories in which people land, approve, review and close pull requests. */
const stories = ["app", "pulls", "action"]
  .flatMap((folder) => readdirSync(new URL(`${folder}/`, SCENARIOS)).map((name) => `${folder}/${name}`))
  .map((path) => readFileSync(new URL(path, SCENARIOS), "utf8"))
  .join("\n");

/** A guard: git gives the same commits each time. test/simulation/pulls/land-pull-refusals.test.ts has one that does not. */
const NEVER_READ: ReadonlySet<string> = new Set(["not_replayed"]);

test("for each reason not to land a pull request there is a story in which somebody reads its code", () => {
  const codes = Object.keys(PULL_REASONS).filter((code) => !NEVER_READ.has(code));
  expect(codes.filter((code) => !new RegExp(`\\b${code}\\b`).test(stories))).toEqual([]);
});
