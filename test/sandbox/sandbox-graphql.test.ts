import { expect } from "vitest";
import { ADD_REACTION } from "../../src/adapters/github/documents/add-reaction.js";
import { OPEN_PULLS } from "../../src/adapters/github/documents/open-pulls.js";
import { type PeopleLab, peopleTest } from "../support/app/sandbox-people.js";

const named = (lab: PeopleLab) => ({ owner: "you", name: lab.repo.slice("you/".length) });
const REPOSITORY = "query($owner: String!, $name: String!) { repository(owner: $owner, name: $name)";

/** A field of the repository, as the app sees it. */
async function read(lab: PeopleLab, fields: string, who = "app") {
  const { data, errors } = await lab.graphql(who, `${REPOSITORY} { ${fields} } }`, named(lab));
  expect(errors).toBeUndefined();
  return data.repository;
}

peopleTest("the sweep of open pulls finds what people wrote, edits marked", async (lab) => {
  const number = await lab.openPull();
  const { body } = await lab.ask("mallory", "POST", `/issues/${number}/comments`, { body: "/koryph hepl" });
  await lab.ask("mallory", "PATCH", `/issues/comments/${body.id}`, { body: "/koryph help" });
  await lab.ask("app", "POST", `/issues/${number}/comments`, { body: "Here." });
  const given = await lab.ask("bob", "POST", `/pulls/${number}/reviews`, {
    event: "COMMENT",
    body: "/koryph why",
  });

  const { data } = await lab.graphql("app", OPEN_PULLS, named(lab));
  const { nodes, pageInfo } = data.repository.pullRequests;
  expect(pageInfo.hasNextPage).toBe(false);
  expect(nodes).toMatchObject([{ number, headRefName: "agent/x" }]);
  expect(nodes[0].comments.nodes).toMatchObject([
    {
      body: "/koryph help",
      fullDatabaseId: String(body.id),
      url: body.html_url,
      lastEditedAt: expect.any(String),
      author: { __typename: "User", login: "mallory", databaseId: body.user.id },
    },
    { body: "Here.", lastEditedAt: null, author: { __typename: "Bot", login: "koryph" } },
  ]);
  expect(nodes[0].reviews.nodes).toMatchObject([
    { body: "/koryph why", fullDatabaseId: String(given.body.id), author: { login: "bob" } },
  ]);
});

