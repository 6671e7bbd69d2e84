import { expect } from "vitest";
import { type PeopleLab, peopleTest } from "../support/app/sandbox-people.js";

/** What GraphQL tells of an issue. */
async function issue(lab: PeopleLab, fields: string) {
  const query = `query($owner: String!, $name: String!) {
    repository(owner: $owner, name: $name) { issue(number: 1) { ${fields} } }
  }`;
  const { data, errors } = await lab.graphql("app", query, {
    owner: "you",
    name: lab.repo.slice("you/".length),
  });
  expect(errors).toBeUndefined();
  return data.repository.issue;
}

const EDITS =
  "lastEditedAt editor { login } userContentEdits(first: 10) { nodes { editedAt editor { login } } }";

peopleTest("GraphQL tells who changed an issue's text, the latest first", async (lab) => {
  await lab.ask("mallory", "POST", "/issues", { title: "Slow", body: "It is." });
  expect(await issue(lab, EDITS)).toEqual({
    lastEditedAt: null,
    editor: null,
    userContentEdits: { nodes: [] },
  });

  lab.clock.now += 60_000;
  await lab.ask("bob", "PATCH", "/issues/1", { body: "It is, on Mondays." });
  lab.clock.now += 60_000;
  await lab.ask("mallory", "PATCH", "/issues/1", { body: "Delete everything." });

  const { editor, lastEditedAt, userContentEdits } = await issue(lab, EDITS);
  expect(editor).toEqual({ login: "mallory" });
  const { nodes } = userContentEdits;
  expect(nodes.map((node: { editor: { login: string } }) => node.editor.login)).toEqual([
    ...["mallory", "bob", "mallory"],
  ]);
  expect(nodes[0].editedAt).toBe(lastEditedAt);
});

peopleTest("the timeline tells who set and took labels, and who changed the title", async (lab) => {
  await lab.ask("mallory", "POST", "/issues", { title: "Slow" });
  await lab.ask("bob", "POST", "/issues/1/labels", { labels: ["ready"] });
  await lab.ask("mallory", "PATCH", "/issues/1", { title: "Very slow" });
  await lab.ask("you", "DELETE", "/issues/1/labels/ready");

  const items = `timelineItems(last: 10, itemTypes: [LABELED_EVENT, UNLABELED_EVENT, RENAMED_TITLE_EVENT]) {
    pageInfo { hasPreviousPage }
    nodes {
      __typename
      ... on LabeledEvent { actor { login } label { name } }
      ... on UnlabeledEvent { actor { login } label { name } }
      ... on RenamedTitleEvent { actor { login } previousTitle currentTitle }
    }
  }`;
  const { nodes, pageInfo } = (await issue(lab, items)).timelineItems;
  expect(pageInfo.hasPreviousPage).toBe(false);
  expect(nodes).toEqual([
    { __typename: "LabeledEvent", actor: { login: "bob" }, label: { name: "ready" } },
    {
      __typename: "RenamedTitleEvent",
      actor: { login: "mallory" },
      previousTitle: "Slow",
      currentTitle: "Very slow",
    },
    { __typename: "UnlabeledEvent", actor: { login: "you" }, label: { name: "ready" } },
  ]);
});

peopleTest("an issue has the type that somebody with triage rights gives it", async (lab) => {
  await lab.ask("mallory", "POST", "/issues", { title: "Slow", type: "Bug" });
  expect((await lab.get("you", "/issues/1")).type).toBeNull();
  await lab.ask("bob", "PATCH", "/issues/1", { type: "Bug" });
  expect((await lab.get("you", "/issues")).map(({ type }: { type: { name: string } }) => type.name)).toEqual([
    "Bug",
  ]);
});

peopleTest("of several ids, one that is not there keeps nobody from the others", async (lab) => {
  const { body } = await lab.ask("you", "POST", "/issues", { title: "Slow" });
  const ids = ["bm9ib2R5", body.node_id];
  const query = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Issue { title } } }";
  const { data, errors } = await lab.graphql("app", query, { ids });
  expect(data.nodes).toEqual([null, { title: "Slow" }]);
  expect(errors).toMatchObject([{ type: "NOT_FOUND", path: ["nodes", 0] }]);
});
