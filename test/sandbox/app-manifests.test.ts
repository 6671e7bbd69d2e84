import { createPrivateKey } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/sandbox.js";
import { askPage } from "../support/ask-page.js";

const MANIFEST = {
  name: "Our koryph",
  url: "https://koryph.example.com",
  hook_attributes: { url: "http://127.0.0.1:1/hooks", active: true },
  redirect_url: "http://127.0.0.1:3000/created?from=here",
  public: false,
  default_permissions: { metadata: "read", issues: "write" },
  default_events: ["issue_comment"],
};
const HOUR_MS = 60 * 60 * 1000;

interface Lab {
  readonly sandbox: Sandbox;
  readonly clock: { now: number };
}

async function start(): Promise<Lab> {
  const clock = { now: Date.parse("2026-01-01T00:00:00Z") };
  const sandbox = await startSandbox({ now: () => clock.now });
  onTestFinished(async () => {
    await sandbox.close();
    expect(sandbox.problems).toEqual([]);
  });
  await sandbox.addRepository({ owner: "you", name: "shop" });
  sandbox.setRole("you/shop", "you", "admin");
  sandbox.setRole("you/shop", "mallory", "read");
  sandbox.addUser("acme", "Organization").owners = ["you"];
  return { sandbox, clock };
}

const send = ({ sandbox }: Lab, manifest: object, path = "/settings/apps/new?state=s1") =>
  askPage(sandbox.url + path, {
    form: { manifest: JSON.stringify(manifest) },
    headers: { origin: "http://127.0.0.1:3000" },
  });

const confirm = ({ sandbox }: Lab, more: Readonly<Record<string, string>> = {}) => {
  const form = { manifest: JSON.stringify(MANIFEST), state: "s1", organisation: "", name: "Our koryph" };
  return askPage(`${sandbox.url}/_/apps/new`, { form: { ...form, as: "you", ...more } });
};

const convert = async ({ sandbox }: Lab, code: string) => {
  const answer = await fetch(`${sandbox.url}/app-manifests/${code}/conversions`, { method: "POST" });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const codeOf = (location = "") => new URL(location).searchParams.get("code") ?? "";

test("a manifest becomes an App, and its code becomes keys once", async () => {
  const lab = await start();
  const shown = await send(lab, MANIFEST);
  expect(shown.status).toBe(200);
  expect(shown.text).toContain("issues: write");
  expect(shown.headers["content-security-policy"]).toContain("form-action 'self' http://127.0.0.1:3000;");
  expect(lab.sandbox.state.apps).toEqual([]);

  const { location = "" } = await confirm(lab);
  expect(location).toMatch(/^http:\/\/127\.0\.0\.1:3000\/created\?from=here&code=[\da-f]{40}&state=s1$/);
  const [app] = lab.sandbox.state.apps;
  expect(app).toMatchObject({
    slug: "our-koryph",
    name: "Our koryph",
    owner: "you",
    permissions: { issues: "write" },
  });

  const { status, body } = await convert(lab, codeOf(location));
  expect(status).toBe(201);
  expect(body).toMatchObject({ id: app?.id, slug: "our-koryph", webhook_secret: app?.webhookSecret });
  expect(createPrivateKey(String(body.pem)).asymmetricKeyType).toBe("rsa");
  expect((await convert(lab, codeOf(location))).status).toBe(404);
});

test("a code is good for an hour", async () => {
  const lab = await start();
  const { location } = await confirm(lab);
  lab.clock.now += HOUR_MS;
  expect((await convert(lab, codeOf(location))).status).toBe(404);
});

test("an organisation's App is made by its owners", async () => {
  const lab = await start();
  expect((await send(lab, MANIFEST, "/organizations/acme/settings/apps/new")).text).toContain("for acme");
  expect((await send(lab, MANIFEST, "/organizations/nobody/settings/apps/new")).status).toBe(404);
  expect((await confirm(lab, { organisation: "acme", as: "mallory" })).status).toBe(403);
  await confirm(lab, { organisation: "acme" });
  expect(lab.sandbox.state.apps).toMatchObject([{ owner: "acme" }]);
});

test("two Apps never share a name", async () => {
  const lab = await start();
  await confirm(lab);
  const { status, text } = await confirm(lab);
  expect([status, text]).toEqual([
    422,
    expect.stringContaining("There is an App of the name our-koryph already."),
  ]);
});

test.each<{ name: string; manifest: object; says: string }>([
  { name: "no homepage", manifest: { ...MANIFEST, url: undefined }, says: "url is no address" },
  {
    name: "no way back",
    manifest: { ...MANIFEST, redirect_url: "javascript:1" },
    says: "redirect_url is no address",
  },
  { name: "a field of no meaning", manifest: { ...MANIFEST, hook: 1 }, says: "unknown fields: hook" },
  {
    name: "a permission of no meaning",
    manifest: { ...MANIFEST, default_permissions: { issues: "all" } },
    says: "issues is neither read nor write",
  },
])("a manifest with $name is refused", async ({ manifest, says }) => {
  const { status, text } = await send(await start(), manifest);
  expect([status, text]).toEqual([422, expect.stringContaining(says)]);
});

test("a page of somebody else's can show the form, and not press its button", async () => {
  const { sandbox } = await start();
  const form = { manifest: JSON.stringify(MANIFEST), state: "", organisation: "", name: "x", as: "you" };
  const { status } = await askPage(`${sandbox.url}/_/apps/new`, {
    form,
    headers: { origin: "http://evil.example" },
  });
  expect([status, sandbox.state.apps]).toEqual([403, []]);
});

test("an App has a page, on which administrators install it", async () => {
  const lab = await start();
  await confirm(lab);
  const page = `${lab.sandbox.url}/_/apps/our-koryph`;
  const there = await askPage(`${lab.sandbox.url}/apps/our-koryph/installations/new`, {
    headers: { accept: "text/html" },
  });
  expect(there.location).toBe("/_/apps/our-koryph");
  expect((await askPage(page)).text).toContain("Nothing yet.");
  const press = (as: string) => askPage(page, { form: { do: "install", as, repository: "you/shop" } });
  expect((await press("mallory")).status).toBe(403);
  expect(lab.sandbox.state.apps[0]?.installations).toEqual([]);
  await press("you");
  expect(lab.sandbox.state.apps[0]?.installations).toMatchObject([{ repositories: ["you/shop"] }]);
  expect((await askPage(page)).text).toContain("<p>you/shop</p>");
});
