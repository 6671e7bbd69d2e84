import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { koryphProject } from "../../support/cli/koryph-project.js";
import { project } from "../../support/cli/project.js";
import { tempFolder } from "../../support/temp-folder.js";

const KEY = "key-of-ann";
let home = "";
let profile = "";

beforeEach(async () => {
  const top = realpathSync(tempFolder());
  home = join(top, "home");
  profile = join(top, "work profile");
  vi.stubEnv("KORYPH_HOME", home);
  vi.stubEnv("HOME", top);
  for (const name of [
    "CLAUDE_CONFIG_DIR",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
  ])
    vi.stubEnv(name, "");
  mkdirSync(profile);
  await koryphProject("add", project());
  return () => vi.unstubAllEnvs();
});

function signIn(email: string, folder = profile): void {
  writeFileSync(join(folder, ".claude.json"), JSON.stringify({ oauthAccount: { emailAddress: email } }));
}

const account = (...args: string[]) => koryphProject("account", "shop", ...args);
const entry = () => JSON.parse(readFileSync(join(home, "registry.d", "shop.json"), "utf8"));

test("nothing is pinned until somebody does", async () => {
  expect((await account()).out).toBe(
    "shop pins no account: its agents get whatever credentials koryph is started with\n",
  );
  expect(JSON.parse((await account("--json")).out)).toEqual({ project_id: "shop", accounts: [] });
});

test("a login is pinned by its address, whatever its case, and shown as verified", async () => {
  signIn("ann@example.org");
  const { out } = await account("--profile", profile, "--expect", "Ann@Example.org");
  expect(out).toMatch(/^shop pins the account of runtime claude\n/);
  expect(out).toMatch(
    new RegExp(
      `^claude  profile ${profile}  expects login [0-9a-f]{16} \\(Ann@Example.org\\)  verified$`,
      "m",
    ),
  );
  expect(entry().accounts).toEqual({
    claude: { profile, variable: null, expect: { mode: "login", email: "Ann@Example.org" } },
  });
});

test("without --profile it is the operator's own one", async () => {
  const own = join(profile, "..", ".claude");
  mkdirSync(own);
  expect((await account("--expect", "ann@example.org")).out).toContain("is signed in to no account");
  expect(entry().accounts.claude.profile).toBe(own);
});

test("another account than the one expected is refused by marks, with what to do", async () => {
  signIn("bob@example.org");
  const { out } = await account("--profile", profile, "--expect", "ann@example.org");
  const [, , , refusal, next] = out.split("\n").map((line) => line.trim());
  expect(out).toContain("REFUSED");
  expect(out).toMatch(/is login [0-9a-f]{16}, and login [0-9a-f]{16} is expected/);
  expect(out).not.toContain("bob");
  expect([refusal, next].join(" ")).toContain(`CLAUDE_CONFIG_DIR='${profile}' claude /login`);
  const [{ verified, code, found, next: hint }] = JSON.parse((await account("--json")).out).accounts;
  expect({ verified, code, found }).toEqual({
    verified: false,
    code: "identity_differs",
    found: { mode: "login", fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) },
  });
  expect(hint).toContain("koryph project account shop --runtime claude");
});

test("a key is pinned by its fingerprint alone, and the key is nowhere in the home", async () => {
  vi.stubEnv("ANTHROPIC_API_KEY", KEY);
  const { out } = await account("--expect-key");
  expect(out).toMatch(/^claude {2}variable ANTHROPIC_API_KEY {2}expects API key [0-9a-f]{16} {2}verified$/m);
  expect(entry().accounts.claude).toEqual({
    profile: null,
    variable: "ANTHROPIC_API_KEY",
    expect: { mode: "api-key", fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) },
  });
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const kept = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1")).join("");
  expect(kept).not.toContain(KEY);
  vi.stubEnv("ANTHROPIC_API_KEY", "another");
  expect((await account()).out).toContain("REFUSED");
});

