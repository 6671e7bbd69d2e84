import { expect } from "vitest";
import { peopleTest } from "../support/app/sandbox-people.js";

const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

peopleTest("an issue lives from opened to reopened, and the app hears each step", async (lab) => {
  const made = await lab.ask("you", "POST", "/issues", { title: "Slow", body: "It is.", labels: ["bug"] });
  await lab.ask("you", "PATCH", "/issues/1", { title: "Too slow" });
  const closed = await lab.ask("bob", "PATCH", "/issues/1", { state: "closed", state_reason: "not_planned" });
  await lab.ask("bob", "PATCH", "/issues/1", { state: "open" });

  expect(made).toMatchObject({ status: 201, body: { number: 1, user: { login: "you", type: "User" } } });
  expect(closed.body).toMatchObject({
    state: "closed",
    state_reason: "not_planned",
    closed_by: { login: "bob" },
  });
  expect(await lab.get("mallory", "/issues/1")).toMatchObject({ state: "open", state_reason: "reopened" });
  const events: { event: string; actor: { login: string } }[] = await lab.get("app", "/issues/1/events");
  expect(events.map(({ event, actor }) => `${event} by ${actor.login}`)).toEqual([
    ...["labeled by you", "renamed by you", "closed by bob", "reopened by bob"],
  ]);
  const news = await lab.news();
  expect(news.map(({ event, payload }) => `${event}.${payload.action}`)).toEqual(
    ["opened", "labeled", "edited", "closed", "reopened"].map((action) => `issues.${action}`),
  );
  expect(news[0]?.payload.issue.labels).toMatchObject([{ name: "bug" }]);
  expect(news[2]?.payload.changes).toEqual({ title: { from: "Slow" } });
  expect(news[0]?.payload).toMatchObject({
    sender: { login: "you" },
    installation: {},
    repository: { full_name: lab.repo },
  });
});

peopleTest("an edit that changes nothing is told to nobody", async (lab) => {
  await lab.ask("you", "POST", "/issues", { title: "Slow", body: "It is." });
  await lab.news();
  await lab.ask("you", "PATCH", "/issues/1", { title: "Slow", body: "It is.", state: "open", labels: [] });
  expect(await lab.heard()).toEqual([]);
});

peopleTest("issues are listed by state, label, creator and time, a page at a time", async (lab) => {
  for (const title of ["one", "two", "three"]) await lab.ask("you", "POST", "/issues", { title });
  await lab.ask("mallory", "POST", "/issues", { title: "four" });
  await lab.ask("you", "PATCH", "/issues/2", { state: "closed", labels: ["done"] });
  const numbers = async (query: string) =>
    (await lab.get("you", `/issues?${query}`)).map(({ number }: { number: number }) => number);

  expect(await numbers("")).toEqual([4, 3, 1]);
  expect(await numbers("state=all&direction=asc")).toEqual([1, 2, 3, 4]);
  expect(await numbers("state=closed&labels=done")).toEqual([2]);
  expect(await numbers("creator=mallory")).toEqual([4]);
  expect(await numbers("state=all&since=2099-01-01T00:00:00Z")).toEqual([]);
  const page = await lab.ask("you", "GET", "/issues?state=all&per_page=3&page=1");
  expect(page.headers.get("link")).toContain('rel="next"');
});

peopleTest("a label that is not there yet is made, and one that is there is not told again", async (lab) => {
  await lab.ask("you", "POST", "/issues", { title: "Slow" });
  await lab.news();
  await lab.ask("app", "POST", "/issues/1/labels", { labels: ["Ready"] });
  const again = await lab.ask("app", "POST", "/issues/1/labels", { labels: ["ready"] });
  const replaced = await lab.ask("app", "PUT", "/issues/1/labels", { labels: ["held"] });
  const gone = await lab.ask("app", "DELETE", "/issues/1/labels/ready");

  expect(names(again.body)).toEqual(["Ready"]);
  expect(names(replaced.body)).toEqual(["held"]);
  expect(gone.status).toBe(404);
  expect(await lab.heard()).toEqual(["issues.labeled", "issues.unlabeled", "issues.labeled"]);
  expect(names(await lab.get("you", "/labels"))).toEqual(["Ready", "held"]);
  expect((await lab.ask("you", "POST", "/labels", { name: "READY" })).status).toBe(422);
  const [event] = await lab.get("you", "/issues/1/events");
  expect(event).toMatchObject({
    performed_via_github_app: { id: lab.app.id },
    actor: { login: "koryph[bot]" },
  });
});

