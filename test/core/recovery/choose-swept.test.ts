import { describe, expect, test } from "vitest";
import { asWritten } from "../../../src/core/recovery/as-written.js";
import { chooseSwept, type SweptPull, type SweptText } from "../../../src/core/recovery/choose-swept.js";

const NOW = Date.parse("2026-01-10T00:00:00Z");
const DAY = 24 * 3_600_000;
const facts = { repository: "o/r", installation: 7, now: NOW, bornAt: 0 };

const text: SweptText = {
  kind: "comment",
  id: 5,
  url: "https://github.test/o/r/pull/1#issuecomment-5",
  createdAt: "2026-01-09T00:00:00Z",
  body: "/koryph status",
  edited: false,
  author: { login: "alice", id: 3, type: "User" },
};
const pull: SweptPull = { repositoryId: 2, number: 1, branch: "agent/gh-1", texts: [text] };

const at = (time: number) => new Date(time).toISOString();

describe("a comment is owed an answer", () => {
  test("with all that the handler needs", () => {
    expect(chooseSwept([pull], facts)).toEqual([
      {
        repository: { fullName: "o/r", id: 2 },
        installation: 7,
        thread: { number: 1, kind: "pull" },
        comment: {
          kind: "comment",
          id: 5,
          url: text.url,
          createdAt: text.createdAt,
          body: "/koryph status",
        },
        author: { login: "alice", id: 3, type: "User" },
        viaApp: null,
      },
    ]);
  });

  test.each<{
    name: string;
    given?: Partial<SweptText>;
    of?: Partial<SweptPull>;
    facts?: object;
    expected: number;
  }>([
    { name: "also when it is the text of a review", given: { kind: "review" }, expected: 1 },
    { name: "not when it was edited", given: { edited: true }, expected: 0 },
    { name: "not when a bot wrote it", given: { author: { ...text.author, type: "Bot" } }, expected: 0 },
    { name: "not on somebody else's pull request", of: { branch: "feature" }, expected: 0 },
    { name: "when it is just three days old", given: { createdAt: at(NOW - 3 * DAY) }, expected: 1 },
    { name: "not when it is older", given: { createdAt: at(NOW - 3 * DAY - 1000) }, expected: 0 },
    { name: "not when it is older than the store", facts: { bornAt: NOW - DAY / 2 }, expected: 0 },
    {
      name: "when it came within the second the store was born in",
      facts: { bornAt: Date.parse(text.createdAt) + 999 },
      expected: 1,
    },
    { name: "not when nobody knows how old it is", given: { createdAt: "yesterday" }, expected: 0 },
  ])("$name", ({ given, of, facts: other, expected }) => {
    const swept = { ...pull, ...of, texts: [{ ...text, ...given }] };
    expect(chooseSwept([swept], { ...facts, ...other })).toHaveLength(expected);
  });
});

describe("a swept comment as GitHub has it", () => {
  const [job] = chooseSwept([pull], facts);
  if (job === undefined) throw new Error("nothing was swept");

  test("has the author and the app that GitHub names", () => {
    const author = { login: "bob", id: 4, type: "User" };
    expect(asWritten(job, { author, viaApp: 12 })).toEqual({ ...job, author, viaApp: 12 });
  });

  test("is none when it is gone", () => {
    expect(asWritten(job, null)).toBeNull();
  });
});
