import { createHmac } from "node:crypto";
import examples from "@octokit/webhooks-examples";
import { expect, test } from "vitest";
import { act } from "../../src/sandbox/world/act.js";
import { review } from "../../src/sandbox/world/people.js";
import { APP_KEY, octokitOf, openReceiver, openSandbox } from "../support/app/sandbox-lab.js";

const EXAMPLES = examples as unknown as readonly { name: string; examples: readonly object[] }[];

async function listening(events: readonly string[] = ["push", "repository_dispatch"]) {
  const sandbox = await openSandbox();
  const receiver = await openReceiver();
  await sandbox.addRepository({ owner: "you", name: "play" });
  const app = await sandbox.addApp({
    ...{
      slug: "koryph",
      privateKey: APP_KEY,
      permissions: { contents: "write" },
      events,
      webhookUrl: receiver.url,
    },
    webhookSecret: "a secret",
  });
  const installation = sandbox.install(app, ["you/play"]);
  await sandbox.settled();
  receiver.received.length = 0;
  const octokit = await octokitOf(sandbox, app, installation);
  const dispatch = (event_type: string) =>
    octokit.rest.repos.createDispatchEvent({ owner: "you", repo: "play", event_type });
  /** The dispatches that arrived, in order. */
  const arrived = async () => {
    await sandbox.settled();
    return receiver.received.map(({ payload }) => payload.action);
  };
  return { sandbox, app, installation, octokit, dispatch, arrived, ...receiver };
}

