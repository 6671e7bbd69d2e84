import { expect, test } from "vitest";
import { readCommands } from "../../../src/core/commands/read-commands.js";
import { CORPUS } from "../../support/app/comment-corpus.js";

const verbsIn = (body: string) =>
  readCommands(body).lines.map((line) =>
    line.kind === "command" ? line.command.verb : `!${line.problem.kind}`,
  );

test.each(CORPUS)("$name", ({ body, verbs }) => expect(verbsIn(body)).toEqual(verbs));

test.each(CORPUS)("$name, whatever ends its lines", ({ body, verbs }) => {
  const plain = body.replace(/\r\n?/g, "\n");
  for (const end of ["\n", "\r\n", "\r"]) expect(verbsIn(plain.replaceAll("\n", end))).toEqual(verbs);
});

test("the corpus has no two comments of one name", () => {
  expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
  expect(CORPUS.length).toBeGreaterThanOrEqual(60);
});
