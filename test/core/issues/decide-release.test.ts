import { describe, expect, test } from "vitest";
import type { Role } from "../../../src/core/commands/roles.js";
import {
  decideRelease,
  type IssueAct,
  peopleToAsk,
  type ReleaseFacts,
} from "../../../src/core/issues/decide-release.js";

const AT = "2026-11-18T10:00:00Z";
const released: ReleaseFacts = {
  label: "koryph:release",
  hasLabel: true,
  labelled: { by: "maria", at: AT },
  edits: [],
  editsComplete: true,
  text: "abc",
};
const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ["maria", "triage"],
  ["paul", "write"],
  ["stranger", "read"],
  ["nobody", "none"],
]);

const edit = (by: string | null, time: string): IssueAct => ({ by, at: `2026-11-18T${time}Z` });
const verdict = (given: Partial<ReleaseFacts>) => {
  const decided = decideRelease({ ...released, ...given }, ROLES);
  return decided.kind === "released" ? "released" : decided.why.code;
};

test("a release names who gave it, when, and for which text", () => {
  expect(decideRelease(released, ROLES)).toEqual({ kind: "released", by: "maria", at: AT, text: "abc" });
});

test.each<{ name: string; given: Partial<ReleaseFacts>; found: string }>([
  { name: "without the label there is none", given: { hasLabel: false }, found: "no_release_label" },
  {
    name: "a label that was taken off again is none, whoever had set it",
    given: { hasLabel: false, labelled: { by: "paul", at: AT } },
    found: "no_release_label",
  },
  {
    name: "a label that nobody is seen to set proves nothing",
    given: { labelled: null },
    found: "release_unproven",
  },
  {
    name: "nor does one that a bot or a deleted account set",
    given: { labelled: { by: null, at: AT } },
    found: "release_unproven",
  },
  {
    name: "a template that sets it for a stranger releases nothing",
    given: { labelled: { by: "stranger", at: AT } },
    found: "releaser_may_not",
  },
  {
    name: "somebody who has left the team releases nothing any more",
    given: { labelled: { by: "nobody", at: AT } },
    found: "releaser_may_not",
  },
  {
    name: "somebody whose rights nobody knows has none",
    given: { labelled: { by: "unasked", at: AT } },
    found: "releaser_may_not",
  },
  {
    name: "what was changed before was released",
    given: { edits: [edit("stranger", "09:59:59")] },
    found: "released",
  },
  {
    name: "a stranger's edit afterwards takes the release back",
    given: { edits: [edit("stranger", "10:00:01")] },
    found: "edited_since",
  },
  {
    name: "an edit of the same second may have come after",
    given: { edits: [edit("stranger", "10:00:00")] },
    found: "edited_since",
  },
  {
    name: "an edit at no readable time counts as one after",
    given: { edits: [{ by: "stranger", at: "" }] },
    found: "edited_since",
  },
  {
    name: "an edit that GitHub names nobody for is a stranger's",
    given: { edits: [edit(null, "11:00:00")] },
    found: "edited_since",
  },
  {
    name: "people with triage rights may mend the text",
    given: { edits: [edit("paul", "11:00:00"), edit("maria", "12:00:00")] },
    found: "released",
  },
  {
    name: "their edit does not heal a stranger's before it",
    given: { edits: [edit("paul", "12:00:00"), edit("stranger", "11:00:00")] },
    found: "edited_since",
  },
  {
    name: "edits that were not read may be anybody's",
    given: { editsComplete: false },
    found: "too_many_edits",
  },
])("$name", ({ given, found }) => expect(verdict(given)).toBe(found));

test("the first stranger's edit is the one that is named", () => {
  const edits = [edit("nobody", "12:00:00"), edit("stranger", "11:00:00"), edit("stranger", "09:00:00")];
  expect(decideRelease({ ...released, edits }, ROLES)).toEqual({
    kind: "withheld",
    why: { code: "edited_since", label: "koryph:release", by: "stranger", at: "2026-11-18T11:00:00Z" },
  });
});

describe("whose rights are asked for", () => {
  test("the releaser's, and those of everybody who changed the text since, once each", () => {
    const edits = [
      edit("paul", "11:00:00"),
      edit("stranger", "09:00:00"),
      edit("maria", "12:00:00"),
      edit(null, "12:01:00"),
    ];
    expect(peopleToAsk({ ...released, edits })).toEqual(["maria", "paul"]);
  });

  test("nobody's where there is no label, or nobody to ask about", () => {
    expect(peopleToAsk({ ...released, hasLabel: false })).toEqual([]);
    expect(peopleToAsk({ ...released, labelled: null })).toEqual([]);
  });
});