peopleTest("labels on a pull request are events of the pull request", async (lab) => {
  const number = await lab.openPull();
  await lab.ask("bob", "POST", `/issues/${number}/labels`, { labels: ["held"] });
  const [news] = await lab.news();
  expect(news).toMatchObject({
    event: "pull_request",
    payload: {
      action: "labeled",
      number,
      label: { name: "held" },
      pull_request: { labels: [{ name: "held" }] },
    },
  });
});

peopleTest("who may only read writes and edits their own, and sets no label", async (lab) => {
  const made = await lab.ask("mallory", "POST", "/issues", { title: "Hi", labels: ["ready"] });
  await lab.ask("you", "POST", "/issues", { title: "Mine" });
  expect(made.body.labels).toEqual([]);
  expect((await lab.ask("mallory", "PATCH", "/issues/1", { title: "Hello" })).status).toBe(200);
  expect((await lab.ask("mallory", "PATCH", "/issues/2", { title: "Yours" })).status).toBe(403);
  expect((await lab.ask("mallory", "POST", "/issues/1/labels", { labels: ["ready"] })).status).toBe(403);
  expect((await lab.ask("nobody", "POST", "/issues", { title: "Hi" })).status).toBe(401);
});

peopleTest("sub-issues and blockers know both ends, and go in no circle", async (lab) => {
  const made = [];
  for (const title of ["epic", "part", "other"])
    made.push((await lab.ask("you", "POST", "/issues", { title })).body);
  const [epic, part, other] = ids(made);

  await lab.ask("you", "POST", "/issues/1/sub_issues", { sub_issue_id: part });
  expect((await lab.ask("you", "POST", "/issues/2/sub_issues", { sub_issue_id: epic })).status).toBe(422);
  expect((await lab.ask("you", "POST", "/issues/3/sub_issues", { sub_issue_id: part })).status).toBe(422);
  await lab.ask("you", "POST", "/issues/2/dependencies/blocked_by", { issue_id: other });
  expect((await lab.ask("you", "POST", "/issues/3/dependencies/blocked_by", { issue_id: part })).status).toBe(
    422,
  );

  expect(ids(await lab.get("you", "/issues/1/sub_issues"))).toEqual([part]);
  expect(ids(await lab.get("you", "/issues/2/dependencies/blocked_by"))).toEqual([other]);
  const sight = await lab.get("you", "/issues/2");
  expect(sight.issue_dependencies_summary).toMatchObject({ blocked_by: 1, blocking: 0 });
  expect(sight.parent_issue_url).toMatch(/\/issues\/1$/);
  const told = await lab.get("you", "/issues/2/events");
  expect(told.map(({ event }: { event: string }) => event)).toEqual([
    "parent_issue_added",
    "blocked_by_added",
  ]);

  await lab.ask("you", "DELETE", `/issues/2/dependencies/blocked_by/${other}`);
  await lab.ask("you", "DELETE", "/issues/1/sub_issue", { sub_issue_id: part });
  expect(await lab.get("you", "/issues/2/dependencies/blocked_by")).toEqual([]);
  expect(await lab.get("you", "/issues/1/sub_issues")).toEqual([]);
});

peopleTest("what somebody may is told by role, the older word beside the newer", async (lab) => {
  const { sandbox } = lab;
  sandbox.setRole(lab.repo, "carol", "maintain");
  sandbox.setRole(lab.repo, "dan", "write", "release captain");
  const told = async (login: string) => {
    const { permission, role_name } = await lab.get("app", `/collaborators/${login}/permission`);
    return [permission, role_name];
  };
  const expected = {
    ...{ you: ["admin", "admin"], carol: ["write", "maintain"], alice: ["write", "write"] },
    ...{ bob: ["read", "triage"], mallory: ["read", "read"], dan: ["write", "release captain"] },
  };
  for (const [login, answer] of Object.entries(expected)) expect(await told(login)).toEqual(answer);
  expect((await lab.ask("app", "GET", "/collaborators/stranger/permission")).status).toBe(404);
  expect((await lab.ask("app", "GET", "/collaborators/alice")).status).toBe(204);
  expect((await lab.ask("app", "GET", "/collaborators/mallory")).status).toBe(404);
  const all = await lab.get("you", "/collaborators");
  expect(all.map(({ login }: { login: string }) => login)).toEqual(["you", "alice", "bob", "carol", "dan"]);
  expect((await lab.ask("mallory", "GET", "/collaborators")).status).toBe(403);
});
