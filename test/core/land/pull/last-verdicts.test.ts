import { expect, test } from "vitest";
import { chooseReviews, type ListedReview } from "../../../../src/core/land/pull/choose-reviews.js";
import { ulid } from "../../../../src/lib/ulid.js";

const NOON = Date.parse("2026-03-01T12:00:00Z");
const ANN = { id: 7, login: "ann", type: "User" };

function review(given: Partial<ListedReview> & { readonly minute?: number } = {}): ListedReview {
  const { minute = 0, ...rest } = given;
  return {
    ...{ id: 1, by: ANN, state: "approved", head: "a".repeat(40), body: "", url: "https://github.test/1" },
    submittedAt: new Date(NOON + minute * 60_000).toISOString(),
    ...rest,
  };
}

/** On record by what was said at that minute. */
function approval(source: string, minute = 0) {
  const id = ulid(NOON + minute * 60_000, new Uint8Array(10));
  return { id, evidence: { user_id: ANN.id, source } };
}

const OTHER = { ...ANN, id: 8, login: "bo" };

test.each<{
  name: string;
  listed: readonly ListedReview[];
  recorded?: readonly ReturnType<typeof approval>[];
  owed: readonly number[];
}>([
  { name: "an approval that nobody told of is owed", listed: [review()], owed: [1] },
  {
    name: "one that is on record is not",
    listed: [review()],
    recorded: [approval("review 1")],
    owed: [],
  },
  {
    name: "somebody else's approval on record is not this person's",
    listed: [review({ by: OTHER })],
    recorded: [approval("review 1")],
    owed: [1],
  },
  { name: "words without a verdict are none", listed: [review({ state: "commented" })], owed: [] },
  { name: "a review that is not sent yet is none", listed: [review({ state: "pending" })], owed: [] },
  {
    name: "of two approvals the last is owed",
    listed: [review(), review({ id: 2, minute: 1 })],
    recorded: [approval("review 1")],
    owed: [2],
  },
  {
    name: "a comment after it does not take an approval back",
    listed: [review(), review({ id: 2, minute: 1, state: "commented" })],
    owed: [1],
  },
  {
    name: "an approval that was followed by a request for changes is none",
    listed: [review(), review({ id: 2, minute: 1, state: "changes-requested" })],
    owed: [],
  },
  {
    name: "and takes back what is on record",
    listed: [review(), review({ id: 2, minute: 1, state: "changes-requested" })],
    recorded: [approval("review 1")],
    owed: [2],
  },
  {
    name: "a comment that approved after it stands",
    listed: [review({ state: "changes-requested" })],
    recorded: [approval("comment 9", 1)],
    owed: [],
  },
  {
    name: "a comment that approved before it does not",
    listed: [review({ state: "changes-requested", minute: 1 })],
    recorded: [approval("comment 9")],
    owed: [1],
  },
  {
    name: "an event whose name tells no time counts as earlier",
    listed: [review({ state: "changes-requested" })],
    recorded: [{ ...approval("comment 9", 1), id: "forged" }],
    owed: [1],
  },
  {
    name: "a dismissed review takes back what it gave",
    listed: [review({ state: "dismissed" })],
    recorded: [approval("review 1")],
    owed: [1],
  },
  {
    name: "and nothing that was given otherwise",
    listed: [review({ state: "dismissed", minute: 1 })],
    recorded: [approval("comment 9")],
    owed: [],
  },
  {
    name: "an approval by comment after one in the form keeps it from being taken in again and again",
    listed: [review()],
    recorded: [approval("comment 9", 1)],
    owed: [],
  },
])("$name", ({ listed, recorded = [], owed }) => {
  expect(chooseReviews(listed, recorded).map(({ id }) => id)).toEqual(owed);
});
