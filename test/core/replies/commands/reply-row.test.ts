import { expect, test } from "vitest";
import { replyText } from "../../../../src/core/replies/app/reply.js";
import { type ReplyRow, reactionFor, rowOf } from "../../../../src/core/replies/commands/reply-row.js";

const reply = (...rows: ReplyRow[]) =>
  replyText({ source: "comment 5", url: "https://github.com/o/r/issues/7#issuecomment-5", rows });

test("one command is answered with one sentence that links to it, and what belongs to it below", () => {
  const row = { ...rowOf("/koryph status"), said: "how the project stands", more: "```text\nshop\n```" };
  expect(reply(row)).toBe(
    "<!-- koryph:reply comment 5 -->\n✅ [<code>/koryph status</code>](https://github.com/o/r/issues/7#issuecomment-5): how the project stands.\n\n```text\nshop\n```",
  );
});

test("only a refusal shows its code", () => {
  const said = { ...rowOf("/koryph drain"), code: "no_run", said: "not now", next: "start one" };
  expect(reply({ ...said, result: "refused" })).toMatch(
    /: not now \(<code>no&#95;run<\/code>\)\. Next: start one\.$/,
  );
  expect(reply({ ...said, result: "wrong" })).toContain("no&#95;run");
  for (const result of ["done", "queued", "dry-run", "skipped"] as const)
    expect(reply({ ...said, result })).not.toContain("no&#95;run");
});

test("the reply to several commands has a row for each, and what was typed stays what was typed", () => {
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
  const text = reply(...rows);
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
