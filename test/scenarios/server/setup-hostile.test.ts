import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import {
  beginSetup,
  confirmAtGitHub,
  FORM,
  modesBelow,
  type RunningSetup,
  setupLab,
  Visitor,
  visit,
} from "../../support/app/setup-lab.js";

/** The set-up as the person at it has it, and everything else on the machine and the network. */
async function attack() {
  const lab = await setupLab();
  const setup = await beginSetup(lab);
  const visitor = await visit(setup);
  return { lab, setup, visitor, stranger: new Visitor(setup) };
}

test("the link is good once, for one browser", async () => {
  const { setup, visitor, stranger } = await attack();
  expect((await stranger.ask(setup.link)).status).toBe(403);
  expect(stranger.cookieFor(visitor.page)).toBeUndefined();
  const again = await visitor.ask(setup.link);
  expect([again.status, again.location]).toEqual([303, visitor.page]);
});

test("no other server of the machine is sent its cookie: browsers do not tell ports apart", async () => {
  const { setup, visitor } = await attack();
  expect(visitor.cookieFor(visitor.page)).toMatch(/^koryph_setup=[\w-]{43}$/);
  for (const guess of ["/", "/setup", "/setup/", "/setup/created"])
    expect(visitor.cookieFor(guess)).toBeUndefined();
  expect(visitor.page).toMatch(/^\/setup\/[\w-]{43}$/);
  expect(visitor.cookieFor(new URL(setup.link).pathname)).not.toBe(visitor.cookieFor(visitor.page));
});

test("asking what is there does not use the link up", async () => {
  const lab = await setupLab();
  const setup = await beginSetup(lab);
  const stranger = new Visitor(setup);
  expect((await stranger.ask(setup.link, { method: "HEAD" })).status).toBe(403);
  expect((await stranger.ask(`${setup.link}x`)).status).toBe(403);
  expect((await stranger.ask(setup.link)).status).toBe(303);
});

test.each<{
  name: string;
  ask: (given: { visitor: Visitor; stranger: Visitor; setup: RunningSetup }) => Promise<{ status: number }>;
  status: number;
}>([
  {
    name: "the form without a cookie",
    ask: ({ stranger, visitor }) => stranger.ask(visitor.page),
    status: 403,
  },
  {
    name: "sending it without a cookie",
    ask: ({ stranger, visitor }) => stranger.ask(visitor.page, { form: FORM }),
    status: 403,
  },
  {
    name: "the cookie of the link",
    ask: ({ stranger, visitor, setup }) =>
      stranger.ask(visitor.page, {
        headers: { cookie: visitor.cookieFor(new URL(setup.link).pathname) ?? "" },
      }),
    status: 403,
  },
  {
    name: "a cookie of the same name",
    ask: ({ stranger, visitor }) => stranger.ask(visitor.page, { headers: { cookie: "koryph_setup=" } }),
    status: 403,
  },
  {
    name: "a name of somebody else's that leads here",
    ask: ({ visitor }) => visitor.ask(visitor.page, { headers: { host: "evil.example" } }),
    status: 403,
  },
  {
    name: "the machine's other name",
    ask: ({ visitor }) =>
      visitor.ask(visitor.page, {
        headers: { host: new URL(visitor.url).host.replace("127.0.0.1", "localhost") },
      }),
    status: 403,
  },
  {
    name: "the link by such a name",
    ask: ({ stranger, setup }) => stranger.ask(setup.link, { headers: { host: "evil.example" } }),
    status: 403,
  },
  {
    name: "a form from another page",
    ask: ({ visitor }) =>
      visitor.ask(visitor.page, { form: FORM, headers: { origin: "http://evil.example" } }),
    status: 403,
  },
  {
    name: "a form from another port of this machine",
    ask: ({ visitor }) =>
      visitor.ask(visitor.page, { form: FORM, headers: { origin: "http://127.0.0.1:1" } }),
    status: 403,
  },
  {
    name: "a form from nowhere",
    ask: ({ visitor }) => visitor.ask(visitor.page, { form: FORM, headers: { origin: "null" } }),
    status: 403,
  },
  {
    name: "a form that is too large",
    ask: ({ visitor }) => visitor.send({ ...FORM, name: "k".repeat(100_000) }),
    status: 413,
  },
  {
    name: "another page",
    ask: ({ visitor }) => visitor.ask(`${visitor.page}/metrics`),
    status: 404,
  },
  {
    name: "another method",
    ask: ({ visitor }) => visitor.ask(visitor.page, { method: "DELETE" }),
    status: 404,
  },
  { name: "an address of dots", ask: ({ stranger }) => stranger.ask("/setup/../setup/x"), status: 403 },
])("$name is refused", async ({ ask, status }) => {
  const { lab, ...who } = await attack();
  expect((await ask(who)).status).toBe(status);
  expect(modesBelow(lab.kept)).toEqual({});
});

