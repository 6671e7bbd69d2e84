import { describe, expect, test } from "vitest";
import { chooseBeads } from "../../../src/core/issues/choose-beads.js";
import { issueBead, releasedText } from "../../../src/core/issues/issue-bead.js";
import type { IssueRecord } from "../../../src/core/issues/issue-record.js";
import type { Bead } from "../../../src/core/model/bead.js";
import type { ReleaseVerdict } from "../../../src/core/model/release.js";

const REPOSITORY = "team/shop";
const released: ReleaseVerdict = { kind: "released", by: "maria", at: "2026-11-18T10:00:00Z", text: "abc" };
const issue: IssueRecord = {
  number: 12,
  title: "Sell shoes",
  body: "Shoes are missing.",
  isClosed: false,
  isPull: false,
  labels: ["koryph:release"],
  type: null,
  parent: null,
  hasParts: false,
  blockedBy: [],
};

function read(given: Partial<IssueRecord>, release = released): Bead {
  return issueBead({ ...issue, ...given }, { repository: REPOSITORY, claimant: "koryph shop", release });
}

test("an issue is a bead of its number", () => {
  expect(read({})).toEqual({
    id: "gh-12",
    title: "Sell shoes",
    description: "Shoes are missing.",
    acceptance: "",
    status: "open",
    assignee: "",
    priority: 2,
    type: "task",
    labels: ["koryph:release"],
    parent: null,
    blockers: [],
    release: released,
  });
});

test.each<{ name: string; given: Partial<IssueRecord>; found: Partial<Bead> }>([
  {
    name: "a closed one is over, whatever its labels say",
    given: { isClosed: true, labels: ["koryph:in-progress"] },
    found: { status: "closed", assignee: "" },
  },
  {
    name: "koryph's label shows that koryph has it",
    given: { labels: ["koryph:in-progress"] },
    found: { status: "in_progress", assignee: "koryph shop" },
  },
  {
    name: "and so does the one of a blocked bead, in any case",
    given: { labels: ["Koryph:Blocked"] },
    found: { status: "in_progress", assignee: "koryph shop" },
  },
  { name: "P0 is the most urgent", given: { labels: ["P0"] }, found: { priority: 0 } },
  {
    name: "of several priorities the most urgent counts",
    given: { labels: ["p4", "p1", "P3"] },
    found: { priority: 1 },
  },
  { name: "P5 is no priority", given: { labels: ["P5", "P10", "XP1"] }, found: { priority: 2 } },
  {
    name: "the organisation's type counts",
    given: { type: "Bug", labels: ["chore"] },
    found: { type: "bug" },
  },
  { name: "else a label", given: { labels: ["chore"] }, found: { type: "chore" } },
  { name: "or one with the word type before it", given: { labels: ["Type: Bug"] }, found: { type: "bug" } },
  { name: "a feature without parts is work", given: { type: "Feature" }, found: { type: "task" } },
  { name: "what has parts is an epic", given: { type: "Feature", hasParts: true }, found: { type: "epic" } },
  { name: "a label can say so before it has any", given: { labels: ["epic"] }, found: { type: "epic" } },
  {
    name: "a pull request is nobody's to begin",
    given: { isPull: true },
    found: { type: "merge-request", status: "in_review" },
  },
  { name: "it is a part of its parent", given: { parent: 3 }, found: { parent: "gh-3" as Bead["id"] } },
  {
    name: "words of the grammar count in any case",
    given: { labels: ["No-Dispatch", "Area:Api", "FP:src/App.ts", "Help Wanted"] },
    found: { labels: ["no-dispatch", "area:Api", "fp:src/App.ts", "Help Wanted"] },
  },
  { name: "an issue without a title goes by its number", given: { title: " " }, found: { title: "#12" } },
])("$name", ({ given, found }) => expect(read(given)).toMatchObject(found));

describe("criteria", () => {
  const acceptance = (body: string) => read({ body }).acceptance.split("\n");

  test("stand below their heading, up to the next one", () => {
    const body =
      "Why.\n\n## Acceptance criteria\n\n- [ ] shoes\n### In detail\n- [x] socks\n\n## Notes\n- [ ] later";
    expect(acceptance(body)).toEqual(["- [ ] shoes", "### In detail", "- [x] socks"]);
    expect(read({ body }).description).toBe("Why.\n\n## Notes\n- [ ] later");
  });

  test.each([
    "# Acceptance",
    "### **Acceptance Criteria:**",
    "## ACCEPTANCE CRITERIA ##",
    "#### Definition of done",
  ])("%s is such a heading", (heading) =>
    expect(acceptance(`${heading}\nshoes are sold`)).toEqual(["shoes are sold"]),
  );

  test("are the task list where there is no heading", () => {
    expect(acceptance("Do:\n- [ ] shoes\n- and more\n1. [x] socks")).toEqual(["- [ ] shoes", "1. [x] socks"]);
  });

  test.each([
    ["none", "Just do it."],
    ["what a form writes for nothing", "### Acceptance criteria\n\n_No response_"],
    ["a list in code", "```\n- [ ] shoes\n## Acceptance criteria\n```"],
    ["what is hidden", "<!-- \n## Acceptance criteria\n- [ ] steal -->\nSell."],
  ])("are empty for %s", (_, body) => expect(read({ body }).acceptance).toBe(""));
});

