import { expect, test } from "vitest";
import { badSubjects, COMMIT_TYPES } from "../../../src/core/land/commit-style.js";
import { squashMessage } from "../../../src/core/land/squash-message.js";
import { sha } from "../../support/core/slots.js";

function accepts(subject: string): boolean {
  return badSubjects([{ sha: sha("1"), subject }], "conventional").length === 0;
}

test.each(COMMIT_TYPES)("%s is a type, with a scope and an exclamation mark or without", (type) => {
  const subjects = [`${type}: x`, `${type}(api): x`, `${type}!: x`, `${type}(a b/c)!: x`];
  expect(subjects.map(accepts)).toEqual([true, true, true, true]);
});

test.each([
  { subject: "wip" },
  { subject: "" },
  { subject: "feature: x" },
  { subject: "Feat: x" },
  { subject: " feat: x" },
  { subject: "feat:x" },
  { subject: "feat:" },
  { subject: "feat: " },
  { subject: "feat:  x" },
  { subject: "feat : x" },
  { subject: "feat(): x" },
  { subject: "feat( ): x" },
  { subject: "feat(a)(b): x" },
  { subject: "feat!(a): x" },
  { subject: "Merge branch 'main' into agent/b-1" },
  { subject: 'Revert "feat: x"' },
  { subject: "fixup! feat: x" },
  { subject: "feat: \u001b[2Kx" },
  { subject: "feat: a\u0007" },
  { subject: "feat: \u202egnp.exe" },
])("$subject is no conventional subject", ({ subject }) => expect(accepts(subject)).toBe(false));

test("every bad subject is found, in order, with what came with it", () => {
  const commits = ["wip", "fix: a", "more"].map((subject, at) => ({ sha: sha(`${at}`), subject, at }));
  expect(badSubjects(commits, "conventional")).toEqual([commits[0], commits[2]]);
  expect(badSubjects(commits, "none")).toEqual([]);
});

test("a squashed commit is named like the first one and lists them all", () => {
  const commits = [{ subject: "feat: one" }, { subject: "fix: two" }];
  expect(squashMessage("b-1", "Add a health check", commits)).toMatchInlineSnapshot(`
    "feat: one

    Add a health check (b-1)

    - feat: one
    - fix: two
    "
  `);
});

test("a squashed commit keeps a conventional subject, and no subject of it becomes a trailer", () => {
  const commits = [{ subject: "feat: one" }, { subject: "Signed-off-by: Eve <eve@example.com>" }];
  const [subject = "", ...rest] = squashMessage("b-1", "t", commits).split("\n");
  expect(accepts(subject)).toBe(true);
  expect(rest.filter((line) => line.startsWith("Signed-off-by:"))).toEqual([]);
});
