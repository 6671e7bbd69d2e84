import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { KeptAppFiles } from "../../../src/adapters/home/kept-app-files.js";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { openLog } from "../../../src/app/http/server-log.js";
import { readSettings } from "../../../src/app/serve/read-settings.js";
import { startServing } from "../../../src/app/serve/serve-until-stopped.js";
import { setUpApp } from "../../../src/app/setup/set-up-app.js";
import { startApp } from "../../../src/app/start-app.js";
import {
  beginSetup,
  confirmAtGitHub,
  FORM,
  modesBelow,
  type SetupLab,
  setupLab,
  visit,
} from "../../support/app/setup-lab.js";
import { koryphWith } from "../../support/cli/standing-koryph.js";
import { tempFolder } from "../../support/temp-folder.js";

const files = ({ home }: SetupLab) => new KeptAppFiles(new KoryphHome(home));

/** From the link to the code that GitHub sends back. */
async function upToTheCode(lab: SetupLab) {
  const setup = await beginSetup(lab);
  const visitor = await visit(setup);
  const back = await confirmAtGitHub(lab, await visitor.send());
  return { setup, visitor, back };
}

test("an App is made from one page, and koryph serve finds it", async () => {
  const lab = await setupLab();
  const { setup, visitor, back } = await upToTheCode(lab);
  const done = await visitor.ask(back);
  await setup.ended;

  const [app] = lab.sandbox.state.apps;
  expect([done.status, app?.slug]).toEqual([200, "our-koryph"]);
  expect(done.text).toContain(`href="${lab.sandbox.url}/apps/our-koryph/installations/new"`);
  expect(app?.webhookUrl).toBe("http://127.0.0.1:1/api/github/webhooks");
  expect(modesBelow(lab.kept)).toEqual({ ".": "700", "app.json": "600", "private-key.pem": "600" });
  expect(Object.keys(modesBelow(dirname(lab.kept))).filter((name) => name.includes("answer"))).toEqual([]);
  const left = lab.said.slice(
    lab.said.indexOf(`App our-koryph (id ${app?.id}) is set up; its key and secret are in ${lab.kept}`) + 1,
  );
  const shown = `${lab.said.join("\n")}${done.text}`;
  for (const told of [left.join("\n"), done.text]) {
    // The App lies in a home of its own, which a server that is started later has to be told.
    expect(told).toContain(`KORYPH_HOME=${lab.home} koryph serve`);
    expect(told).toContain(`KORYPH_HOME=${lab.home} koryph doctor`);
    expect(told).toContain("KORYPH_SIGNING_KEY_PATH");
    // This GitHub is a sandbox, which may have an App that answers already.
    expect(told).toContain("koryph sandbox --app");
  }
  expect(shown).not.toContain(app?.webhookSecret);
  expect(shown).not.toContain("PRIVATE KEY");
  expect(readFileSync(join(lab.kept, "app.json"), "utf8")).not.toContain("client_secret");

  const settings = readSettings({ KORYPH_HOME: lab.home }, { port: "0" });
  const log = openLog({ level: "warn", format: "json", secrets: [], write: () => {} });
  const serving = await startServing({ settings, log, start: startApp });
  await serving.stop();
  expect(lab.sandbox.requests).toContainEqual(
    expect.objectContaining({ operation: "apps/get-authenticated", status: 200 }),
  );
});

test("the manifest asks for what koryph needs, of whoever is chosen, and leads back here", async () => {
  const lab = await setupLab();
  const setup = await beginSetup(lab, { smee: "https://smee.io/AbC" });
  const visitor = await visit(setup);
  expect((await visitor.ask(visitor.page)).text).toContain('value="https://smee.io/AbC"');
  const form = {
    ...FORM,
    owner: "organisation",
    organisation: "acme",
    reach: "smee",
    channel: "https://smee.io/AbC",
  };
  const { text } = await visitor.send(form);
  expect(text).toMatch(
    new RegExp(`action="${lab.sandbox.url}/organizations/acme/settings/apps/new\\?state=[\\w-]{43}"`),
  );
  const manifest = JSON.parse((/value="(\{[^"]+\})"/.exec(text)?.[1] ?? "").replaceAll("&quot;", '"'));
  expect(manifest).toMatchObject({
    name: "Our koryph",
    public: false,
    hook_attributes: { url: "https://smee.io/AbC", active: true },
    redirect_url: `${setup.url}${visitor.page}/created`,
    default_permissions: { contents: "write" },
  });
});

