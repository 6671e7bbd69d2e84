import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { setUpApp } from "../../../src/app/setup/set-up-app.js";
import type { Sandbox } from "../../../src/sandbox/sandbox.js";
import { type Asked, askPage, type Shown } from "../ask-page.js";
import { eventually } from "../eventually.js";
import { tempFolder } from "../temp-folder.js";
import { openSandbox } from "./sandbox-lab.js";

export const FORM = {
  name: "Our koryph",
  owner: "person",
  organisation: "",
  reach: "address",
  address: "http://127.0.0.1:1/",
  channel: "",
};

/** The set-up of an App, with a GitHub of its own. */
export interface SetupLab {
  readonly sandbox: Sandbox;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** What the terminal shows. */
  readonly said: string[];
  /** Where the kept App lies, once there is one. */
  readonly kept: string;
}

export async function setupLab(options: Parameters<typeof openSandbox>[0] = {}): Promise<SetupLab> {
  const sandbox = await openSandbox(options);
  sandbox.addUser("you");
  const home = join(tempFolder(), "home");
  const env = { KORYPH_HOME: home, GITHUB_API_URL: sandbox.url, GITHUB_SERVER_URL: sandbox.url };
  return { sandbox, home, env, said: [], kept: join(home, "app", "github-app") };
}

export interface RunningSetup {
  readonly link: string;
  readonly url: string;
  /** Rejects with what the operator is told. */
  readonly ended: Promise<void>;
}

/** `koryph serve --setup`, up to the link. It ends with the test at the latest. */
export async function beginSetup(
  { env, said }: SetupLab,
  given: { readonly lifeMs?: number; readonly smee?: string } = {},
): Promise<RunningSetup> {
  const { smee, ...more } = given;
  const flags = { port: "0", ...(smee !== undefined && { smee }) };
  const ended = setUpApp({ env, flags, say: (line) => said.push(line), ...more });
  // Whoever waits for it hears of it; a test that does not is not about it.
  ended.catch(() => {});
  const link = await eventually(() => {
    const line = said.find((each) => each.includes("/setup/"));
    if (line === undefined) throw new Error("no link was printed");
    return line.trim();
  });
  let over = false;
  const done = () => {
    over = true;
  };
  ended.then(done, done);
  onTestFinished(async () => {
    if (!over) process.emit("SIGTERM");
    await ended.catch(() => {});
  });
  return { link, url: new URL(link).origin, ended };
}

/** As a browser: it keeps cookies for all ports of a machine, and sends forms from the page it is on. */
export class Visitor {
  readonly url: string;
  /** Where the link led. */
  page = "/setup";
  readonly #jar = new Map<string, string>();

  constructor({ url }: Pick<RunningSetup, "url">) {
    this.url = url;
  }

  /** What is sent along to this path, whatever the port. */
  cookieFor(path: string): string | undefined {
    return [...this.#jar].find(([root]) => path === root || path.startsWith(`${root}/`))?.[1];
  }

  async ask(path: string, { headers = {}, ...asked }: Asked = {}): Promise<Shown> {
    const address = path.startsWith("http") ? path : this.url + path;
    const cookie = this.cookieFor(new URL(address).pathname);
    const own = { ...(cookie !== undefined && { cookie }), ...(asked.form && { origin: this.url }) };
    const shown = await askPage(address, { ...asked, headers: { ...own, ...headers } });
    for (const set of shown.headers["set-cookie"] ?? []) {
      const [, pair = "", root = "/"] = /^([^;]+); Path=([^;]+)/.exec(set) ?? [];
      this.#jar.set(root, pair);
    }
    this.page = shown.location ?? this.page;
    return shown;
  }

  send(form: Readonly<Record<string, string>> = FORM): Promise<Shown> {
    return this.ask(this.page, { form });
  }
}

/** The browser that opened the link. */
export async function visit(setup: RunningSetup): Promise<Visitor> {
  const visitor = new Visitor(setup);
  await visitor.ask(setup.link);
  return visitor;
}

/** Sends the shown page's form to GitHub, and confirms there. Returns the address that GitHub sends the browser to. */
export async function confirmAtGitHub({ sandbox }: SetupLab, { text }: Shown): Promise<string> {
  const target = unescaped(/<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? "");
  const manifest = unescaped(/name="manifest" value="([^"]+)"/.exec(text)?.[1] ?? "");
  const origin = "http://127.0.0.1:1";
  const shown = await askPage(target, { form: { manifest }, headers: { origin } });
  const fields = [...shown.text.matchAll(/<input type="(?:hidden|text)" name="(\w+)" value="([^"]*)"/g)];
  const form = Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, unescaped(value)]));
  const { location = "" } = await askPage(`${sandbox.url}/_/apps/new`, { form: { ...form, as: "you" } });
  return location;
}

/** Files below a folder with their modes, in octal. */
export function modesBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const names = ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })];
  const mode = (name: string) => (lstatSync(join(folder, name)).mode & 0o777).toString(8);
  return Object.fromEntries(names.sort().map((name) => [name || ".", mode(name)]));
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
