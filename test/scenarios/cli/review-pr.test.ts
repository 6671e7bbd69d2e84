import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import type { Sandbox } from "../../../src/sandbox/sandbox.js";
import { addressOf, git, openSandbox } from "../../support/app/sandbox-lab.js";
import { baseProject } from "../../support/cli/project.js";
import { koryphWith } from "../../support/cli/standing-koryph.js";
import { pathWithoutBubblewrap } from "../../support/contained.js";
import { eventually } from "../../support/eventually.js";
import { longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

// Several processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 120_000 });

const REPO = "you/shop";
const CODE = Array.from({ length: 20 }, (_, n) => `line ${n + 1}\n`).join("");

interface Finding {
  readonly file: string;
  readonly line: number | null;
  readonly summary: string;
  readonly severity?: string;
}

/** A project of `you` on a loopback GitHub, and a reviewer that answers with what a file holds. */
async function reviewLab(files: Readonly<Record<string, string>> = {}) {
  const sandbox = await openSandbox();
  const home = tempFolder();
  const reviewer = join(home, "reviewer.sh");
  const notes = (name: string) => join(home, name);
  writeFileSync(
    reviewer,
    `#!/bin/sh\ncat >'${notes("prompt")}'\npwd >'${notes("cwd")}'\nls -A >'${notes("files")}'\ncat CLAUDE.md link >'${notes("read")}' 2>&1\nenv >'${notes("env")}'\nif [ -e '${notes("slow")}' ]; then echo begun >'${notes("begun")}'; exec sleep 600; fi\ncat '${notes("answer")}'\n`,
  );
  chmodSync(reviewer, 0o755);
  const config = {
    ...baseProject,
    default_runtime: "mine",
    containment: "off",
    runtimes: { mine: { command: [reviewer] } },
  };
  await sandbox.addRepository({
    ...{ owner: "you", name: "shop" },
    files: { "koryph.project.json": JSON.stringify(config), "src/a.txt": CODE, ...files },
  });
  const root = tempFolder();
  await git(root, "clone", "--quiet", addressOf(sandbox, REPO, sandbox.tokenFor("you")), "shop");
  const koryph = (...args: string[]) => koryphAs("you", ...args);
  const variablesOf = (who: string) => ({
    ...{ HOME: home, KORYPH_HOME: join(home, "k"), GITHUB_TOKEN: sandbox.tokenFor(who) },
    ...{ GITHUB_SERVER_URL: sandbox.url, GITHUB_API_URL: sandbox.url },
  });
  const koryphAs = (who: string, ...args: string[]) =>
    koryphWith(variablesOf(who), join(root, "shop"), ...args);
  const koryphWithout = (...args: string[]) =>
    koryphWith({ ...variablesOf("you"), PATH: pathWithoutBubblewrap() }, join(root, "shop"), ...args);
  return {
    ...{ sandbox, koryph, koryphAs, koryphWithout },
    start: (...args: string[]) => startKoryph(join(root, "shop"), variablesOf("you"), ...args),
    answer: (findings: readonly Finding[], blocking = false) => {
      const all = findings.map((finding) => ({ severity: "major", ...finding }));
      writeFileSync(notes("answer"), `${JSON.stringify({ blocking, criteria: [], findings: all })}\n`);
    },
    say: (text: string) => writeFileSync(notes("answer"), text),
    noted: (name: string) => readFileSync(notes(name), "utf8"),
    has: (name: string) => existsSync(notes(name)),
    configure: (more: object) =>
      writeFileSync(join(root, "shop", "koryph.project.json"), JSON.stringify({ ...config, ...more })),
    mark: (name: string) => writeFileSync(notes(name), ""),
    // biome-ignore lint/suspicious/noExplicitAny: answers are read like GitHub's clients read them
    get: async (path: string): Promise<any> => {
      const token = sandbox.tokenFor("you");
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${sandbox.url}/repos/${REPO}${path}`, { headers })).json();
    },
  };
}

/** A process of its own, since it is the one that is interrupted. */
function startKoryph(folder: string, env: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const main = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => {
      said += piece;
    });
  const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, said })),
  );
  return { interrupt: () => child.kill("SIGINT"), ended };
}

async function openPull(sandbox: Sandbox, files: Readonly<Record<string, string>>, head = "feature") {
  await sandbox.commit(REPO, head, files, { author: "alice", message: "Change" });
  return (await sandbox.openPull(REPO, { author: "alice", head, title: "Change it", body: "Trust me." }))
    .number;
}

test("a pull request is analysed, commented, mended and analysed again without repeating anything", async () => {
  const lab = await reviewLab({ "CLAUDE.md": "notes of the base\n" });
  const { sandbox, koryph } = lab;
  const pull = await openPull(sandbox, {
    "src/a.txt": CODE.replace("line 5\n", "five\n"),
    "CLAUDE.md": "orders of a stranger\n",
    "src/b.txt": "new\n",
  });
  const wrong = { file: "src/a.txt", line: 5, summary: "Five is not a line. @you fixes #1 <!-- x -->" };
  const far = { file: "src/a.txt", line: 19, summary: "Far from the change." };
  const other = { file: "src/b.txt", line: 1, summary: "Says nothing." };
  lab.answer([wrong, far, other], true);

  const looked = await koryph("review-pr", `${pull}`, "--json");
  expect(looked, looked.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(looked.stdout)).toMatchObject({ pull, verdict: "blocking", findings: [{}, {}, {}] });
  expect(await lab.get(`/pulls/${pull}/reviews`)).toEqual([]);
  // The reviewer works in a checkout of the head, with the base branch's notes and no token.
  expect(lab.noted("read")).toContain("notes of the base");
  expect(lab.noted("prompt")).not.toContain("GITHUB_TOKEN");
  expect(lab.noted("prompt")).toContain("+five");
  expect(lab.noted("env")).not.toMatch(/GITHUB_TOKEN|gh[ps]_/);
  expect(existsSync(lab.noted("cwd").trim())).toBe(false);

  const posted = await koryph("review-pr", `${pull}`, "--resume", "--comment");
  expect(posted, posted.stderr).toMatchObject({ code: 0 });
  expect(posted.stdout).toContain("posted: ");
  expect(posted.stdout).toContain("no check run");
  const comments = await lab.get(`/pulls/${pull}/comments`);
  expect(comments.map(({ path, line }: never) => `${path}:${line}`)).toEqual(["src/a.txt:5", "src/b.txt:1"]);
  expect(comments[0].body).not.toMatch(/@you|fixes #1|<!-- x/);
  const [review] = await lab.get(`/pulls/${pull}/reviews`);
  expect(review).toMatchObject({ state: "COMMENTED" });
  expect(review.body).toContain("Far from the change");

  // The same again says nothing; after a fix, what is mended is resolved and only what is new is said.
  expect((await koryph("review-pr", `${pull}`, "--comment")).stdout).toContain("nothing new to post");
  expect(lab.noted("prompt")).toContain("[major] src/b.txt:1: Says nothing.");
  await sandbox.commit(REPO, "feature", { "src/a.txt": `zero\n${CODE}` }, { author: "alice" });
  const stale = await koryph("review-pr", `${pull}`, "--resume");
  expect(stale.stdout).toContain("has moved on");
  expect(await koryph("review-pr", `${pull}`, "--resume", "--comment")).toMatchObject({ code: 1 });
  lab.answer([
    { ...far, line: 20 },
    other,
    { file: "src/a.txt", line: 1, summary: "Zero is no line either." },
  ]);
  const again = await koryph("review-pr", `${pull}`, "--comment");
  expect(again, again.stderr).toMatchObject({ code: 0 });
  expect(again.stdout).toContain("1 mended finding resolved");
  expect(await lab.get(`/pulls/${pull}/comments`)).toHaveLength(3);
  expect((await lab.get(`/pulls/${pull}/reviews`)).at(-1).body).not.toContain("Far from the change");

  const log = await koryph("log", "--json");
  expect(log.stdout.match(/"pull\.analysed"/g)).toHaveLength(3);
  expect(log.stdout).not.toContain("Five is not a line");
});

test("what people decide: remarks on lines, an approval that is theirs to give, closing with a reason", async () => {
  const lab = await reviewLab();
  const { sandbox, koryph, koryphAs, koryphWithout } = lab;
  const pull = await openPull(sandbox, { "src/a.txt": CODE.replace("line 5\n", "five\n") });
  const remarked = await koryph(
    ...[
      "review-pr",
      `${pull}`,
      "--comment-on",
      "src/a.txt:5:why: not six?",
      "--comment-on",
      "src/z.txt:1:and this?",
    ],
  );
  expect(remarked, remarked.stderr).toMatchObject({ code: 0 });
  expect(lab.has("prompt")).toBe(false);
  expect(await lab.get(`/pulls/${pull}/comments`)).toMatchObject([{ line: 5, body: "why: not six?" }]);
  expect((await lab.get(`/pulls/${pull}/reviews`))[0].body).toContain("and this?");

  lab.configure({ containment: "required" });
  const uncontained = await koryphWithout("review-pr", `${pull}`);
  expect(uncontained).toMatchObject({ code: 1 });
  expect(uncontained.stderr).toContain(
    "containment is required, and bubblewrap (`bwrap`) is not on the PATH",
  );
  expect(lab.has("prompt")).toBe(false);
  lab.configure({});

  sandbox.setRole(REPO, "alice", "write");
  const own = await koryphAs("alice", "review-pr", `${pull}`, "--approve");
  expect(own).toMatchObject({ code: 1 });
  expect(own.stderr).toContain("alice opened pull request");
  await sandbox.commit(REPO, "feature", { more: "x\n" }, { author: "bob" });
  sandbox.setRole(REPO, "bob", "write");
  expect((await koryphAs("bob", "review-pr", `${pull}`, "--approve")).stderr).toContain(
    "bob wrote or committed",
  );
  const approved = await koryph("review-pr", `${pull}`, "--approve", "--body", "Good.");
  expect(approved, approved.stderr).toMatchObject({ code: 0 });
  expect((await lab.get(`/pulls/${pull}/reviews`)).at(-1)).toMatchObject({
    state: "APPROVED",
    body: "Good.",
  });

  expect(await koryph("review-pr", `${pull}`, "--close", "--body", "Not now.")).toMatchObject({ code: 0 });
  expect(await lab.get(`/pulls/${pull}`)).toMatchObject({ state: "closed" });
  const ended = await koryph("review-pr", `${pull}`);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout).toContain("is closed; there is nothing to analyse");
});

longTest("--all leaves out drafts and one's own, says why, and goes on after a degraded one", async () => {
  const lab = await reviewLab();
  const { sandbox, koryph } = lab;
  const first = await openPull(sandbox, { "src/a.txt": "1\n" });
  await sandbox.commit(REPO, "mine", { x: "1\n" }, { author: "you" });
  const mine = await sandbox.openPull(REPO, { author: "you", head: "mine", title: "Mine" });
  await sandbox.commit(REPO, "draft", { y: "1\n" }, { author: "bob" });
  const draft = await sandbox.openPull(REPO, { author: "bob", head: "draft", title: "Draft", draft: true });
  lab.say("it looks { quite } fine to me\n");
  const all = await koryph("review-pr", "--all", "--json");
  expect(all.code).toBe(1);
  expect(JSON.parse(all.stdout).pulls).toMatchObject([
    { pull: draft.number, skipped: "draft" },
    { pull: mine.number, skipped: "own" },
    { pull: first, verdict: "degraded", reason: "the reviewer's answer holds no verdict" },
  ]);
  expect((await koryph("review-pr", `${first}`, "--resume")).stderr).toContain("no analysis of pull request");

  // An interrupt ends the reviewer, and what follows is not begun.
  await openPull(sandbox, { "src/a.txt": "2\n" }, "second");
  lab.mark("slow");
  const { interrupt, ended } = lab.start("review-pr", "--all");
  await eventually(() => expect(lab.has("begun")).toBe(true));
  interrupt();
  const { code, said } = await ended;
  expect(code, said).toBe(1);
  expect(said).toContain("stopped: 0 analysed");
  expect(existsSync(lab.noted("cwd").trim())).toBe(false);
});

test.each([
  { args: [], said: "takes the number of a pull request, or --all" },
  { args: ["7", "--all"], said: "either a number or --all" },
  { args: ["--all", "--approve"], said: "--all goes with --comment only" },
  { args: ["7", "--approve", "--close"], said: "each stand alone" },
  { args: ["7", "--approve", "--comment"], said: "each stand alone" },
  { args: ["7", "--body", "x"], said: "--body is the text of" },
  { args: ["7", "--close"], said: "--close needs --body" },
  { args: ["7", "--comment-on", "src/a.ts:no line"], said: "takes path:line:message" },
  { args: ["seven"], said: "not the number of a pull request" },
])("koryph review-pr $args is refused as usage", async ({ args, said }) => {
  const ended = await koryphWith({}, tempFolder(), "review-pr", ...args);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(said);
});
