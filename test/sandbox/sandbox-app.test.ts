import { createPrivateKey, sign } from "node:crypto";
import { expect, test } from "vitest";
import { APP_KEY, octokitOf, openSandbox } from "../support/app/sandbox-lab.js";

const PERMISSIONS = { contents: "write", issues: "write", metadata: "read" } as const;

async function installed(options: Parameters<typeof openSandbox>[0] = {}) {
  const sandbox = await openSandbox(options);
  await sandbox.addRepository({ owner: "you", name: "play" });
  await sandbox.addRepository({ owner: "you", name: "hidden", private: true });
  await sandbox.addRepository({ owner: "you", name: "elsewhere", private: true });
  const app = await sandbox.addApp({
    slug: "koryph",
    privateKey: APP_KEY,
    permissions: PERMISSIONS,
    events: ["issues"],
  });
  const installation = sandbox.install(app, ["you/play", "you/hidden"]);
  return { sandbox, app, installation };
}

test("an app finds its installations, and works in them with a token it asks for", async () => {
  const { sandbox, app, installation } = await installed();
  const asApp = await octokitOf(sandbox, app);
  expect((await asApp.rest.apps.getAuthenticated()).data).toMatchObject({ id: app.id, slug: "koryph" });
  expect((await asApp.rest.apps.listInstallations()).data).toMatchObject([
    { id: installation, app_id: app.id },
  ]);
  expect(
    (await asApp.rest.apps.getInstallation({ installation_id: installation })).data.account,
  ).toMatchObject({
    login: "you",
  });
  const found = await asApp.rest.apps.getRepoInstallation({ owner: "you", repo: "play" });
  expect(found.data.id).toBe(installation);

  const octokit = await octokitOf(sandbox, app, installation);
  const reached = await octokit.rest.apps.listReposAccessibleToInstallation();
  expect(reached.data.repositories.map(({ name }) => name)).toEqual(["play", "hidden"]);
  expect((await octokit.rest.repos.get({ owner: "you", repo: "hidden" })).data.private).toBe(true);
  const { data } = await octokit.rest.issues.create({ owner: "you", repo: "play", title: "Hello" });
  expect(data.user).toMatchObject({ login: "koryph[bot]", type: "Bot" });
});

test("a token can be narrowed, and then does less; it can be taken back", async () => {
  const { sandbox, app, installation } = await installed();
  const asApp = await octokitOf(sandbox, app);
  const { data } = await asApp.rest.apps.createInstallationAccessToken({
    installation_id: installation,
    repositories: ["play"],
    permissions: { issues: "read" },
  });
  expect(data).toMatchObject({ permissions: { issues: "read", metadata: "read" } });
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${sandbox.url}${path}`, {
      method,
      headers: { authorization: `token ${data.token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return {
      status: answer.status,
      message: ((await answer.json()) as { message?: string }).message,
    };
  };
  expect((await ask("GET", "/repos/you/play/issues")).status).toBe(200);
  expect(await ask("POST", "/repos/you/play/issues", { title: "x" })).toEqual({
    status: 403,
    message: "Resource not accessible by integration",
  });
  expect(await ask("GET", "/repos/you/hidden")).toEqual({ status: 404, message: "Not Found" });
});

test("a token cannot be widened", async () => {
  const { sandbox, app, installation } = await installed();
  const asApp = await octokitOf(sandbox, app);
  const beyond = [{ permissions: { checks: "write" as const } }, { repositories: ["elsewhere"] }];
  for (const wanted of beyond) {
    const asked = asApp.rest.apps.createInstallationAccessToken({ installation_id: installation, ...wanted });
    await expect(asked).rejects.toMatchObject({ status: 422 });
  }
});