test("a channel is followed by the koryph serve that comes after", async () => {
  const lab = await setupLab();
  const visitor = await visit(await beginSetup(lab));
  const channel = `${lab.sandbox.url}/channel`;
  await visitor.ask(await confirmAtGitHub(lab, await visitor.send({ ...FORM, reach: "smee", channel })));
  expect(readSettings({ KORYPH_HOME: lab.home }, {}).webhookProxy).toBe(channel);
});

test("what cannot be sent is told where it stands, and is still there", async () => {
  const visitor = await visit(await beginSetup(await setupLab()));
  const { status, text } = await visitor.send({ ...FORM, name: "k".repeat(40), address: '"><script>' });
  expect(status).toBe(422);
  expect(text).toContain("more than 34 characters");
  expect(text).toContain("Give the whole address");
  expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
});

test("a page fetches nothing, and tells no other site where it was", async () => {
  const visitor = await visit(await beginSetup(await setupLab()));
  const { headers, text } = await visitor.ask(visitor.page);
  expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "strict-origin" });
  expect(headers["content-security-policy"]).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action/,
  );
  expect(text).not.toMatch(/<(script|img|link|iframe)\b/);
});

test("with an App configured there is no set-up", async () => {
  const lab = await setupLab();
  const { visitor, setup, back } = await upToTheCode(lab);
  await visitor.ask(back);
  await setup.ended;
  const before = readFileSync(join(lab.kept, "app.json"), "utf8");
  const again = await koryphWith(lab.env, lab.home, "serve", "--setup", "--port", "0");
  expect(again.code).toBe(1);
  expect(again.stderr).toContain(
    `an App is configured already: our-koryph (id ${lab.sandbox.state.apps[0]?.id}) in ${lab.kept}`,
  );
  expect(readFileSync(join(lab.kept, "app.json"), "utf8")).toBe(before);
  const byEnvironment = await koryphWith({ ...lab.env, APP_ID: "7" }, lab.home, "serve", "--setup");
  expect(byEnvironment.stderr).toContain("an App is configured already: the environment sets APP_ID");
});

test("the environment names an App or does not: it is never mixed with the one that is kept", async () => {
  const lab = await setupLab();
  const { visitor, setup, back } = await upToTheCode(lab);
  await visitor.ask(back);
  await setup.ended;
  const env = { KORYPH_HOME: lab.home, APP_ID: "7" };
  expect(() => readSettings(env, {})).toThrow(
    "PRIVATE_KEY (or PRIVATE_KEY_PATH), WEBHOOK_SECRET are not set",
  );
  expect(() =>
    readSettings({ KORYPH_HOME: lab.home, GITHUB_SERVER_URL: "https://ghe.example.com" }, {}),
  ).toThrow(
    `the App in ${lab.kept} is of ${lab.sandbox.url}, and GITHUB_SERVER_URL or GITHUB_API_URL names https://ghe.example.com`,
  );
});

test("a GitHub in trouble is asked again when the page is loaded again", async () => {
  const lab = await setupLab();
  const { setup, visitor, back } = await upToTheCode(lab);
  lab.sandbox.faults.add({ operation: "apps/create-from-manifest", times: 1, kind: { status: 502 } });
  const failed = await visitor.ask(back);
  expect([failed.status, failed.text]).toEqual([502, expect.stringContaining("reload this page in a while")]);
  expect((await visitor.ask(back)).status).toBe(200);
  await setup.ended;
});

test("keys that went astray on their way are told of, and the form is there for another try", async () => {
  const lab = await setupLab();
  const { visitor, back } = await upToTheCode(lab);
  lab.sandbox.faults.add({ operation: "apps/create-from-manifest", times: 1, kind: { applyThen: "cut" } });
  expect((await visitor.ask(back)).status).toBe(502);
  const refused = await visitor.ask(back);
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining(`delete the App at ${lab.sandbox.url}/settings/apps`),
  ]);
  const second = await confirmAtGitHub(lab, await visitor.send({ ...FORM, name: "Another" }));
  expect((await visitor.ask(second)).status).toBe(200);
  expect(files(lab).read()?.slug).toBe("another");
});

