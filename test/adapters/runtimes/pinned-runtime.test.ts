import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { accountDigest } from "../../../src/adapters/accounts/account-digest.js";
import { openRuntime } from "../../../src/adapters/runtimes/open-runtime.js";
import type { AccountPin } from "../../../src/core/govern/account-pin.js";
import { AccountRefused } from "../../../src/ports/agent-runtime.js";
import { adviceOf, projectIn, script, specIn } from "../../support/core/runtime-bench.js";
import { tempFolder } from "../../support/temp-folder.js";

const PATH = process.env.PATH ?? "";

/** Claude Code, or whatever `name` is, in a project with these pins. */
function pinned(pins: Record<string, AccountPin>, parent: Record<string, string> = {}, name = "claude") {
  const root = realpathSync(tempFolder());
  const program = name === "claude" ? "2.1.197 (Claude Code)" : "1.18.33";
  const bin = join(script(join(root, "bin"), name, `#!/bin/sh\necho '${program}'\n`), "..");
  const accounts = { project: "shop", pins };
  const runtime = openRuntime(name, { ...projectIn(root), accounts }, { PATH: `${bin}:${PATH}`, ...parent });
  return { root, runtime };
}

const key = (variable: string, secret: string): AccountPin => ({
  profile: null,
  variable,
  expect: { mode: "api-key", fingerprint: accountDigest(secret) },
});

function profileOf(email: string): { profile: string; pin: AccountPin } {
  const profile = realpathSync(tempFolder());
  writeFileSync(join(profile, ".claude.json"), JSON.stringify({ oauthAccount: { emailAddress: email } }));
  return { profile, pin: { profile, variable: null, expect: { mode: "login", email: "ann@example.org" } } };
}

test("a profile that is signed in needs no key beside it, and gets none", async () => {
  const { profile, pin } = profileOf("ann@example.org");
  const { root, runtime } = pinned({ claude: pin }, { ANTHROPIC_API_KEY: "key-one" });
  const { env } = runtime.command(specIn(root), await runtime.probe());
  expect(env).toMatchObject({ CLAUDE_CONFIG_DIR: profile });
  expect(JSON.stringify(env)).not.toContain("key-one");
  expect(await runtime.account?.()).toEqual({ mode: "login", fingerprint: accountDigest("ann@example.org") });
});

test("whose account it is is looked at each time, and told without an address", async () => {
  const { profile, pin } = profileOf("ann@example.org");
  const { runtime } = pinned({ claude: pin });
  await runtime.account?.();
  writeFileSync(
    join(profile, ".claude.json"),
    JSON.stringify({ oauthAccount: { emailAddress: "bob@example.org" } }),
  );
  const [found, expected] = ["bob@example.org", "ann@example.org"].map(accountDigest);
  const advice = await adviceOf(() => runtime.account?.());
  expect(advice).toContain(`profile ${profile} is login ${found}, and login ${expected} is expected`);
  expect(advice).toContain(`CLAUDE_CONFIG_DIR=${profile} claude /login`);
  expect(advice).not.toMatch(/@example/);
  rmSync(join(profile, ".claude.json"));
  expect(await adviceOf(() => runtime.account?.())).toContain("signed in to no account");
  mkdirSync(join(profile, "x"));
  writeFileSync(join(profile, ".claude.json"), "{");
  await expect(runtime.account?.()).rejects.toBeInstanceOf(AccountRefused);
});

test("a wrong key, or none, is refused by fingerprint", async () => {
  const pins = { claude: key("ANTHROPIC_API_KEY", "key-one") };
  expect(await adviceOf(() => pinned(pins, { ANTHROPIC_API_KEY: "key-two" }).runtime.account?.())).toContain(
    `is API key ${accountDigest("key-two")}, and API key ${accountDigest("key-one")} is expected`,
  );
  expect(
    await adviceOf(() => pinned(pins, { ANTHROPIC_AUTH_TOKEN: "key-one" }).runtime.account?.()),
  ).toContain("variable ANTHROPIC_API_KEY is not set");
});

test("a runtime that a project with pins does not pin cannot be used in it", async () => {
  const { runtime } = pinned({ codex: key("CODEX_API_KEY", "k") }, { ANTHROPIC_API_KEY: "key-one" });
  const advice = await adviceOf(() => runtime.probe());
  expect(advice).toContain("project shop pins accounts, and none for runtime claude");
  expect(advice).toContain("koryph project account shop --runtime claude --expect-key");
});

test("a project without pins gets whatever there is, as ever", async () => {
  const { root, runtime } = pinned({}, { ANTHROPIC_API_KEY: "key-one" });
  expect(await runtime.account?.()).toBeNull();
  expect(runtime.command(specIn(root), await runtime.probe()).env).toMatchObject({
    ANTHROPIC_API_KEY: "key-one",
  });
});

test("a model of another provider than the pinned key's is refused", async () => {
  const parent = { OPENAI_API_KEY: "key-one", ANTHROPIC_API_KEY: "key-two" };
  const { root, runtime } = pinned({ opencode: key("OPENAI_API_KEY", "key-one") }, parent, "opencode");
  const probe = await runtime.probe();
  expect(runtime.command(specIn(root, { model: "openai/gpt-5.5" }), probe).env).toMatchObject({
    OPENAI_API_KEY: "key-one",
  });
  expect(await adviceOf(() => runtime.command(specIn(root, { model: "anthropic/opus" }), probe))).toContain(
    "the key that is pinned, in OPENAI_API_KEY, is of no use to model anthropic/opus",
  );
});
