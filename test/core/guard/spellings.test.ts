import { expect, test } from "vitest";
import { answered, PLACES } from "../../support/red-team/guard-bench.js";
import { typed } from "../../support/red-team/spelling.js";
import { SPELLINGS } from "../../support/red-team/spellings.js";

test("there are more than 150 spellings, each with a name of its own", () => {
  expect(SPELLINGS.length).toBeGreaterThan(150);
  const names = SPELLINGS.map(({ family, guard, name }) => `${family} ${guard} ${name}`);
  expect(new Set(names).size).toBe(names.length);
});

test.each(SPELLINGS.map((spelling) => ({ ...spelling, line: typed(spelling, PLACES) })))(
  "$family: $name",
  ({ line, guard }) => {
    expect({ line, ...answered(line) }).toMatchObject({ line, kind: guard });
  },
);