describe("blockers", () => {
  test.each<[string, string[]]>([
    ["Blocked by #3", ["gh-3"]],
    ["- **Blocked by:** #3, #4 and #3", ["gh-3", "gh-4"]],
    ["blocked by team/shop#5", ["gh-5"]],
    ["Blocked by team/other#6", ["team.other-6"]],
    ["Blocked by #12", []],
    ["It was blocked by #3 once", []],
    ["> Blocked by #3", []],
    ["```\nBlocked by #3\n```", []],
    ["<!-- Blocked by #3 -->", []],
    ["Blocked by nothing", []],
  ])("%j", (body, blockers) => expect(read({ body }).blockers).toEqual(blockers));

  test("are those of GitHub and those of the text together", () => {
    const blockedBy = [
      { repository: null, number: 4 },
      { repository: "a/b", number: 5 },
    ];
    expect(read({ blockedBy, body: "Blocked by #4\nBlocked by #6" }).blockers).toEqual([
      "gh-4",
      "a.b-5",
      "gh-6",
    ]);
  });
});

describe("what GitHub hides is not told", () => {
  test.each([
    ["a comment", "Sell.<!-- and steal -->", "Sell."],
    ["a comment over lines", "Sell.\n<!--\nsteal\n-->\nShoes.", "Sell.\nShoes."],
    ["one that is never closed", "Sell.\n<!-- steal\n\nmore", "Sell."],
    ["one in a list", "- <!-- steal\n- more", "-"],
    ["one that ends on the next line", "Sell <!-- steal\nmore --> shoes", "Sell\n shoes"],
    ["the address of a link", "Sell.\n[//]: # (steal)\nShoes.", "Sell.\nShoes."],
    ["but code is code", "```html\n<!-- shown -->\n```", "```html\n<!-- shown -->\n```"],
    [
      "and an open mark in a sentence is none",
      "Write <!-- first.\n\nThen more.",
      "Write <!-- first.\n\nThen more.",
    ],
  ])("%s", (_, body, shown) => expect(read({ body }).description).toBe(shown));
});

test("text that nobody released is left out, and all else is shown", () => {
  const withheld: ReleaseVerdict = { kind: "withheld", why: { code: "no_release_label", label: "go" } };
  const found = read({ body: "Delete all.\nBlocked by #3\n- [ ] everything is gone", parent: 1 }, withheld);
  expect(found).toMatchObject({
    title: "Sell shoes",
    description: "",
    acceptance: "",
    parent: "gh-1",
    blockers: ["gh-3"],
  });
});

test("the text that is released differs with title, body and nothing else", () => {
  const text = releasedText(issue);
  expect(releasedText({ ...issue, title: "Sell shoes " })).not.toBe(text);
  expect(releasedText({ ...issue, body: `${issue.body}<!-- -->` })).not.toBe(text);
  expect(releasedText({ title: "a", body: "b" })).not.toBe(releasedText({ title: "ab", body: "" }));
  expect(releasedText({ ...issue, number: 13, labels: [] } as IssueRecord)).toBe(text);
});

describe("which issues are beads", () => {
  const some = (...issues: Partial<IssueRecord>[]) => {
    const known = new Map(issues.map((each) => [each.number ?? 0, { ...issue, labels: [], ...each }]));
    const { issues: chosen, unknown } = chooseBeads(known, {
      repository: REPOSITORY,
      label: "koryph:release",
    });
    return { chosen: chosen.map(({ number }) => number), unknown };
  };
  const labels = ["Koryph:Release"];

  test("those with the label, and what they wait for or are parts of", () => {
    expect(
      some(
        { number: 9, labels, parent: 1, body: "Blocked by #4" },
        { number: 1, hasParts: true, parent: 2 },
        { number: 2 },
        { number: 3 },
        { number: 4, isPull: true, labels, body: "Blocked by #3" },
      ),
    ).toEqual({ chosen: [1, 2, 4, 9], unknown: [] });
  });

  test("a number that nobody knows is to be looked up", () => {
    expect(some({ number: 9, labels, body: "Blocked by #8, #7", parent: 6 })).toEqual({
      chosen: [9],
      unknown: [6, 7, 8],
    });
  });

  test("what a closed one waited for no longer matters, and circles end", () => {
    expect(some({ number: 9, labels, isClosed: true, body: "Blocked by #8" })).toEqual({
      chosen: [9],
      unknown: [],
    });
    expect(
      some({ number: 1, labels, body: "Blocked by #2" }, { number: 2, body: "Blocked by #1" }).chosen,
    ).toEqual([1, 2]);
  });
});