test("where two keys are set, the one that agents get is named", async () => {
  vi.stubEnv("ANTHROPIC_API_KEY", KEY);
  vi.stubEnv("CLAUDE_CODE_OAUTH_TOKEN", "token-of-ann");
  await expect(account("--expect-key")).rejects.toThrow(
    "more than one key of runtime claude is set: ANTHROPIC_API_KEY, CLAUDE_CODE_OAUTH_TOKEN",
  );
  await account("--expect-key", "--variable", "CLAUDE_CODE_OAUTH_TOKEN");
  expect(entry().accounts.claude.expect.mode).toBe("oauth-token");
});

test("a pin is forgotten, and only with it the audit log tells of accounts, by fingerprint", async () => {
  signIn("ann@example.org");
  await account("--profile", profile, "--expect", "ann@example.org");
  expect((await account("--forget")).out).toMatch(/^shop pins no account for runtime claude any more\n/);
  expect(entry().accounts).toBeUndefined();
  const log = readFileSync(join(home, "audit.jsonl"), "utf8");
  expect(log).not.toContain("ann@");
  expect(
    log
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .slice(1),
  ).toMatchObject([
    { kind: "account", detail: { answer: "pinned", runtime: "claude", mode: "login" } },
    { kind: "account", detail: { answer: "forgotten", runtime: "claude" } },
  ]);
});

test("removing a project says that its pins go with it", async () => {
  signIn("ann@example.org");
  await account("--profile", profile, "--expect", "ann@example.org");
  expect((await koryphProject("remove", "shop")).out).toContain(
    "the accounts that shop pinned are forgotten",
  );
});

test.each<{ name: string; args: string[]; says: string }>([
  {
    name: "a profile without an expectation",
    args: ["--profile", "."],
    says: "says nothing of whose account",
  },
  { name: "two expectations", args: ["--expect", "a@b", "--expect-key"], says: "cannot be used with" },
  {
    name: "a login in a variable",
    args: ["--expect", "a@b", "--variable", "X"],
    says: "cannot be used with",
  },
  { name: "forgetting and pinning", args: ["--forget", "--expect-key"], says: "cannot be used with" },
])("$name is no command", async ({ args, says }) => {
  await expect(account(...args)).rejects.toThrow(says);
  expect(entry().accounts).toBeUndefined();
});

test.each<{ name: string; args: string[]; says: string }>([
  { name: "an address that is none", args: ["--expect", "ann"], says: "is no e-mail address" },
  { name: "a key where there is none", args: ["--expect-key"], says: "no key of runtime claude is set" },
  {
    name: "a variable that holds no key",
    args: ["--expect-key", "--variable", "HOME"],
    says: "takes no key from HOME",
  },
  {
    name: "a variable that is not set",
    args: ["--expect-key", "--variable", "ANTHROPIC_API_KEY"],
    says: "holds no key",
  },
  {
    name: "a folder that is not there",
    args: ["--profile", "/nowhere", "--expect", "a@b"],
    says: "does not exist",
  },
  {
    name: "a log-in of opencode",
    args: ["--runtime", "opencode", "--expect", "a@b"],
    says: "no folder of runtime opencode can be pinned: its auth.json has the keys of all providers",
  },
  {
    name: "a folder of opencode",
    args: ["--runtime", "opencode", "--profile", "/tmp", "--expect-key"],
    says: "no folder of runtime opencode can be pinned",
  },
  { name: "a program of one's own", args: ["--runtime", "mine", "--expect-key"], says: "no credential" },
])("$name is refused, and nothing is pinned", async ({ args, says }) => {
  await expect(account(...args)).rejects.toThrow(says);
  expect(entry().accounts).toBeUndefined();
});

test("a project that is not registered has nothing to pin", async () => {
  await expect(koryphProject("account", "other")).rejects.toThrow("no project other is registered");
});