peopleTest("pages go on where the last one ended, from either end", async (lab) => {
  for (const title of ["one", "two", "three", "four", "five"])
    await lab.ask("you", "POST", "/issues", { title });
  const page = (args: string) =>
    read(
      lab,
      `issues(${args}) { totalCount nodes { title } pageInfo { endCursor hasNextPage hasPreviousPage } }`,
    );
  const titles = ({ issues }: { issues: { nodes: { title: string }[] } }) =>
    issues.nodes.map(({ title }) => title);

  const first = await page("first: 2");
  const second = await page(`first: 2, after: "${first.issues.pageInfo.endCursor}"`);
  expect(first.issues.totalCount).toBe(5);
  expect([titles(first), titles(second), titles(await page("last: 2"))]).toEqual([
    ["one", "two"],
    ["three", "four"],
    ["four", "five"],
  ]);
  expect(second.issues.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
  const without = await lab.graphql("app", `${REPOSITORY} { issues { totalCount } } }`, named(lab));
  expect(without.errors).toMatchObject([
    { type: "MISSING_PAGINATION_BOUNDARIES", path: ["repository", "issues"] },
  ]);
  const much = await lab.graphql("app", `${REPOSITORY} { issues(first: 101) { totalCount } } }`, named(lab));
  expect(much.errors).toMatchObject([{ type: "EXCESSIVE_PAGINATION" }]);
});

peopleTest("issues show labels, state and their parts", async (lab) => {
  for (const title of ["epic", "part"]) await lab.ask("you", "POST", "/issues", { title, labels: ["ready"] });
  const { body: part } = await lab.ask("you", "PATCH", "/issues/2", {
    state: "closed",
    state_reason: "not_planned",
  });
  await lab.ask("you", "POST", "/issues/1/sub_issues", { sub_issue_id: part.id });
  const { issue, closed } = await read(
    lab,
    `issue(number: 1) { state labels(first: 5) { nodes { name } } subIssues(first: 5) { nodes { number parent { number } } } }
     closed: issues(states: CLOSED, first: 5) { nodes { number stateReason } }`,
  );
  expect(issue).toEqual({
    state: "OPEN",
    labels: { nodes: [{ name: "ready" }] },
    subIssues: { nodes: [{ number: 2, parent: { number: 1 } }] },
  });
  expect(closed.nodes).toEqual([{ number: 2, stateReason: "NOT_PLANNED" }]);
});

peopleTest("refs, commits and files come from git", async (lab) => {
  const number = await lab.openPull();
  const { body: pull } = await lab.ask("you", "GET", `/pulls/${number}`);
  const found = await read(
    lab,
    `defaultBranchRef { name target { oid } }
     ref(qualifiedName: "refs/heads/agent/x") { name prefix target { ... on Commit { oid messageHeadline parents(first: 2) { nodes { oid } } } } }
     none: ref(qualifiedName: "nothing") { name }
     refs(refPrefix: "refs/heads/", first: 10) { nodes { name } }
     object(expression: "agent/x:new.md") { ... on Blob { text } }
     pullRequest(number: ${number}) { additions changedFiles mergeable commits(first: 5) { totalCount } }`,
  );
  expect(found).toMatchObject({
    defaultBranchRef: { name: "main", target: { oid: pull.base.sha } },
    ref: {
      ...{ name: "agent/x", prefix: "refs/heads/" },
      target: {
        oid: pull.head.sha,
        messageHeadline: "Change two lines",
        parents: { nodes: [{ oid: pull.base.sha }] },
      },
    },
    none: null,
    refs: { nodes: [{ name: "agent/x" }, { name: "main" }] },
    object: { text: "first\nsecond\n" },
    pullRequest: { additions: 4, changedFiles: 2, commits: { totalCount: 1 } },
  });
});

peopleTest("a review is reacted to by its global id, once", async (lab) => {
  const number = await lab.openPull();
  const { body } = await lab.ask("bob", "POST", `/pulls/${number}/reviews`, {
    event: "APPROVE",
    body: "/koryph land",
  });
  for (const _ of [1, 2]) {
    const { data } = await lab.graphql("app", ADD_REACTION, { subject: body.node_id, content: "EYES" });
    expect(data.addReaction.reaction.content).toBe("EYES");
  }
  const counted = await lab.graphql(
    "app",
    "query($id: ID!) { node(id: $id) { ... on PullRequestReview { databaseId reactions(first: 5) { totalCount viewerHasReacted } } } }",
    { id: body.node_id },
  );
  expect(counted.data.node).toEqual({
    databaseId: body.id,
    reactions: { totalCount: 1, viewerHasReacted: true },
  });
  const wrong = await lab.graphql("app", ADD_REACTION, { subject: "bm8=", content: "EYES" });
  expect(wrong).toMatchObject({ data: { addReaction: null }, errors: [{ type: "NOT_FOUND" }] });
});

peopleTest("threads are resolved and comments hidden by those who may write", async (lab) => {
  const number = await lab.openPull();
  await lab.ask("bob", "POST", `/pulls/${number}/reviews`, {
    ...{ event: "COMMENT", comments: [{ path: "text.md", line: 2, body: "Why?" }] },
  });
  const { body: said } = await lab.ask("app", "POST", `/issues/${number}/comments`, { body: "Old." });
  const threads = async () =>
    (
      await read(
        lab,
        `pullRequest(number: ${number}) { reviewThreads(first: 5) { nodes { id isResolved line comments(first: 5) { nodes { body } } } } }`,
      )
    ).pullRequest.reviewThreads.nodes;
  const [thread] = await threads();
  const resolve =
    'mutation($id: ID!) { resolveReviewThread(input: { threadId: $id, clientMutationId: "m" }) { clientMutationId thread { isResolved } } }';
  const hide =
    "mutation($id: ID!) { minimizeComment(input: { subjectId: $id, classifier: OUTDATED }) { minimizedComment { isMinimized minimizedReason } } }";

  expect(thread).toMatchObject({ isResolved: false, line: 2, comments: { nodes: [{ body: "Why?" }] } });
  expect(await lab.graphql("mallory", resolve, { id: thread.id })).toMatchObject({
    errors: [{ type: "FORBIDDEN" }],
  });
  expect((await lab.graphql("app", resolve, { id: thread.id })).data.resolveReviewThread).toEqual({
    clientMutationId: "m",
    thread: { isResolved: true },
  });
  expect((await threads())[0].isResolved).toBe(true);
  expect((await lab.graphql("mallory", hide, { id: said.node_id })).errors).toMatchObject([
    { type: "FORBIDDEN" },
  ]);
  expect(
    (await lab.graphql("app", hide, { id: said.node_id })).data.minimizeComment.minimizedComment,
  ).toEqual({
    isMinimized: true,
    minimizedReason: "outdated",
  });
});

peopleTest("refs move together and only from where they were said to be", async (lab) => {
  const number = await lab.openPull();
  const { body: pull } = await lab.ask("you", "GET", `/pulls/${number}`);
  const { head, base } = pull;
  const { id } = await read(lab, "id");
  const update = (refUpdates: object[]) =>
    lab.graphql(
      "app",
      "mutation($id: ID!, $refUpdates: [RefUpdate!]!) { updateRefs(input: { repositoryId: $id, refUpdates: $refUpdates }) { clientMutationId } }",
      { id, refUpdates },
    );
  const tip = async () => (await lab.get("you", "/git/ref/heads/main")).object.sha;

  const stale = await update([
    { name: "refs/heads/agent/x", beforeOid: base.sha, afterOid: head.sha },
    { name: "refs/heads/main", beforeOid: base.sha, afterOid: head.sha },
  ]);
  expect(stale.errors).toMatchObject([{ type: "UNPROCESSABLE", path: ["updateRefs"] }]);
  expect(await tip()).toBe(base.sha);

  const done = await update([{ name: "refs/heads/main", beforeOid: base.sha, afterOid: head.sha }]);
  expect(done.errors).toBeUndefined();
  expect(await tip()).toBe(head.sha);
  const { pullRequest } = await read(lab, `pullRequest(number: ${number}) { state merged }`);
  expect(pullRequest).toEqual({ state: "MERGED", merged: true });
});

peopleTest("a pull becomes a draft and ready again, and the app hears it once each", async (lab) => {
  const number = await lab.openPull();
  const { node_id: id } = await lab.get("you", `/pulls/${number}`);
  const draft =
    "mutation($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
  const ready =
    "mutation($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
  for (const _ of [1, 2]) {
    expect(
      (await lab.graphql("alice", draft, { id })).data.convertPullRequestToDraft.pullRequest.isDraft,
    ).toBe(true);
  }
  await lab.graphql("app", ready, { id });
  expect((await lab.graphql("mallory", draft, { id })).errors).toMatchObject([{ type: "FORBIDDEN" }]);
  expect(await lab.heard()).toEqual(["pull_request.converted_to_draft", "pull_request.ready_for_review"]);
});

peopleTest("what GitHub's schema does not have is an error, and a problem of ours", async (lab) => {
  const { problems } = lab.sandbox;
  const unknown = await lab.graphql("app", "{ viewer { shoeSize } }");
  const broken = await lab.graphql("app", "{ viewer { ");
  const unfit = await lab.graphql("app", "query($n: Int!) { rateLimit { cost } node(id: $n) { id } }", {
    n: "x",
  });
  expect(unknown).toMatchObject({ errors: [{ message: expect.stringContaining("shoeSize") }] });
  expect(unknown.data).toBeUndefined();
  expect(broken.errors).toHaveLength(1);
  expect(unfit.errors).toHaveLength(1);
  expect(problems.splice(0)).toHaveLength(3);
});

peopleTest("what one may not see is not there, and what one may not do says so", async (lab) => {
  const { sandbox } = lab;
  if (sandbox.world.repository("you/secret") === null) {
    await sandbox.addRepository({ owner: "you", name: "secret", private: true });
  }
  const query = `${REPOSITORY} { id viewerPermission } rateLimit { remaining } }`;
  const hidden = await lab.graphql("mallory", query, { owner: "you", name: "secret" });
  expect(hidden).toMatchObject({
    data: { repository: null, rateLimit: { remaining: expect.any(Number) } },
    errors: [{ type: "NOT_FOUND", message: "Could not resolve to a Repository with the name 'you/secret'." }],
  });
  const mine = await lab.graphql("you", query, { owner: "you", name: "secret" });
  expect(mine.data.repository.viewerPermission).toBe("ADMIN");
  const secret = await lab.graphql("mallory", "query($id: ID!) { node(id: $id) { id } }", {
    id: mine.data.repository.id,
  });
  expect(secret.errors).toMatchObject([{ type: "NOT_FOUND" }]);
  expect((await lab.graphql("nobody", query, named(lab))).message).toMatch(/authenticated/);
});