test.each<{ name: string; back: (real: URL) => string }>([
  { name: "no state", back: (real) => `${real.pathname}?code=${real.searchParams.get("code")}` },
  { name: "another state", back: (real) => `${real.pathname}?code=${real.searchParams.get("code")}&state=x` },
  { name: "no code", back: (real) => `${real.pathname}?state=${real.searchParams.get("state")}` },
  {
    name: "a code that is a path",
    back: (real) => `${real.pathname}?code=..%2Fapp&state=${real.searchParams.get("state")}`,
  },
])("a way back with $name brings nothing, and takes nothing from the real one", async ({ back }) => {
  const { lab, setup, visitor } = await attack();
  const real = new URL(await confirmAtGitHub(lab, await visitor.send()));
  expect((await visitor.ask(back(real))).status).toBe(403);
  expect(lab.sandbox.requests.filter(({ operation }) => operation === "apps/create-from-manifest")).toEqual(
    [],
  );
  expect((await visitor.ask(real.href)).status).toBe(200);
  await setup.ended;
});

test("the way back is for the browser that went", async () => {
  const { lab, stranger, visitor } = await attack();
  const back = await confirmAtGitHub(lab, await visitor.send());
  expect((await stranger.ask(back)).status).toBe(403);
  expect((await visitor.ask(back)).status).toBe(200);
});

test("a state brings one code: somebody else's App cannot be put in its place", async () => {
  const { lab, visitor } = await attack();
  const back = new URL(await confirmAtGitHub(lab, await visitor.send()));
  lab.sandbox.faults.add({ operation: "apps/create-from-manifest", times: 1, kind: { status: 503 } });
  expect((await visitor.ask(back.href)).status).toBe(502);
  const other = new URL(back);
  other.searchParams.set("code", "0123456789abcdef");
  expect((await visitor.ask(other.href)).status).toBe(403);
  expect((await visitor.ask(back.href)).status).toBe(200);
});

test("a code is exchanged once, however often it comes at the same time", async () => {
  const { lab, setup, visitor } = await attack();
  const back = await confirmAtGitHub(lab, await visitor.send());
  const answers = await Promise.all([1, 2, 3].map(() => visitor.ask(back)));
  await setup.ended;
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const asked = lab.sandbox.requests.filter(({ operation }) => operation === "apps/create-from-manifest");
  expect(asked).toHaveLength(1);
});

test("no page says the link, the cookie or a key", async () => {
  const { lab, setup, visitor } = await attack();
  const sent = await visitor.send();
  const pages = [await visitor.ask(visitor.page), sent, await visitor.ask(await confirmAtGitHub(lab, sent))];
  await setup.ended;
  const secret = visitor.cookieFor(visitor.page)?.split("=")[1] ?? "";
  expect(secret).toHaveLength(43);
  for (const { text } of pages) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(setup.link.split("/").at(-1));
    expect(text).not.toContain(lab.sandbox.state.apps[0]?.webhookSecret);
  }
});

const others = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
const other = others.find(({ family, internal }) => family === "IPv4" && !internal)?.address;

test.skipIf(other === undefined)("other machines do not reach it", async () => {
  const { setup } = await attack();
  const { port } = new URL(setup.url);
  await expect(fetch(`http://${other}:${port}/setup`)).rejects.toThrow("fetch failed");
});
