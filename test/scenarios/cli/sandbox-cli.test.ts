import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { SAMPLE } from "../../../src/cli/demo/sandbox-sample.js";
import { git } from "../../support/app/sandbox-lab.js";
import { koryph, koryphWith } from "../../support/cli/standing-koryph.js";
import { LONG, longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const SAMPLE_TITLES = [...SAMPLE.issues, SAMPLE.pull].map(({ title }) => title).sort();

/** Variations of stories that the short form tells once. */
interface Told {
  readonly url: string;
  readonly app: string | null;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly people: readonly { readonly login: string; readonly role: string; readonly token: string }[];
  readonly clone: string;
}

interface Running {
  readonly child: ChildProcess;
  /** The lines printed so far. */
  readonly lines: string[];
  line(): Promise<string>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** `koryph sandbox` in a process of its own, on any free port, ended with the test at the latest. */
function start(temp: string, ...args: string[]): Running {
  const child = spawn(process.execPath, [MAIN, "sandbox", "--port", "0", ...args], {
    env: { PATH: process.env.PATH, HOME: temp, TMPDIR: temp, GIT_CONFIG_NOSYSTEM: "1", LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await ended)[0] as number | null;
  };
  onTestFinished(async () => void (await end("SIGKILL")));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { done, value } = await reader.next();
    if (done) throw new Error("koryph sandbox ended before it said anything");
    lines.push(value);
    return value;
  };
  return { child, lines, line, end };
}

async function startJson(temp: string, ...args: string[]): Promise<Running & { readonly told: Told }> {
  const running = start(temp, "--json", ...args);
  return { ...running, told: JSON.parse(await running.line()) as Told };
}

/** One that is to end by itself: waiting for one that does not would wait for ever. */
function startRefused(temp: string, folder: string): { code: number | null; stdout: string; stderr: string } {
  const args = [MAIN, "sandbox", "--port", "0", "--folder", folder];
  const env = { PATH: process.env.PATH, HOME: temp, GIT_CONFIG_NOSYSTEM: "1" };
  const ended = spawnSync(process.execPath, args, { env, encoding: "utf8", timeout: 30_000 });
  return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
}

/** Of all threads: GitHub lists pulls among the issues. */
async function titles(url: string): Promise<string[]> {
  const found = await (await fetch(`${url}/repos/you/playground/issues?state=all`)).json();
  return (found as { title: string }[]).map(({ title }) => title).sort();
}

async function says({ url, people }: Told, who: string, number: number, body: string): Promise<string> {
  const comments = `${url}/repos/you/playground/issues/${number}/comments`;
  const { token = "" } = people.find(({ login }) => login === who) ?? {};
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  await fetch(comments, { method: "POST", headers, body: JSON.stringify({ body }) });
  return comments;
}

/** Says something on the first issue, and waits for the answer. */
async function talk(told: Told, body: string): Promise<void> {
  const comments = await says(told, "alice", 1, body);
  const authors = async () => {
    const said = (await (await fetch(comments)).json()) as { user: { login: string } }[];
    return said.map(({ user }) => user.login);
  };
  await expect.poll(authors, { timeout: 30_000 }).toEqual(["alice", "koryph[bot]"]);
}

test("the sandbox has a sample, takes pushes, has with --app an App that answers, and leaves nothing behind", async () => {
  const temp = tempFolder();
  const { told, end } = await startJson(temp, "--app");
  const { url, folder, env, people } = told;
  expect(told).toMatchObject({ kept: false });
  expect(people.map(({ login, role }) => [login, role])).toEqual(SAMPLE.people);
  expect(Object.keys(env)).toEqual(
    expect.arrayContaining([
      "APP_ID",
      "PRIVATE_KEY_PATH",
      "WEBHOOK_SECRET",
      "GITHUB_API_URL",
      "GITHUB_SERVER_URL",
      "PORT",
    ]),
  );
  for (const file of ["app.env", "app.pem"])
    expect(statSync(join(folder, file)).mode & 0o777, file).toBe(0o600);
  for (const [name, value] of Object.entries(env)) {
    expect(readFileSync(join(folder, "app.env"), "utf8")).toContain(`${name}=${value}\n`);
  }
  expect(readFileSync(env.PRIVATE_KEY_PATH ?? "", "utf8")).toContain("PRIVATE KEY");
  const pulls = (await (await fetch(`${url}/repos/you/playground/pulls`)).json()) as {
    head: { ref: string };
  }[];
  expect(pulls.map(({ head }) => head.ref)).toEqual(["agent/comma"]);
  expect(await titles(url)).toEqual(SAMPLE_TITLES);
  expect(await (await fetch(`${url}/_/you/playground`)).text()).toContain(
    "fix(api): put a comma after hello",
  );
  expect(told.app).toBe(`http://127.0.0.1:${env.PORT}`);
  await talk(told, "/koryph help");
  await expectPushes(temp, told);
  await expectLanding(temp, told);
  expect(await end("SIGINT")).toBe(0);
  expect(readdirSync(temp).filter((name) => name.startsWith("koryph-"))).toEqual([]);
});

longTest("without --json it says the next steps, and that nothing of a temporary sandbox stays", async () => {
  const running = start(tempFolder());
  while (!running.lines.includes("Ctrl-C ends it.")) await running.line();
  const text = running.lines.join("\n");
  expect(text).toMatch(/^A GitHub of your own runs at http:\/\/127\.0\.0\.1:\d+$/m);
  expect(text).toContain(
    "people: you (admin), marge (maintain), alice (write), bob (triage), mallory (read)",
  );
  expect(text).toMatch(/^ {4}\(set -a; \. \S+\/app\.env; koryph serve\)$/m);
  const own =
    /^ {4}GITHUB_API_URL=(\S+) GITHUB_SERVER_URL=(\S+) KORYPH_HOME=\$\(mktemp -d\) koryph serve --setup$/m.exec(
      text,
    );
  expect(text).toContain(`runs at ${own?.[1]}\n`);
  expect(own?.[2]).toBe(own?.[1]);
  expect(text).toMatch(/^ {2}then open http:\S+\/_\/you\/playground\/\d+, a pull request of an agent's,/m);
  expect(text).toMatch(/^ {4}\/koryph land +as you: it lands/m);
  expect(text).toMatch(/^ {4}marge {4}gho_\w+$/m);
  expect(text).toMatch(/^ {4}git clone http:\/\/alice:gho_\w+@127\.0\.0\.1:\d+\/you\/playground\.git$/m);
  expect(text).toMatch(/goes when this ends[\s\S]*--folder <folder> keeps it/);
  const ended = running.end("SIGTERM");
  expect(await running.line()).toMatch(/\/koryph-sandbox-\S+ is gone, with all that was in it$/);
  expect(await ended).toBe(0);
});

/** What a person clones with their token they push, as themselves. */
async function expectPushes(temp: string, told: Told): Promise<void> {
  const clone = join(temp, "clone");
  await git(temp, "clone", "--quiet", told.clone, clone);
  await git(clone, "push", "--quiet", "origin", "HEAD:refs/koryph/try");
  const refs = await git(clone, "ls-remote", "origin", "refs/koryph/try");
  expect(refs.split("\t")[0]).toBe((await git(clone, "rev-parse", "HEAD")).trim());
  const mallory = told.people.find(({ login }) => login === "mallory")?.token ?? "";
  const hers = told.clone.replace(/alice:\w+/, `mallory:${mallory}`);
  await expect(git(clone, "push", hers, "HEAD:refs/koryph/other")).rejects.toThrow(/403/);
}

/** As its page and the terminal say: one person approves, another lands, and the receipt is signed. */
async function expectLanding(temp: string, told: Told): Promise<void> {
  const page = await (await fetch(`${told.url}/_/you/playground/4`)).text();
  expect(page).toContain("<code>/koryph approve</code> as marge, then <code>/koryph land</code> as you;");
  const replies = async (comments: string) => {
    const all = (await (await fetch(comments)).json()) as { user: { login: string }; body: string }[];
    return all.filter(({ user }) => user.login === "koryph[bot]").map(({ body }) => body);
  };
  const comments = await says(told, "marge", 4, "/koryph approve");
  await expect
    .poll(() => replies(comments), { timeout: 30_000 })
    .toContainEqual(expect.stringContaining("is approved by you for landing"));
  await says(told, "you", 4, "/koryph land");
  await expect
    .poll(() => replies(comments), { timeout: 60_000 })
    .toContainEqual(expect.stringContaining("has landed, at"));
  const clone = join(temp, "clone");
  const { code, stdout } = await koryphWith({ KORYPH_HOME: join(temp, "home") }, clone, "verify", "--all");
  expect(stdout).toMatch(/holds: 1 commit of main, 1 receipt/);
  expect(code).toBe(0);
}

longTest("a folder has one sandbox at a time, and a killed one is followed", async () => {
  const temp = tempFolder();
  const folder = join(temp, "kept");
  const first = await startJson(temp, "--folder", folder);
  const before = readFileSync(join(folder, "app.env"), "utf8");
  const second = startRefused(temp, folder);
  expect(second).toMatchObject({ code: 1, stdout: "" });
  expect(second.stderr).toContain(
    `koryph: a sandbox runs on ${folder} already: process ${first.child.pid} on `,
  );
  expect(readFileSync(join(folder, "app.env"), "utf8")).toBe(before);
  await first.end("SIGKILL");
  const { told } = await startJson(temp, "--folder", folder);
  expect(told.people).toEqual(first.told.people);
});

test.each(
  [
    {
      name: "somebody else's files",
      files: { "README.md": "# mine\n", "state.json": "{}" },
      found: "README.md",
    },
    { name: "a repository", files: { ".git": "gitdir: elsewhere\n" }, found: ".git" },
  ].slice(0, LONG ? 2 : 1),
)("a folder with $name is left as it is", ({ files, found }) => {
  const folder = tempFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { code, stderr } = startRefused(tempFolder(), folder);
  expect(stderr).toBe(
    `koryph: ${folder} has other things in it, such as ${found}, and no sandbox\n  next: name a folder that is empty, or not there yet, with --folder\n`,
  );
  expect(code).toBe(1);
  expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort());
});

longTest("a state that was broken is told without a stack, and nothing is changed", async () => {
  const temp = tempFolder();
  const folder = join(temp, "kept");
  await (await startJson(temp, "--folder", folder)).end("SIGTERM");
  writeFileSync(join(folder, "state.json"), "{broken");
  const before = readdirSync(folder).sort();
  const { code, stderr } = startRefused(temp, folder);
  expect(stderr).toMatch(/^koryph: \S+\/state\.json is not what a sandbox wrote: .*\n {2}next: .*\n$/);
  expect(code).toBe(1);
  expect(readdirSync(folder).sort()).toEqual(before);
  expect(readFileSync(join(folder, "state.json"), "utf8")).toBe("{broken");
});

longTest("a folder is gone on with: the same App, the same threads, and nothing twice", async () => {
  const temp = tempFolder();
  const folder = join(temp, "with a space");
  const first = await startJson(temp, "--folder", folder);
  await first.end("SIGTERM");
  const second = await startJson(temp, "--folder", folder, "--app-url", "http://localhost:4000");
  expect(await titles(second.told.url)).toEqual(SAMPLE_TITLES);
  const { GITHUB_API_URL: _, GITHUB_SERVER_URL: __, PORT: ___, ...same } = first.told.env;
  expect(second.told.env).toMatchObject({ ...same, PORT: "4000", GITHUB_API_URL: second.told.url });
  expect(readFileSync(join(folder, "app.env"), "utf8")).toContain(`PRIVATE_KEY_PATH='${folder}/app.pem'\n`);
  await second.end("SIGTERM");
  expect(existsSync(folder)).toBe(true);
});

describe.each(["app.pem", "state.json"])("killed when %s is there", (file) => {
  longTest("a sandbox starts again whole", async () => {
    const temp = tempFolder();
    const folder = join(temp, "kept");
    const running = start(temp, "--folder", folder);
    await expect.poll(() => existsSync(join(folder, file)), { timeout: 30_000, interval: 2 }).toBe(true);
    await running.end("SIGKILL");
    const { told } = await startJson(temp, "--folder", folder);
    expect(await titles(told.url)).toEqual(SAMPLE_TITLES);
    expect(readFileSync(join(folder, "app.pem"), "utf8")).toContain("PRIVATE KEY");
  });
});

test("a port that is taken is told, with another one", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await koryph(tempFolder(), "sandbox", "--port", String(port));
  expect(stderr).toBe(
    `koryph: another process uses port ${port}\n  next: koryph sandbox --port ${port + 1}, or end what listens there\n`,
  );
  expect(code).toBe(1);
});

test.each([
  { args: ["--port", "many"], says: "--port is many, and it must be a whole number from 0 to 65535" },
  {
    args: ["--app-url", "http://example.com:3000"],
    says: "--app-url is http://example.com:3000, and it must be an address of this machine",
  },
  { args: ["--folder", "/dev/null/x"], says: "/dev/null/x cannot be used: ENOTDIR" },
])("$args is refused", async ({ args, says }) => {
  const { code, stderr } = await koryph(tempFolder(), "sandbox", ...args);
  expect(stderr).toContain(`koryph: ${says}`);
  expect(code).toBe(1);
});