test("keys that cannot be written are told of, with what GitHub still has of the App", async () => {
  const lab = await setupLab();
  const { setup, visitor, back } = await upToTheCode(lab);
  mkdirSync(files(lab).answerFile);
  const { status, text } = await visitor.ask(back);
  expect(status).toBe(500);
  expect(text).toContain(`${lab.sandbox.url}/settings/apps/our-koryph generate a private key`);
  await expect(setup.ended).rejects.toThrow("koryph could not keep its keys: EISDIR");
});

test.each<{ name: string; before: (lab: SetupLab) => void }>([
  { name: "after GitHub's answer", before: () => {} },
  {
    name: "while the App's files were written",
    before: ({ kept }) => {
      mkdirSync(`${kept}.new`);
      writeFileSync(join(`${kept}.new`, "app.json"), "{");
    },
  },
])("a set-up that was cut short $name goes on from there", async ({ before }) => {
  const lab = await setupLab();
  const answer = { id: 12, slug: "ours", client_id: "Iv1", html_url: "https://github.com/apps/ours" };
  const secrets = {
    webhook_secret: "a secret",
    pem: "-----BEGIN RSA PRIVATE KEY-----\n",
    client_secret: "x",
  };
  const place = { api_url: "https://api.github.com", server_url: "https://github.com" };
  await files(lab).keepAnswer({
    ...place,
    ...{ organisation: "acme", webhook_proxy: null, answer: { ...answer, ...secrets } },
  });
  before(lab);
  expect(() => readSettings({ KORYPH_HOME: lab.home }, {})).toThrow(
    `GitHub's answer lies in ${lab.kept}.answer.json`,
  );
  await setUpApp({ env: { KORYPH_HOME: lab.home }, flags: {}, say: (line) => lab.said.push(line) });
  expect(lab.said.join("\n")).not.toContain("koryph sandbox");
  expect(lab.said.slice(0, 2)).toEqual([
    `An earlier set-up was cut short after GitHub had answered; its App is now in ${lab.kept}`,
    `App ours (id 12) is set up; its key and secret are in ${lab.kept}`,
  ]);
  expect(modesBelow(dirname(lab.kept))).toEqual({
    ...{ ".": "700", "github-app": "700" },
    ...{ "github-app/app.json": "600", "github-app/private-key.pem": "600" },
  });
});

test("an answer that koryph cannot use is kept whole, and told by its fields", async () => {
  const lab = await setupLab();
  const answer = {
    id: 12,
    slug: "ours",
    client_id: "Iv1",
    html_url: "https://github.com/apps/ours",
    pem: "gone",
  };
  const place = { api_url: "https://api.github.com", server_url: "https://github.com" };
  await files(lab).keepAnswer({ ...place, organisation: null, webhook_proxy: null, answer });
  const setup = setUpApp({ env: { KORYPH_HOME: lab.home }, flags: {}, say: () => {} });
  await expect(setup).rejects.toThrow("its answer has no webhook_secret, pem that koryph can use");
  expect(readFileSync(files(lab).answerFile, "utf8")).toContain('"id":12');
});

test("it ends when nobody goes on with it, and when it is told to", async () => {
  const lab = await setupLab();
  const idle = await beginSetup(lab, { lifeMs: 1 });
  await expect(idle.ended).rejects.toThrow("nobody went on with the set-up for ten minutes");
  lab.said.length = 0;
  const { ended } = await beginSetup(lab);
  process.emit("SIGINT");
  await ended;
  expect(lab.said.at(-1)).toContain("The set-up has ended, and nothing was kept.");
});

test("what is in its way is told before there is a link", async () => {
  const lab = await setupLab();
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as { port: number };
  const refusal = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const { code, stderr } = await koryphWith({ ...lab.env, ...env }, lab.home, "serve", "--setup", ...args);
    return `${code} ${stderr}`;
  };
  mkdirSync(lab.home);
  expect(await refusal({}, "--port", `${port}`)).toContain(
    `1 koryph: another process uses 127.0.0.1 port ${port}`,
  );
  const file = join(tempFolder(), "file");
  writeFileSync(file, "");
  expect(await refusal({ KORYPH_HOME: file })).toContain(`koryph cannot keep its state in ${file}`);
  expect(await refusal({}, "--host", "0.0.0.0")).toContain("2 koryph: --host does not go with --setup");
  const setup = await beginSetup(lab);
  expect(await refusal({}, "--port", "0")).toContain("a server runs on");
  expect(new URL(setup.link).hostname).toBe("127.0.0.1");
});
