import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { issueToken } from "../../src/sandbox/auth/auth.js";
import type { Sandbox } from "../../src/sandbox/sandbox.js";
import { APP_KEY, addressOf, git, openSandbox } from "../support/app/sandbox-lab.js";
import { longTest } from "../support/long.js";
import { tempFolder } from "../support/temp-folder.js";

async function played() {
  const sandbox = await openSandbox();
  await sandbox.addRepository({ owner: "you", name: "play", files: { "a.txt": "one\n" } });
  return sandbox;
}

/** An installation's token with these permissions on the repository. */
async function appToken(sandbox: Sandbox, permissions: Record<string, "read" | "write">): Promise<string> {
  const app = await sandbox.addApp({ slug: "koryph", privateKey: APP_KEY, permissions, events: [] });
  const installation = sandbox.install(app, ["you/play"]);
  return issueToken(sandbox.world, "ghs_", {
    ...{ kind: "installation", login: null, app: app.id, installation, permissions },
    ...{ repositories: null, expiresAt: null },
  });
}

async function clone(sandbox: Sandbox, token: string, repository = "you/play"): Promise<string> {
  const folder = join(tempFolder(), "clone");
  await git("/", "clone", "--quiet", addressOf(sandbox, repository, token), folder);
  return folder;
}

async function commit(folder: string, path = "a.txt", text = "two\n"): Promise<string> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
  await git(folder, "add", "-A");
  await git(folder, "commit", "--quiet", "-m", "change");
  return (await git(folder, "rev-parse", "HEAD")).trim();
}

/** What git says when a push does not work; fails when it does. */
async function refusal(folder: string, ...args: readonly string[]): Promise<string> {
  return git(folder, "push", ...args).then(
    () => expect.fail("the push was taken"),
    (error: Error) => error.message,
  );
}

async function branch(sandbox: Sandbox, name = "main"): Promise<string | null> {
  const repository = sandbox.world.repository("you/play");
  return repository === null ? null : sandbox.world.resolve(repository, `refs/heads/${name}`);
}

test("a push with a token moves the branch, and is written down", async () => {
  const sandbox = await played();
  const before = await branch(sandbox);
  const folder = await clone(sandbox, sandbox.tokenFor("you"));
  const after = await commit(folder);
  await git(folder, "push", "origin", "HEAD:main");
  expect(await branch(sandbox)).toBe(after);
  expect(sandbox.state.repositories[0]?.activity.at(-1)).toMatchObject({
    ...{ ref: "refs/heads/main", before, after, actor: "you" },
  });
});

test("a push by path is refused with the address to push to, and moves nothing", async () => {
  const sandbox = await played();
  const before = await branch(sandbox);
  const folder = await clone(sandbox, sandbox.tokenFor("you"));
  await commit(folder);
  const said = await refusal(folder, String(sandbox.state.repositories[0]?.gitDir), "HEAD:main");
  expect(said).toMatch(
    `remote: push to ${sandbox.url}/you/play.git instead: the sandbox must be running and asks for a token`,
  );
  expect(said).not.toMatch(/descriptor/);
  expect(await branch(sandbox)).toBe(before);
});

test("an installation pushes as its bot, with Basic credentials in a header too", async () => {
  const sandbox = await played();
  const token = await appToken(sandbox, { contents: "write" });
  const folder = await clone(sandbox, token);
  await commit(folder);
  await git(folder, "remote", "set-url", "origin", `${sandbox.url}/you/play`);
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  await git(folder, "-c", `http.extraheader=Authorization: Basic ${basic}`, "push", "origin", "HEAD:main");
  expect(sandbox.state.repositories[0]?.activity.at(-1)?.actor).toBe("koryph[bot]");
});

test("everybody can clone what is public, and nobody what is private, without a token", async () => {
  const sandbox = await played();
  await sandbox.addRepository({ owner: "you", name: "hidden", private: true });
  const folder = tempFolder();
  await git(folder, "clone", "--quiet", `${sandbox.url}/you/play.git`, "play");
  await expect(git(folder, "clone", `${sandbox.url}/you/hidden.git`, "hidden")).rejects.toThrow(
    /could not read Username/,
  );
});

test("a wrong token is no authentication", async () => {
  const sandbox = await openSandbox();
  await sandbox.addRepository({ owner: "you", name: "hidden", private: true });
  const folder = tempFolder();
  const address = addressOf(sandbox, "you/hidden", "ghs_wrong");
  await expect(git(folder, "clone", address, "play")).rejects.toThrow(/Authentication failed/);
});

