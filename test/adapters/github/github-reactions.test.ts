import { expect, test } from "vitest";
import { bot, github, person, ref, threads, useNock } from "../../support/app/github-nock.js";

useNock();

const given = (content: string, user: object | null) => ({ id: 1, content, user });
test.each<{ name: string; listed: object[]; found: boolean }>([
  { name: "one of those asked for", listed: [given("eyes", bot), given("+1", bot)], found: true },
  { name: "another one", listed: [given("eyes", bot)], found: false },
  { name: "somebody else's", listed: [given("+1", person), given("+1", null)], found: false },
  { name: "a person's who has our name", listed: [given("+1", { ...bot, type: "User" })], found: false },
])("our own reaction among others: $name: $found", async ({ listed, found }) => {
  const query = { per_page: 100, page: 1 };
  github().get("/repos/o/r/issues/comments/5/reactions").query(query).reply(200, listed);
  expect(await threads().hasReacted(ref("comment"), ["+1", "-1"])).toBe(found);
});

test("a comment that is gone has no reaction of ours", async () => {
  github().get("/repos/o/r/pulls/comments/5/reactions").query(true).reply(404, {});
  expect(await threads().hasReacted(ref("review-comment"), ["+1"])).toBe(false);
});

test.each([
  {
    name: "ours",
    node: { reactionGroups: [{ content: "THUMBS_UP", viewerHasReacted: true }] },
    found: true,
  },
  {
    name: "others'",
    node: { reactionGroups: [{ content: "THUMBS_UP", viewerHasReacted: false }] },
    found: false,
  },
  {
    name: "of another kind",
    node: { reactionGroups: [{ content: "EYES", viewerHasReacted: true }] },
    found: false,
  },
  { name: "none that can be told", node: null, found: false },
])("our reactions to a review are asked for by GraphQL: $name", async ({ node, found }) => {
  github().get("/repos/o/r/pulls/1/reviews/5").reply(200, { id: 5, node_id: "PRR_5" });
  github()
    .post("/graphql", ({ variables }) => variables?.review === "PRR_5")
    .reply(200, { data: { node } });
  expect(await threads().hasReacted(ref("review"), ["+1"])).toBe(found);
});
