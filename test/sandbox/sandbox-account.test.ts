import { expect, test } from "vitest";
import { issueToken } from "../../src/sandbox/auth/auth.js";
import { APP_KEY, openSandbox } from "../support/app/sandbox-lab.js";

const NAME = "you/play";

async function played() {
  const sandbox = await openSandbox();
  await sandbox.addRepository({ owner: "you", name: "play" });
  sandbox.setRole(NAME, "alice", "write");
  const app = await sandbox.addApp({ slug: "koryph", privateKey: APP_KEY, permissions: {}, events: [] });
  const show = async (path: string, as: string) =>
    (await fetch(`${sandbox.url}${path}`, { headers: { cookie: `as=${as}`, accept: "text/html" } })).text();
  const press = (path: string, form: Record<string, string>) =>
    fetch(`${sandbox.url}${path}`, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
  const linked = (login: string) =>
    issueToken(sandbox.world, "ghu_", {
      ...{ kind: "user-to-server", login, app: app.id, installation: null, permissions: {} },
      ...{ repositories: null, expiresAt: null },
    });
  const works = async (token: string) =>
    (await fetch(`${sandbox.url}/user`, { headers: { authorization: `Bearer ${token}` } })).status === 200;
  return { sandbox, app, show, press, linked, works };
}

test("the repository's page shows whoever acts how to clone it with their token, and nobody else's", async () => {
  const { sandbox, show } = await played();
  const tokens = { alice: sandbox.shownTokenFor("alice"), you: sandbox.shownTokenFor("you") };
  const address = sandbox.url.replace("http://", `http://alice:${tokens.alice}@`);
  const page = await show(`/_/${NAME}`, "alice");
  expect(page).toContain(`<code>git clone ${address}/${NAME}.git</code>`);
  expect(page).not.toContain(tokens.you);
});

test("a person whose token is not shown is given the plain address", async () => {
  const { sandbox, show } = await played();
  sandbox.tokenFor("alice");
  expect(await show(`/_/${NAME}`, "alice")).toContain(`<code>git clone ${sandbox.url}/${NAME}.git</code>`);
});

test("an authorised App is shown to its person, who takes it back", async () => {
  const { app, show, press, linked, works } = await played();
  const [alices, hersAgain, yours] = [linked("alice"), linked("alice"), linked("you")];
  const page = await show("/settings/apps/authorizations", "alice");
  expect(page.split(">koryph<")).toHaveLength(2);
  const form = { do: "revoke", as: "alice", app: String(app.id) };
  expect((await press("/_/authorizations", form)).status).toBe(303);
  expect([await works(alices), await works(hersAgain), await works(yours)]).toEqual([false, false, true]);
  expect(await show("/_/authorizations", "alice")).not.toContain(">koryph<");
  const again = await press("/_/authorizations", form);
  expect([again.status, await again.text()]).toEqual([
    404,
    expect.stringContaining("alice has not authorised that App."),
  ]);
});

test("taking an App back leaves a person's own token", async () => {
  const { sandbox, app, press, linked, works } = await played();
  const own = sandbox.shownTokenFor("alice");
  linked("alice");
  await press("/_/authorizations", { do: "revoke", as: "alice", app: String(app.id) });
  expect(await works(own)).toBe(true);
});