test("a webhook is signed, and says whose it is in its headers and payload", async () => {
  const { sandbox, app, installation, received } = await listening();
  const sha = await sandbox.commit("you/play", "main", { "a.txt": "a\n" }, { author: "alice" });
  await sandbox.settled();
  expect(received).toHaveLength(1);
  const [{ headers, text, payload } = expect.fail("nothing arrived")] = received;
  const signature = createHmac("sha256", "a secret").update(text).digest("hex");
  expect(headers["x-hub-signature-256"]).toBe(`sha256=${signature}`);
  expect(headers).toMatchObject({
    "x-github-event": "push",
    "x-github-delivery": expect.stringMatching(/^[0-9a-f-]{36}$/),
    "x-github-hook-installation-target-id": String(app.id),
    "x-github-hook-installation-target-type": "integration",
    "user-agent": expect.stringMatching(/^GitHub-Hookshot\//),
    "content-type": "application/json",
  });
  expect(payload).toMatchObject({
    ...{ ref: "refs/heads/main", after: sha, created: false, forced: false, pusher: { name: "alice" } },
    ...{ commits: [{ id: sha, added: ["a.txt"], modified: [], removed: [] }], head_commit: { id: sha } },
    repository: { full_name: "you/play" },
    sender: { login: "alice" },
    installation: { id: installation },
  });
});

test("an app is told when it is installed, and only of what it listens to", async () => {
  const sandbox = await openSandbox();
  const { url, received } = await openReceiver();
  await sandbox.addRepository({ owner: "you", name: "play" });
  await sandbox.addRepository({ owner: "you", name: "other" });
  const app = await sandbox.addApp({
    slug: "koryph",
    privateKey: APP_KEY,
    permissions: {},
    events: ["issues"],
    webhookUrl: url,
  });
  const id = sandbox.install(app, ["you/play"]);
  await sandbox.commit("you/play", "main", { "a.txt": "a\n" });
  expect(sandbox.install(app, ["you/other"])).toBe(id);
  await sandbox.settled();
  expect(received.map(({ payload }) => [payload.action, payload.installation.id])).toEqual([
    ["created", id],
    ["added", id],
  ]);
});

/** Names of fields that one value has and the other has not, at any depth. */
function missing(wanted: unknown, found: unknown, path = ""): string[] {
  if (Array.isArray(wanted) && Array.isArray(found))
    return wanted.length === 0 || found.length === 0 ? [] : missing(wanted[0], found[0], `${path}[]`);
  if (typeof wanted !== "object" || wanted === null || typeof found !== "object" || found === null) return [];
  return Object.entries(wanted).flatMap(([name, inner]) =>
    name in found
      ? missing(inner, found[name as keyof typeof found], `${path}.${name}`)
      : [`${path}.${name}`],
  );
}

test("payloads have every field that GitHub's own examples have", async () => {
  const { sandbox, received } = await listening([
    ...["push", "create", "delete", "pull_request", "check_run", "check_suite", "workflow_run"],
    ...["pull_request_review"],
  ]);
  await sandbox.addRepository({ owner: "you", name: "other" });
  sandbox.install({ id: sandbox.state.apps[0]?.id ?? 0 }, ["you/other"]);
  await sandbox.commit("you/play", "topic", { "a.txt": "a\n" });
  await sandbox.openPull("you/play", { author: "you", head: "topic", title: "Topic" });
  const head = await sandbox.commit("you/play", "topic", { "a.txt": "b\n" });
  const [repository = expect.fail("no repository")] = sandbox.state.repositories;
  sandbox.addUser("bob");
  const id = await review(sandbox.world, "you/play", 1, "bob", { state: "APPROVED" });
  const path = `/repos/you/play/pulls/1/reviews/${id}/dismissals`;
  await act(sandbox.world, "you", { method: "PUT", path, sent: { message: "Too early." } });
  const run = await sandbox.startRun("you/play", { head: "topic", jobs: ["test"] });
  await sandbox.completeRun("you/play", run);
  const move = { ref: "refs/heads/main", before: null, after: head };
  await sandbox.world.moveRefs(repository, { login: "you", app: null, workflows: true }, [move]);
  await sandbox.settled();
  const lacks = received.map(({ headers, payload }) => {
    const event = String(headers["x-github-event"]);
    const theirs = EXAMPLES.find(({ name }) => name === event)?.examples ?? [];
    const like = theirs.filter((each) => !("action" in each) || each.action === payload.action);
    // What only some repositories have, or some apps, is no part of the shape.
    const gaps = missing(like.at(-1), payload).filter(
      (name) => !/organization|permissions|auto_merge/.test(name),
    );
    return { what: `${event} ${payload.action ?? ""}`.trim(), gaps };
  });
  expect(lacks).toEqual([
    { what: "installation_repositories added", gaps: [] },
    { what: "create", gaps: [] },
    { what: "push", gaps: [] },
    { what: "pull_request opened", gaps: [] },
    { what: "push", gaps: [] },
    { what: "pull_request synchronize", gaps: [] },
    { what: "pull_request_review submitted", gaps: [] },
    { what: "pull_request_review dismissed", gaps: [] },
    { what: "workflow_run requested", gaps: [] },
    { what: "check_run created", gaps: [] },
    { what: "check_run completed", gaps: [] },
    { what: "check_suite completed", gaps: [] },
    { what: "workflow_run completed", gaps: [] },
    { what: "push", gaps: [] },
    { what: "pull_request closed", gaps: [] },
  ]);
});

test("refs that are neither branches nor tags are pushed in silence", async () => {
  const { sandbox, octokit, received } = await listening(["push", "create", "delete"]);
  const repo = { owner: "you", repo: "play" };
  const { data } = await octokit.rest.git.getRef({ ...repo, ref: "heads/main" });
  await octokit.rest.git.createRef({ ...repo, ref: "refs/koryph/ledger", sha: data.object.sha });
  await octokit.rest.git.createRef({ ...repo, ref: "refs/heads/side", sha: data.object.sha });
  await octokit.rest.git.deleteRef({ ...repo, ref: "heads/side" });
  await sandbox.settled();
  expect(received.map(({ headers }) => headers["x-github-event"])).toEqual([
    "create",
    "push",
    "delete",
    "push",
  ]);
});

test("failed deliveries are listed, can be looked at, and are sent again under the same GUID", async () => {
  const { sandbox, app, dispatch, received, answer } = await listening();
  const asApp = await octokitOf(sandbox, app);
  await dispatch("first");
  await sandbox.settled();
  answer.status = 500;
  await dispatch("second");
  await sandbox.settled();
  const list = async (status?: "success" | "failure") =>
    (await asApp.rest.apps.listWebhookDeliveries({ per_page: 100, ...(status && { status }) })).data;
  const [failed, ...more] = await list("failure");
  expect(more).toEqual([]);
  expect(failed).toMatchObject({ event: "repository_dispatch", action: "second", status_code: 500 });
  const delivery_id = failed?.id ?? 0;
  const { data } = await asApp.rest.apps.getWebhookDelivery({ delivery_id });
  expect(data.request.payload).toMatchObject({ action: "second" });
  answer.status = 202;
  expect((await asApp.rest.apps.redeliverWebhookDelivery({ delivery_id })).status).toBe(202);
  await sandbox.settled();
  const guids = received.map(({ headers }) => headers["x-github-delivery"]);
  expect(guids).toEqual([expect.anything(), failed?.guid, failed?.guid]);
  expect((await list())[0]).toMatchObject({ redelivery: true, status_code: 202, guid: failed?.guid });
});

test("an app that does not answer has its deliveries listed with status 0", async () => {
  const { sandbox, app, dispatch } = await listening();
  // Nothing listens on port 1.
  sandbox.setWebhook(app, "http://127.0.0.1:1/");
  await dispatch("lost");
  await sandbox.settled();
  expect(sandbox.state.deliveries.at(-1)).toMatchObject({ statusCode: 0, action: "lost" });
});

test("deliveries are paged by a cursor", async () => {
  const { sandbox, app, dispatch } = await listening();
  for (const name of ["one", "two", "three"]) await dispatch(name);
  await sandbox.settled();
  const asApp = await octokitOf(sandbox, app);
  const all = await asApp.paginate(asApp.rest.apps.listWebhookDeliveries, { per_page: 2 });
  expect(all.map(({ action }) => action)).toEqual(["three", "two", "one", "created"]);
});

test.each([
  { webhooks: "lost", arrives: ["b"], listed: ["b"] },
  { webhooks: "failed", arrives: ["b"], listed: ["a", "b"] },
  { webhooks: "doubled", arrives: ["a", "a", "b"], listed: ["a", "a", "b"] },
] as const)("a webhook can be $webhooks", async ({ webhooks, arrives, listed }) => {
  const { sandbox, dispatch, arrived } = await listening();
  sandbox.faults.add({ webhooks, times: 1 });
  await dispatch("a");
  await dispatch("b");
  expect(await arrived()).toEqual(arrives);
  expect(sandbox.state.deliveries.slice(1).map(({ action }) => action)).toEqual(listed);
  expect(sandbox.faults.list()).toEqual([]);
});

test("webhooks can be shuffled, and arrive although fewer came than were to be shuffled", async () => {
  const { sandbox, dispatch, arrived } = await listening();
  sandbox.faults.add({ webhooks: "shuffled", times: 3 });
  for (const name of ["a", "b", "c", "d"]) await dispatch(name);
  expect(await arrived()).toEqual(["c", "b", "a", "d"]);
  sandbox.faults.add({ webhooks: "shuffled", times: 3 });
  for (const name of ["e", "f"]) await dispatch(name);
  expect((await arrived()).slice(4)).toEqual(["f", "e"]);
});
