import { expect } from "vitest";
import { issueToken } from "../../../src/sandbox/auth/auth.js";
import { type PeopleLab, peopleTest } from "../../support/app/sandbox-people.js";

const annotation = {
  path: "text.md",
  start_line: 2,
  end_line: 2,
  annotation_level: "warning",
  message: "Hm.",
};
const output = { title: "Wave 1", summary: "Two slots." };

async function newRun(lab: PeopleLab, more: object = {}) {
  return lab.ask("app", "POST", "/check-runs", { name: "koryph", head_sha: "agent/x", ...more });
}

peopleTest("a check run goes from queued to completed, and gathers its annotations", async (lab) => {
  const number = await lab.openPull();
  const { body: run } = await newRun(lab, { output: { ...output, annotations: [annotation] } });
  const path = `/check-runs/${run.id}`;
  await lab.ask("app", "PATCH", path, { status: "in_progress" });
  const annotations = Array(50).fill(annotation);
  const ended = await lab.ask("app", "PATCH", path, {
    conclusion: "success",
    output: { ...output, annotations },
  });

  expect(run).toMatchObject({
    status: "queued",
    conclusion: null,
    pull_requests: [{ number }],
    app: { slug: "koryph" },
  });
  expect(ended.body).toMatchObject({
    status: "completed",
    output: { annotations_count: 51, title: "Wave 1" },
  });
  expect(await lab.get("mallory", `${path}/annotations?per_page=100`)).toHaveLength(51);
  const news = await lab.news();
  expect(news.map(({ event, payload }) => `${event}.${payload.action}`)).toEqual([
    ...["check_run.created", "check_run.completed", "check_suite.completed"],
  ]);
  expect(news[0]?.payload.check_run.check_suite).toMatchObject({
    head_branch: "agent/x",
    head_sha: run.head_sha,
  });
});

peopleTest("only the newest run of a name counts, unless all are asked for", async (lab) => {
  await lab.openPull();
  const { body: first } = await newRun(lab, { conclusion: "failure" });
  const { body: second } = await newRun(lab);
  await newRun(lab, { name: "other" });
  const listed = async (query: string) => {
    const { total_count, check_runs } = await lab.get("you", `/commits/agent/x/check-runs?${query}`);
    expect(check_runs).toHaveLength(total_count);
    return check_runs.map(({ id }: { id: number }) => id);
  };
  expect(await listed("check_name=koryph")).toEqual([second.id]);
  expect(await listed("check_name=koryph&filter=all")).toEqual([second.id, first.id]);
  expect(await listed("")).toHaveLength(2);
  expect(second.check_suite.id).toBe(first.check_suite.id);
});

peopleTest("check runs are the app's own: people and other apps cannot write them", async (lab) => {
  await lab.openPull();
  const { body: run } = await newRun(lab);
  const other = await lab.sandbox.addApp({ slug: "other", permissions: { checks: "write" }, events: [] });
  const token = issueToken(lab.sandbox.world, "ghs_", {
    ...{ kind: "installation", login: null, app: other.id, repositories: null, expiresAt: null },
    ...{ installation: lab.sandbox.install(other, [lab.repo]), permissions: { checks: "write" } },
  });
  const update = await fetch(`${lab.sandbox.url}/repos/${lab.repo}/check-runs/${run.id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ status: "in_progress" }),
  });
  expect(update.status).toBe(403);
  expect((await lab.ask("you", "POST", "/check-runs", { name: "x", head_sha: "main" })).status).toBe(403);
});

peopleTest("buttons and reruns are for the app whose check run it is", async (lab) => {
  await lab.openPull();
  const actions = [{ label: "Land", description: "Land it now", identifier: "land" }];
  const { body: run } = await newRun(lab, { actions });
  await lab.news();
  const again = await lab.ask("alice", "POST", `/check-runs/${run.id}/rerequest`);
  expect(again.status).toBe(201);
  expect((await lab.ask("mallory", "POST", `/check-runs/${run.id}/rerequest`)).status).toBe(403);
  const [news] = await lab.news();
  expect(news?.payload).toMatchObject({
    action: "rerequested",
    check_run: { id: run.id },
    sender: { login: "alice" },
  });
});

peopleTest("what GitHub takes no more of, the sandbox takes no more of", async (lab) => {
  await lab.openPull();
  const { body: run } = await newRun(lab);
  const status = async (body: object) =>
    (await lab.ask("app", "PATCH", `/check-runs/${run.id}`, body)).status;
  const action = { label: "Land", description: "Land it now", identifier: "land" };
  // Bytes, though the description of the API speaks of characters.
  expect(await status({ output: { ...output, summary: "é".repeat(32_767) } })).toBe(200);
  expect(await status({ output: { ...output, summary: "é".repeat(32_768) } })).toBe(422);
  expect((await newRun(lab, { head_sha: "f".repeat(40) })).status).toBe(422);
  expect(lab.sandbox.problems).toEqual([]);

  expect(await status({ status: "completed" })).toBe(422);
  expect(await status({ output: { ...output, annotations: Array(51).fill(annotation) } })).toBe(422);
  expect(await status({ actions: Array(4).fill(action) })).toBe(422);
  expect(await status({ actions: [{ ...action, label: "x".repeat(21) }] })).toBe(422);
  // These are against the description itself, so they count as mistakes of the caller's.
  expect(lab.sandbox.problems.splice(0)).toHaveLength(4);
});

peopleTest("statuses come to one answer: the newest of each context", async (lab) => {
  await lab.openPull();
  const { body: pull } = await lab.ask("you", "GET", "/pulls/1");
  const { sha } = pull.head;
  const say = (state: string, context: string) =>
    lab.ask("app", "POST", `/statuses/${sha}`, { state, context });
  const combined = async () => (await lab.get("you", "/commits/agent/x/status")).state;

  expect(await combined()).toBe("pending");
  await say("failure", "ci");
  await say("success", "lint");
  expect(await combined()).toBe("failure");
  await say("pending", "ci");
  expect(await combined()).toBe("pending");
  const last = await say("success", "ci");
  expect(await combined()).toBe("success");
  expect(last).toMatchObject({ status: 201, body: { creator: { login: "koryph[bot]" } } });
  expect(await lab.get("you", `/commits/${sha}/statuses`)).toHaveLength(4);
  const news = await lab.news();
  expect(news).toHaveLength(4);
  expect(news[0]).toMatchObject({
    event: "status",
    payload: { sha, state: "failure", branches: [{ name: "agent/x" }] },
  });
  expect((await lab.ask("bob", "POST", `/statuses/${sha}`, { state: "success" })).status).toBe(403);
});
