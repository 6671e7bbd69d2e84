import { expect, test } from "vitest";
import { replyText } from "../../../../src/core/replies/app/reply.js";
import { reactionFor, rowOf } from "../../../../src/core/replies/commands/reply-row.js";

test("the reply has a row for each command, and what was typed stays what was typed", () => {
  const rows = [
    { ...rowOf("/koryph drain"), result: "queued" as const, said: "done" },
    {
      ...rowOf("/koryph <b>|@x"),
      result: "wrong" as const,
      code: "unknown_verb",
      said: "no",
      next: "help",
    },
  ];
  const text = replyText({
    source: "comment 5",
    url: "https://github.com/o/r/issues/7#issuecomment-5",
    rows,
  });
  expect(text.split("\n").filter((line) => line.startsWith("| "))).toHaveLength(4);
  expect(text).not.toMatch(/<b>|@x/);
  expect(text).toContain("<!-- koryph:reply comment 5 -->");
});

test.each([
  { results: ["done"], reaction: "+1" },
  { results: ["done", "queued"], reaction: "rocket" },
  { results: ["queued", "wrong"], reaction: "confused" },
  { results: ["queued", "refused", "wrong"], reaction: "-1" },
  { results: ["dry-run"], reaction: "+1" },
] as const)("$results is answered with $reaction", ({ results, reaction }) => {
  expect(reactionFor(results.map((result) => ({ ...rowOf("x"), result })))).toBe(reaction);
});
