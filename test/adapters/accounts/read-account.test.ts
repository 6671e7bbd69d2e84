import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAccount } from "../../../src/adapters/accounts/read-account.js";
import { claude } from "../../../src/core/runtimes/claude/claude.js";
import { codex } from "../../../src/core/runtimes/codex/codex.js";
import { idToken } from "../../support/core/accounts.js";
import { tempFolder } from "../../support/temp-folder.js";

const of = (emailAddress: string) => JSON.stringify({ oauthAccount: { emailAddress } });

/** A folder that Claude Code is signed in to, or has what `set` puts there. */
function profile(set: (file: string) => void = (file) => writeFileSync(file, of("ann@example.org"))) {
  const folder = join(tempFolder(), "profile");
  mkdirSync(folder);
  set(join(folder, ".claude.json"));
  return folder;
}

const look = (folder: string) => readAccount(claude, { profile: folder, variable: null }, {});

test("a profile is the account that its file names", async () => {
  expect(await look(profile())).toEqual({ mode: "login", email: "ann@example.org" });
});

test("the default folder's account is named beside it", async () => {
  const home = tempFolder();
  mkdirSync(join(home, ".claude"));
  writeFileSync(join(home, ".claude.json"), of("ann@example.org"));
  expect(await look(join(home, ".claude"))).toEqual({ mode: "login", email: "ann@example.org" });
});

test.each<{ name: string; set: (file: string) => void; mode: string }>([
  { name: "no file is missing", set: () => {}, mode: "missing" },
  { name: "one cut off", set: (file) => writeFileSync(file, "{"), mode: "unreadable" },
  {
    name: "a link to a file that names somebody",
    set: (file) => {
      writeFileSync(`${file}.real`, of("ann@example.org"));
      symlinkSync(`${file}.real`, file);
    },
    mode: "unreadable",
  },
  { name: "a link to nowhere", set: (file) => symlinkSync("/nowhere", file), mode: "unreadable" },
  {
    name: "one that is larger than any honest one",
    set: (file) => {
      writeFileSync(file, of("ann@example.org"));
      truncateSync(file, 17 * 1024 * 1024);
    },
    mode: "unreadable",
  },
  {
    name: "one that is not text",
    set: (file) => writeFileSync(file, Buffer.alloc(64, 0xff)),
    mode: "unreadable",
  },
])("$name: $mode", async ({ set, mode }) => {
  expect(await look(profile(set))).toEqual({ mode });
});

test("a folder that became a link is not followed, and one that is gone is missing", async () => {
  const folder = profile();
  const other = join(folder, "..", "other");
  symlinkSync(folder, other);
  expect(await look(other)).toEqual({ mode: "unreadable" });
  rmSync(folder, { recursive: true });
  expect(await look(folder)).toEqual({ mode: "missing" });
});

test("a file that is being written anew is looked at again", async () => {
  const folder = profile((file) => writeFileSync(file, of("ann@example.org").slice(0, 10)));
  const written = async () => writeFileSync(join(folder, ".claude.json"), of("ann@example.org"));
  const found = await readAccount(claude, { profile: folder, variable: null }, {}, written);
  expect(found).toEqual({ mode: "login", email: "ann@example.org" });
});

test("a key is known by a fingerprint that does not show it, and tells tokens from keys", async () => {
  const parent = { ANTHROPIC_API_KEY: "key-one", CLAUDE_CODE_OAUTH_TOKEN: "key-one", HOME: "/x" };
  const find = (variable: string) => readAccount(claude, { profile: null, variable }, parent);
  const key = await find("ANTHROPIC_API_KEY");
  expect(key).toEqual({ mode: "api-key", fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) });
  expect(await find("CLAUDE_CODE_OAUTH_TOKEN")).toEqual({ ...key, mode: "oauth-token" });
  expect(JSON.stringify(key)).not.toContain("key-one");
});

test.each(["ANTHROPIC_AUTH_TOKEN", "HOME"])("%s holds no key of Claude Code's", async (variable) => {
  const parent = { ANTHROPIC_AUTH_TOKEN: "", HOME: "/x" };
  expect(await readAccount(claude, { profile: null, variable }, parent)).toEqual({ mode: "missing" });
});

test("Codex' folder is the account of its log-in, or of its key", async () => {
  const folder = tempFolder();
  const find = (file: object) => {
    writeFileSync(join(folder, "auth.json"), JSON.stringify(file));
    return readAccount(codex, { profile: folder, variable: null }, {});
  };
  const tokens = { id_token: idToken({ email: "ann@example.org" }) };
  expect(await find({ tokens })).toEqual({ mode: "login", email: "ann@example.org" });
  expect(await find({ OPENAI_API_KEY: "key-one" })).toMatchObject({ mode: "api-key" });
});
