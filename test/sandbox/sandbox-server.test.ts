import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/sandbox.js";
import { addressOf, git, openSandbox } from "../support/app/sandbox-lab.js";
import { tempFolder } from "../support/temp-folder.js";

async function played(options: Parameters<typeof openSandbox>[0] = {}) {
  const sandbox = await openSandbox(options);
  await sandbox.addRepository({ owner: "you", name: "play" });
  const token = sandbox.tokenFor("you");
  const ask = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
    fetch(`${sandbox.url}/repos/you/play${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  // biome-ignore lint/suspicious/noExplicitAny: bodies are read like GitHub's clients read them
  const json = async (answer: Response): Promise<any> => answer.json();
  const titles = () => sandbox.state.repositories[0]?.issues.map(({ title }) => title);
  return { sandbox, ask, json, titles };
}

test("what has not changed is answered with 304, and costs nothing", async () => {
  const { ask } = await played();
  const first = await ask("GET", "");
  const etag = String(first.headers.get("etag"));
  expect(etag).toMatch(/^W\/"/);
  const again = await ask("GET", "", undefined, { "if-none-match": etag });
  expect(again.status).toBe(304);
  expect(again.headers.get("x-ratelimit-remaining")).toBe(first.headers.get("x-ratelimit-remaining"));
  await ask("POST", "/issues", { title: "x" });
  expect((await ask("GET", "", undefined, { "if-none-match": etag })).status).toBe(200);
});

test("requests are counted, and refused when there are none left until the hour is over", async () => {
  let now = Date.now();
  const { sandbox, ask, json } = await played({ now: () => now });
  sandbox.world.quota.perHour = 2;
  expect((await ask("GET", "")).headers.get("x-ratelimit-remaining")).toBe("1");
  await ask("GET", "");
  const refused = await ask("GET", "");
  expect(refused.status).toBe(403);
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  expect((await json(refused)).message).toMatch(/rate limit exceeded/);
  now += 3600_001;
  expect((await ask("GET", "")).status).toBe(200);
});

test("lists come in pages that link to one another", async () => {
  const { ask, json } = await played();
  for (const title of ["one", "two", "three"]) await ask("POST", "/issues", { title });
  const page = await ask("GET", "/issues?per_page=1&page=2");
  expect((await json(page)).map(({ title }: { title: string }) => title)).toEqual(["two"]);
  const rels = [...String(page.headers.get("link")).matchAll(/page=(\d+)>; rel="(\w+)"/g)].map((each) => [
    ...each.slice(1),
  ]);
  expect(rels).toEqual([
    ["1", "prev"],
    ["1", "first"],
    ["3", "next"],
    ["3", "last"],
  ]);
});

test("a request that GitHub's description does not know is refused and remembered", async () => {
  const { sandbox, ask, titles } = await played({ problems: "expected" });
  expect((await ask("POST", "/issues", { title: [], extra: true })).status).toBe(422);
  expect((await ask("GET", "/issues?colour=red")).status).toBe(422);
  expect((await ask("GET", "/nonsense")).status).toBe(404);
  expect(titles()).toEqual([]);
  expect(sandbox.problems).toEqual([
    expect.stringMatching(
      /^a request of issues\/create does not fit: .*body\.title.*body\.extra is not known/,
    ),
    expect.stringMatching(/query\.colour is not known/),
    expect.stringMatching(/GET \/repos\/you\/play\/nonsense is not an operation/),
  ]);
});

test("a request that is no JSON is a bad request", async () => {
  const { sandbox } = await played();
  const headers = { authorization: `Bearer ${sandbox.tokenFor("you")}` };
  const answer = await fetch(`${sandbox.url}/repos/you/play/issues`, { method: "POST", headers, body: "{" });
  expect(answer.status).toBe(400);
});

test("an operation can fail so many times, with what GitHub says then", async () => {
  const { sandbox, ask, json, titles } = await played();
  const kind = { status: 403, secondary: true, retryAfterSeconds: 7 };
  sandbox.faults.add({ operation: "issues/create", times: 2, kind });
  for (const _ of [1, 2]) {
    const answer = await ask("POST", "/issues", { title: "x" });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([403, "7"]);
    expect((await json(answer)).message).toMatch(/secondary rate limit/);
  }
  expect((await ask("GET", "/issues")).status).toBe(200);
  expect((await ask("POST", "/issues", { title: "x" })).status).toBe(201);
  expect(titles()).toEqual(["x"]);
});

test("a write can succeed and answer 502, or nothing at all; reads are not met by that", async () => {
  const { sandbox, ask, titles } = await played();
  sandbox.faults.add({ operation: "*", times: 1, kind: { applyThen: 502 } });
  expect((await ask("GET", "/issues")).status).toBe(200);
  expect((await ask("POST", "/issues", { title: "a" })).status).toBe(502);
  sandbox.faults.add({ operation: "issues/create", times: 1, kind: { applyThen: "cut" } });
  await expect(ask("POST", "/issues", { title: "b" })).rejects.toThrow();
  sandbox.faults.add({ operation: "issues/create", times: 1, kind: { cut: true } });
  await expect(ask("POST", "/issues", { title: "c" })).rejects.toThrow();
  expect(titles()).toEqual(["a", "b"]);
});

test("an answer can be late", async () => {
  const { sandbox, ask } = await played();
  sandbox.faults.add({ operation: "repos/get", times: 1, kind: { delayMs: 150 } });
  let answered = false;
  const late = ask("GET", "").then(() => {
    answered = true;
  });
  await ask("GET", "/issues");
  expect(answered).toBe(false);
  await late;
});

test("GraphQL fails like the rest", async () => {
  const { sandbox, json } = await played();
  sandbox.faults.add({ operation: "graphql", times: 1, kind: { status: 502 } });
  const ask = () =>
    fetch(`${sandbox.url}/graphql`, {
      method: "POST",
      headers: { authorization: `bearer ${sandbox.tokenFor("you")}` },
      body: JSON.stringify({ query: '{ repository(owner: "you", name: "play") { id } }' }),
    });
  expect((await ask()).status).toBe(502);
  expect((await json(await ask())).data.repository.id).toEqual(expect.any(String));
});

test("another process adds faults over HTTP", async () => {
  const { sandbox } = await played();
  const fault = { operation: "repos/get", times: 2, kind: { status: 500 } };
  const post = (body: unknown) =>
    fetch(`${sandbox.url}/_/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect(await (await post(fault)).json()).toEqual([fault]);
  expect((await post({ nonsense: true })).status).toBe(422);
  expect(sandbox.faults.list()).toEqual([fault]);
});

