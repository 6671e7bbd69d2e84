import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { buildProgram } from "../../../src/cli/program.js";
import { PLAIN } from "../../../src/lib/paint.js";
import { UserError } from "../../../src/lib/user-error.js";
import { baseProject, git } from "../../support/cli/project.js";
import { operatorAgent } from "../../support/git/ssh-agents.js";
import { filesWith, secretLines, sshKey } from "../../support/git/ssh-keys.js";
import { tempFolder } from "../../support/temp-folder.js";

let top = "";
let home = "";
let root = "";

beforeEach(() => {
  top = tempFolder();
  home = join(top, ".koryph");
  root = join(top, "shop");
  mkdirSync(join(top, "tmp"));
  const env = {
    HOME: top,
    KORYPH_HOME: home,
    TMPDIR: join(top, "tmp"),
    SSH_AUTH_SOCK: join(top, "operator.sock"),
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  git(top, "init", "--quiet", "--initial-branch=main", root);
  configure(undefined);
  commitAll();
  return () => vi.unstubAllEnvs();
});

function configure(signing: object | undefined): void {
  writeFileSync(join(root, "koryph.project.json"), JSON.stringify({ ...baseProject, signing }));
}

function commitAll(): void {
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "settings");
}

/** `koryph signing …` as the surface wires it, with what it prints and its exit code. */
async function signing(...args: string[]): Promise<{ out: string; code: number }> {
  const said = { out: "", code: 0 };
  const write = (line: string) => {
    said.out += `${line}\n`;
  };
  const terminal = { out: write, err: write, paint: PLAIN };
  const { program } = buildProgram(terminal, (code) => Object.assign(said, { code }));
  await program.parseAsync(["--project", root, "signing", ...args], { from: "user" });
  return said;
}

function allowed(): string {
  return readFileSync(join(root, ".allowed_signers"), "utf8");
}

test("from nothing to ready: init says what is left, status says when it is done", async () => {
  expect(await signing("status")).toEqual({
    out: "shop: signing is off; `koryph signing init` sets it up\n  required  no\n",
    code: 0,
  });

  const first = await signing("init");
  expect(first.out).toContain("made the key ~/.koryph/keys/shop");
  expect(statSync(join(home, "keys", "shop")).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, "keys")).mode & 0o777).toBe(0o700);
  expect(allowed()).toMatch(/^koryph@shop namespaces="git,koryph-receipt" ssh-ed25519 AAAA\S+\n$/);

  const lines = /"signing": (\{.*\})/;
  const [, block = ""] = lines.exec(first.out) ?? [];
  const between = await signing("status");
  expect(between).toMatchObject({
    out: expect.stringContaining("shop: signing is off: there is a key ~/.koryph/keys/shop, and koryph"),
    code: 0,
  });
  expect(lines.exec(between.out)?.[1]).toBe(block);
  configure(JSON.parse(block));
  expect(await signing("status")).toMatchObject({
    out: expect.stringMatching(/not ready: main has no .allowed_signers.*\n {2}next: commit .*and push/),
    code: 1,
  });

  commitAll();
  expect(await signing("status")).toMatchObject({
    out: expect.stringContaining("ready: main allows the key as koryph@shop"),
    code: 0,
  });
  expect(JSON.parse((await signing("status", "--json")).out)).toEqual({
    project_id: "shop",
    required: true,
    provider: "file",
    key_ref: "~/.koryph/keys/shop",
    fingerprint: expect.stringMatching(/^SHA256:/),
    public_key: expect.stringMatching(/^ssh-ed25519 /),
    base_branch: "main",
    signers: 1,
    unreadable_lines: [],
    principal: "koryph@shop",
    state: "ready",
    problem: null,
  });
  expect((await signing("init")).out).toContain("nothing is left to do in this checkout");
});