test("who may only read cannot push", async () => {
  const sandbox = await played();
  const before = await branch(sandbox);
  for (const token of [sandbox.tokenFor("mallory"), await appToken(sandbox, { contents: "read" })]) {
    const folder = await clone(sandbox, token);
    await commit(folder);
    expect(await refusal(folder, "origin", "HEAD:main")).toMatch(/403/);
  }
  expect(await branch(sandbox)).toBe(before);
});

test("refs of pulls are not writable", async () => {
  const sandbox = await played();
  const folder = await clone(sandbox, sandbox.tokenFor("you"));
  expect(await refusal(folder, "origin", "HEAD:refs/pull/1/head")).toMatch(/deny updating a hidden ref/);
});

test("an atomic push with a stale lease moves nothing, and a good one moves both refs", async () => {
  const sandbox = await played();
  const before = String(await branch(sandbox));
  const folder = await clone(sandbox, sandbox.tokenFor("you"));
  const head = await commit(folder);
  const push = (lease: string) => [
    ...["--atomic", `--force-with-lease=refs/heads/main:${lease}`, "origin"],
    ...["HEAD:refs/heads/main", "HEAD:refs/koryph/ledger"],
  ];
  expect(await refusal(folder, ...push("0".repeat(39).concat("1")))).toMatch(/stale info/);
  expect(await branch(sandbox)).toBe(before);
  await git(folder, "push", ...push(before));
  expect(await git(folder, "ls-remote", "origin", "refs/koryph/ledger", "refs/heads/main")).toMatch(
    new RegExp(`^${head}\\trefs/heads/main\n${head}\\trefs/koryph/ledger\n$`),
  );
});

longTest("a push too large for one piece arrives whole", async () => {
  const sandbox = await played();
  const folder = await clone(sandbox, sandbox.tokenFor("you"));
  const sha = await commit(folder, "large.txt", randomBytes(2_000_000).toString("base64"));
  await git(folder, "push", "origin", "HEAD:main");
  expect(await branch(sandbox)).toBe(sha);
});

test("who breaks off in the middle of a push holds nobody up", async () => {
  const sandbox = await played();
  const folder = await clone(sandbox, sandbox.tokenFor("you"));
  const broken = request(`${sandbox.url}/you/play.git/git-receive-pack`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${sandbox.tokenFor("you")}`,
      "content-type": "application/x-git-receive-pack-request",
      "content-length": "1000",
    },
  });
  const ended = new Promise((resolve) => broken.once("error", resolve));
  broken.write("00", () => broken.destroy(new Error("enough")));
  await ended;
  const sha = await commit(folder);
  await git(folder, "push", "origin", "HEAD:main");
  expect(await branch(sandbox)).toBe(sha);
});

test("a clone can leave files out, and fetch one commit by its hash", async () => {
  const sandbox = await played();
  const folder = tempFolder();
  const address = addressOf(sandbox, "you/play", sandbox.tokenFor("you"));
  await git(folder, "clone", "--quiet", "--bare", "--filter=blob:none", address, "bare.git");
  const missing = await git(join(folder, "bare.git"), "rev-list", "--objects", "--missing=print", "HEAD");
  expect(missing).toMatch(/^\?[0-9a-f]{40}$/m);
  await git(join(folder, "bare.git"), "fetch", "origin", String(await branch(sandbox)));
});

test.each<{ name: string; fault: Parameters<Sandbox["faults"]["add"]>[0]; says: RegExp; lands: boolean }>([
  {
    name: "fails",
    fault: { operation: "git", times: 1, kind: { status: 502 } },
    says: /502/,
    lands: false,
  },
  {
    name: "is cut",
    fault: { operation: "git-receive-pack", times: 1, kind: { cut: true } },
    says: /hung up|disconnect|Empty reply/i,
    lands: false,
  },
  {
    name: "succeeds and answers 502",
    fault: { operation: "git", times: 1, kind: { applyThen: 502 } },
    says: /502/,
    lands: true,
  },
  {
    name: "succeeds and never answers",
    fault: { operation: "git", times: 1, kind: { applyThen: "cut" } },
    says: /hung up|disconnect|Empty reply/i,
    lands: true,
  },
])("a push that $name", async ({ fault, says, lands }) => {
  const sandbox = await played();
  const folder = await clone(sandbox, sandbox.tokenFor("you"));
  const head = await commit(folder);
  sandbox.faults.add(fault);
  expect(await refusal(folder, "origin", "HEAD:main")).toMatch(says);
  expect((await branch(sandbox)) === head).toBe(lands);
  await git(folder, "push", "origin", "HEAD:main");
  expect(await branch(sandbox)).toBe(head);
});