test("an installation's token ends after an hour", async () => {
  let now = Date.now();
  const { sandbox, app, installation } = await installed({ now: () => now });
  const asApp = await octokitOf(sandbox, app);
  const { data } = await asApp.rest.apps.createInstallationAccessToken({ installation_id: installation });
  const ask = () =>
    fetch(`${sandbox.url}/installation/repositories`, { headers: { authorization: `Bearer ${data.token}` } });
  now += 59 * 60_000;
  expect((await ask()).status).toBe(200);
  now += 60_000;
  expect((await ask()).status).toBe(401);
});

test("a client whose clock is off corrects it by the sandbox's", async () => {
  const { sandbox, app } = await installed({ now: () => Date.now() + 7 * 3600_000 });
  const asApp = await octokitOf(sandbox, app);
  expect((await asApp.rest.apps.getAuthenticated()).data?.id).toBe(app.id);
});

test("a JSON Web Token counts when its app signed it, and for ten minutes at most", async () => {
  const sandbox = await openSandbox();
  const app = await sandbox.addApp({ slug: "koryph", privateKey: APP_KEY, permissions: {}, events: [] });
  const other = await sandbox.addApp({ slug: "other", permissions: {}, events: [] });
  const seconds = Math.floor(Date.now() / 1000);
  const good = { iss: app.id as number | string, iat: seconds - 30, exp: seconds + 300 };
  const ask = async (claims: typeof good, key = app.privateKey) => {
    const text = [{ alg: "RS256", typ: "JWT" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const signature = sign("RSA-SHA256", Buffer.from(text), createPrivateKey(key)).toString("base64url");
    const headers = { authorization: `Bearer ${text}.${signature}` };
    return (await fetch(`${sandbox.url}/app`, { headers })).status;
  };
  expect(await ask(good)).toBe(200);
  expect(await ask({ ...good, iss: app.clientId })).toBe(200);
  expect(await ask(good, other.privateKey)).toBe(401);
  expect(await ask({ ...good, exp: seconds - 1 })).toBe(401);
  expect(await ask({ ...good, exp: seconds + 700 })).toBe(401);
  expect(await ask({ ...good, iss: 1 })).toBe(404);
});

test("a suspended installation gets no token, and its tokens stop working", async () => {
  const { sandbox, app, installation } = await installed();
  const asApp = await octokitOf(sandbox, app);
  const { data } = await asApp.rest.apps.createInstallationAccessToken({ installation_id: installation });
  for (const each of sandbox.state.apps.flatMap(({ installations }) => installations)) each.suspended = true;
  const asked = asApp.rest.apps.createInstallationAccessToken({ installation_id: installation });
  await expect(asked).rejects.toMatchObject({ status: 403 });
  const answer = await fetch(`${sandbox.url}/repos/you/play`, {
    headers: { authorization: `token ${data.token}` },
  });
  expect(answer.status).toBe(403);
});

test("what is private is there only for those who may see it", async () => {
  const sandbox = await openSandbox();
  await sandbox.addRepository({ owner: "you", name: "play" });
  await sandbox.addRepository({ owner: "you", name: "hidden", private: true });
  const ask = async (who: string | null, path: string, method = "GET") => {
    const headers = who === null ? {} : { authorization: `Bearer ${sandbox.tokenFor(who)}` };
    return (await fetch(`${sandbox.url}${path}`, { method, headers })).status;
  };
  expect(await ask(null, "/repos/you/play")).toBe(200);
  expect(await ask(null, "/repos/you/hidden")).toBe(404);
  expect(await ask(null, "/user")).toBe(401);
  expect(await ask("mallory", "/repos/you/hidden")).toBe(404);
  expect(await ask("mallory", "/user")).toBe(200);
  expect(await ask("mallory", "/repos/you/play/git/refs/heads/main", "DELETE")).toBe(403);
  expect(await ask("you", "/repos/you/hidden")).toBe(200);
  expect(await ask("you", "/app")).toBe(401);
  expect(await ask("you", "/users/nobody")).toBe(404);
  expect(await ask("you", "/users/mallory")).toBe(200);
  expect(await ask("you", "/api/v3/repos/you/play")).toBe(200);
});