describe("init", () => {
  test("again keeps the key and every line", async () => {
    writeFileSync(join(root, ".allowed_signers"), "# the team\nann@example.com ssh-ed25519 AAAAC3Nz Ann");
    await signing("init");
    const key = readFileSync(join(home, "keys", "shop"), "utf8");
    const lines = allowed();
    expect(lines).toContain("# the team\nann@example.com ssh-ed25519 AAAAC3Nz Ann\nkoryph@shop ");
    expect((await signing("init")).out).toMatch(/^kept the key \S+ as it is$/m);
    expect(readFileSync(join(home, "keys", "shop"), "utf8")).toBe(key);
    expect(allowed()).toBe(lines);
  });

  test("two at once make one key and one line", async () => {
    await Promise.all([signing("init"), signing("init")]);
    expect(allowed().trim().split("\n")).toHaveLength(1);
  });

  test("uses a key of yours, and makes it where it is missing", async () => {
    const key = sshKey(join(top, "mine"));
    expect((await signing("init", "--key", key.path)).out).toContain("kept the key ~/mine as it is");
    expect(allowed()).toContain(key.publicKey);
    expect((await signing("init", "--key", "~/deep/new")).out).toContain('"key_ref": "~/deep/new"');
    expect(existsSync(join(top, "deep", "new"))).toBe(true);
    expect(allowed().trim().split("\n")).toHaveLength(2);
  });

  test("takes an empty path for what it is", async () => {
    await expect(signing("init", "--key", "")).rejects.toThrow("--key names no file: its value is empty");
  });

  test("allows the key that the project names, wherever it is", async () => {
    const key = sshKey(join(top, "mine"), { comment: "mine" });
    await operatorAgent(join(top, "operator.sock"), key);
    configure({ required: true, provider: "ssh-agent", key_ref: "mine" });
    const { out } = await signing("init");
    expect(out).toContain("commit .allowed_signers to the default branch");
    expect(allowed()).toContain(key.publicKey);
    expect(existsSync(join(home, "keys"))).toBe(false);
  });

  test("writes to the top of the repository, where it is looked for", async () => {
    mkdirSync(join(root, "part"));
    writeFileSync(join(root, "part", "koryph.project.json"), JSON.stringify(baseProject));
    const whole = root;
    root = join(whole, "part");
    await signing("init");
    expect(existsSync(join(whole, ".allowed_signers"))).toBe(true);
    expect(existsSync(join(whole, "part", ".allowed_signers"))).toBe(false);
  });

  test.each([
    {
      name: "a key inside the repository",
      args: () => ["--key", join(root, "key")],
      says: "inside the repository",
    },
    {
      name: "a key with a passphrase",
      args: () => ["--key", sshKey(join(top, "locked"), { passphrase: "secret" }).path],
      says: "has a passphrase",
    },
    { name: "a folder for a key", args: () => ["--key", join(top, "tmp")], says: "is no regular file" },
    {
      name: "a link for .allowed_signers",
      args: () => {
        symlinkSync("/etc/passwd", join(root, ".allowed_signers"));
        return [];
      },
      says: "is no regular file",
    },
  ])("refuses $name", async ({ args, says }) => {
    const error = await signing("init", ...args()).catch((problem) => problem);
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain(says);
    expect(existsSync(join(root, "key"))).toBe(false);
  });
});

describe("status exits 1 only when signing is required and not ready:", () => {
  test.each([
    {
      name: "required, and no key is named",
      signing: { required: true },
      says: "names no key to sign with",
      code: 1,
    },
    {
      name: "required, and the key is missing",
      signing: { required: true, provider: "file", key_ref: "~/nowhere" },
      says: "does not exist",
      code: 1,
    },
    {
      name: "not required, and the key is missing",
      signing: { provider: "file", key_ref: "~/nowhere" },
      says: "does not exist",
      code: 0,
    },
  ])("$name", async ({ signing: settings, says, code }) => {
    configure(settings);
    expect(await signing("status")).toMatchObject({ out: expect.stringContaining(says), code });
  });

  test("required, and the remote cannot be reached", async () => {
    sshKey(join(top, "mine"));
    configure({ required: true, provider: "file", key_ref: "~/mine" });
    commitAll();
    git(root, "remote", "add", "origin", join(top, "gone.git"));
    const { out, code } = await signing("status");
    expect(out).toContain("not ready: ");
    expect(code).toBe(1);
  });

  test("required, and the branch on the remote names the key for a time that is over", async () => {
    const { publicKey } = sshKey(join(top, "mine"));
    configure({ required: true, provider: "file", key_ref: "~/mine" });
    writeFileSync(join(root, ".allowed_signers"), `me@x valid-before="20200101" ${publicKey}\n`);
    commitAll();
    git(top, "clone", "--quiet", "--bare", root, join(top, "remote.git"));
    git(root, "remote", "add", "origin", join(top, "remote.git"));
    rmSync(join(root, ".allowed_signers"));
    expect(await signing("status")).toMatchObject({
      out: expect.stringContaining("in line 1, but not for today"),
      code: 1,
    });
  });
});

test("a private key is shown to nobody and copied nowhere", async () => {
  const key = sshKey(join(top, "mine"));
  const lines = secretLines(key.path);
  configure({ required: true, provider: "command", key_ref: `cat ${key.path}; cat ${key.path} >&2` });
  const first = await signing("init");
  commitAll();
  const said = [first, await signing("status"), await signing("status", "--json")];
  expect(said.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) expect(JSON.stringify(said)).not.toContain(line);
  expect(filesWith(top, lines)).toEqual([key.path]);

  configure(undefined);
  await signing("init");
  const own = secretLines(join(home, "keys", "shop"));
  expect(filesWith(top, own)).toEqual([join(home, "keys", "shop")]);
});