test("with a folder of its own, everything is there again after a restart", async () => {
  const folder = join(tempFolder(), "github");
  const first = await startSandbox({ folder });
  await first.addRepository({ owner: "you", name: "play", files: { "a.txt": "kept\n" } });
  const token = first.tokenFor("you");
  const { port } = new URL(first.url);
  await first.close();
  const second = await openSandbox({ folder, port: Number(port) });
  expect(second.url).toBe(first.url);
  const headers = { authorization: `Bearer ${token}`, accept: "application/vnd.github.raw+json" };
  const answer = await fetch(`${second.url}/repos/you/play/contents/a.txt`, { headers });
  expect(await answer.text()).toBe("kept\n");
});

test("a person's token for the page is the same after a restart, on another port too", async () => {
  const folder = join(tempFolder(), "github");
  const first = await startSandbox({ folder });
  await first.addRepository({ owner: "you", name: "play" });
  const token = first.shownTokenFor("alice");
  expect(first.shownTokenFor("alice")).toBe(token);
  expect(first.shownTokenFor("you")).not.toBe(token);
  await first.close();
  const second = await openSandbox({ folder });
  expect(second.shownTokenFor("alice")).toBe(token);
  second.setRole("you/play", "alice", "write");
  const clone = join(tempFolder(), "clone");
  await git("/", "clone", "--quiet", addressOf(second, "you/play", token), clone);
  const path = String(second.state.repositories[0]?.gitDir);
  await expect(git(clone, "push", path, "HEAD:new")).rejects.toThrow(`push to ${second.url}/you/play.git`);
  await git(clone, "push", "--quiet", "origin", "HEAD:new");
});

test.each([
  { name: "cut off", text: "{broken" },
  { name: "something else", text: '{"version":4,"resources":[]}' },
  { name: "no object", text: "null" },
])("a state that is $name is told, and left as it is", async ({ text }) => {
  const folder = tempFolder();
  const path = join(folder, "state.json");
  await writeFile(path, text);
  await expect(startSandbox({ folder })).rejects.toMatchObject({
    name: "UserError",
    message: expect.stringContaining(`${path} is not what a sandbox wrote`),
  });
  expect(await readdir(folder)).toEqual(["state.json"]);
  expect(await readFile(path, "utf8")).toBe(text);
});

test("the root of the address leads to the page, also without a browser", async () => {
  const { sandbox } = await played();
  const answer = await fetch(`${sandbox.url}/`, { headers: { accept: "*/*" }, redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/_/"]);
});

test("a port that is taken is an error of the caller's", async () => {
  const { sandbox } = await played();
  await expect(startSandbox({ port: Number(new URL(sandbox.url).port) })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});
