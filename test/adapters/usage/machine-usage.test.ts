import {
  chmodSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { accountDigest } from "../../../src/adapters/accounts/account-digest.js";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { Registry } from "../../../src/adapters/home/registry.js";
import { RunFolders } from "../../../src/adapters/home/run-folders.js";
import { MachineUsage } from "../../../src/adapters/usage/machine-usage.js";
import type { AccountPin } from "../../../src/core/govern/account-pin.js";
import { answer, count, rollout, transcript } from "../../support/core/usage-records.js";
import { tempFolder } from "../../support/temp-folder.js";

const HOUR_MS = 3_600_000;

/** A machine on which somebody used agents' programs, and koryph's agents did. */
function machine(env: Record<string, string> = {}) {
  const folder = tempFolder();
  const home = new KoryphHome(join(folder, "koryph"));
  const operator = join(folder, "operator");
  mkdirSync(operator);
  mkdirSync(home.path);
  const now = Date.now();
  const at = new Date(now - 60_000).toISOString();
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const variables = { HOME: operator, PATH: join(folder, "bin"), ...env };
  const measure = (bounds = {}) =>
    new MachineUsage({ home, env: variables, now: () => now, ccusageSeconds: 20, bounds });
  return {
    ...{ folder, home, operator, now, at, put, measure },
    /** An answer of a dollar for each million tokens of input that is read from nowhere. */
    dollars: (usd: number, id: string) => answer({ at, id, model: "claude-haiku-4-5", input: usd * 1e6 }),
    agentHome: (bead: string) => home.agentHome("p", bead),
    ccusage: (script: string) =>
      chmodSync(put(join(folder, "bin", "ccusage"), `#!/bin/sh\n${script}\n`), 0o755),
  };
}

const spentOf = async (usage: MachineUsage, pool = "") => (await usage.measure(pool)).spent;

test("people's records and those of koryph's agents are one account, and each answer counts once", async () => {
  const there = machine();
  const { put, operator, agentHome, dollars } = there;
  put(join(operator, ".claude/projects/-a/1.jsonl"), transcript([dollars(1, "a"), dollars(2, "b")]));
  put(
    join(operator, ".claude/projects/-a/2/subagents/3.jsonl"),
    transcript([dollars(2, "b"), dollars(4, "c")]),
  );
  put(join(operator, ".config/claude/projects/-a/4.jsonl"), transcript([dollars(8, "d")]));
  put(
    join(agentHome("b-1"), ".claude/projects/-b/5.jsonl"),
    transcript([dollars(9, "e"), '{broken "usage"']),
  );
  put(join(operator, ".claude/projects/-a/notes.txt"), transcript([dollars(1000, "x")]));
  expect(await there.measure().measure("")).toEqual({
    at: there.now,
    spent: { fiveHour: 24, weekly: 24 },
    source: { kind: "records", tried: null },
    ...{ told: [], broken: 1, unpriced: 0, cut: 0 },
  });
});

test("CLAUDE_CONFIG_DIR and CODEX_HOME say where people's records are", async () => {
  const elsewhere = tempFolder();
  const there = machine({ CLAUDE_CONFIG_DIR: elsewhere, CODEX_HOME: elsewhere });
  there.put(join(there.operator, ".claude/projects/-a/1.jsonl"), transcript([there.dollars(1, "a")]));
  there.put(join(elsewhere, "projects/-a/1.jsonl"), transcript([there.dollars(2, "b")]));
  there.put(
    join(elsewhere, "sessions/2026/11/19/rollout-1.jsonl"),
    rollout([{ ...count(1, 1e6), timestamp: there.at }]),
  );
  expect(await spentOf(there.measure())).toEqual({ fiveHour: 2, weekly: 2 });
  expect(await spentOf(there.measure(), "codex")).toEqual({ fiveHour: 1.75, weekly: 1.75 });
});

describe("an account that projects pin", () => {
  const login = { mode: "login", email: "Ann@example.com" } as const;
  const pool = `claude:${accountDigest("ann@example.com")}`;
  const pin = async ({ home, folder }: ReturnType<typeof machine>, id: string, accountPin: AccountPin) => {
    const registry = new Registry(home);
    await registry.register({ id, root: folder, remote: null });
    await registry.pin(id, "claude", accountPin);
  };

  test("is measured by what lies in its own folders, and the usual account by what does not", async () => {
    const there = machine();
    const [one, two] = [join(there.folder, "one"), join(there.folder, "two")];
    await pin(there, "a", { profile: one, variable: null, expect: login });
    await pin(there, "b", { profile: two, variable: null, expect: { ...login, email: "ann@example.com" } });
    there.put(join(one, "projects/-a/1.jsonl"), transcript([there.dollars(1, "a"), there.dollars(2, "b")]));
    there.put(join(two, "projects/-b/2.jsonl"), transcript([there.dollars(2, "b"), there.dollars(4, "c")]));
    there.put(join(there.operator, ".claude/projects/-a/3.jsonl"), transcript([there.dollars(8, "d")]));
    expect(await spentOf(there.measure(), pool)).toEqual({ fiveHour: 7, weekly: 7 });
    expect(await spentOf(there.measure())).toEqual({ fiveHour: 8, weekly: 8 });
  });

  test("is not measured while an entry cannot be read that may name more of its folders", async () => {
    const there = machine();
    const one = join(there.folder, "one");
    await pin(there, "a", { profile: one, variable: null, expect: login });
    there.put(join(one, "projects/-a/1.jsonl"), transcript([there.dollars(1, "a")]));
    there.put(join(there.home.registryFolder, "b.json"), "{");
    expect((await there.measure().measure(pool)).source).toEqual({ kind: "none", why: "no-registry" });
    there.put(join(there.operator, ".claude/projects/-a/3.jsonl"), transcript([there.dollars(8, "d")]));
    expect(await spentOf(there.measure())).toEqual({ fiveHour: 8, weekly: 8 });
  });

  test("is not measured where its agents' records lie among others', nor where nobody pins it any more", async () => {
    const there = machine();
    const key = { mode: "oauth-token", fingerprint: "0123456789abcdef" } as const;
    await pin(there, "a", { profile: null, variable: "CLAUDE_CODE_OAUTH_TOKEN", expect: key });
    there.put(join(there.operator, ".claude/projects/-a/3.jsonl"), transcript([there.dollars(8, "d")]));
    const source = async (of: string) => (await there.measure().measure(of)).source;
    expect(await source("claude:0123456789abcdef")).toEqual({ kind: "none", why: "no-folder" });
    expect(await source(pool)).toEqual({ kind: "none", why: "no-folder" });
  });
});

test("an account is unknown where nothing tells of it, and not where nothing was spent", async () => {
  const there = machine();
  const source = async (pool: string) => (await there.measure().measure(pool)).source;
  expect(await source("")).toEqual({ kind: "none", why: "no-records" });
  expect(await source("opencode")).toEqual({ kind: "none", why: "no-reader" });
  mkdirSync(join(there.operator, ".claude/projects"), { recursive: true });
  expect(await spentOf(there.measure())).toEqual({ fiveHour: 0, weekly: 0 });
});

test("links lead nowhere, and old files are not opened", async () => {
  const there = machine();
  const secret = there.put(join(there.folder, "elsewhere/1.jsonl"), transcript([there.dollars(64, "x")]));
  const projects = join(there.agentHome("b-1"), ".claude/projects/-b");
  there.put(join(projects, "mine.jsonl"), transcript([there.dollars(1, "a")]));
  symlinkSync(secret, join(projects, "link.jsonl"));
  symlinkSync(dirname(secret), join(projects, "folder"));
  mkdirSync(there.agentHome("b-2"));
  symlinkSync(dirname(secret), join(there.agentHome("b-2"), ".claude"));
  const old = there.put(join(projects, "old.jsonl"), transcript([there.dollars(2, "b")]));
  utimesSync(old, 0, (there.now - 200 * HOUR_MS) / 1000);
  expect(await spentOf(there.measure())).toEqual({ fiveHour: 1, weekly: 1 });
});

test("a file that has not changed is not read again, and one that grew is", async () => {
  const there = machine();
  const file = there.put(
    join(there.operator, ".claude/projects/-a/1.jsonl"),
    transcript([there.dollars(1, "a")]),
  );
  utimesSync(file, 1e9, there.now / 1000);
  const usage = there.measure();
  expect(await spentOf(usage)).toMatchObject({ fiveHour: 1 });
  const { length } = readFileSync(file);
  // Of the same size and time: nobody would know.
  writeFileSync(file, transcript([there.dollars(8, "a")]));
  utimesSync(file, 1e9, there.now / 1000);
  expect(readFileSync(file).length).toBe(length);
  expect(await spentOf(usage)).toMatchObject({ fiveHour: 1 });
  writeFileSync(file, transcript([there.dollars(8, "a"), there.dollars(1, "b")]));
  expect(await spentOf(usage)).toMatchObject({ fiveHour: 9 });
});

test("of a file that is too large the end is read, and what is too much altogether is not known", async () => {
  const there = machine();
  const text = transcript([there.dollars(1, "a"), there.dollars(2, "b")]);
  there.put(join(there.operator, ".claude/projects/-a/1.jsonl"), text);
  const measured = await there.measure({ fileBytes: text.length - 10 }).measure("");
  expect(measured).toMatchObject({ spent: { fiveHour: 2 }, cut: 1 });
  const source = async (bounds: object) => (await there.measure(bounds).measure("")).source;
  expect(await source({ bytes: text.length - 1 })).toEqual({ kind: "none", why: "too-many" });
  expect(await source({ entries: 1 })).toEqual({ kind: "none", why: "too-many" });
  truncateSync(join(there.operator, ".claude/projects/-a/1.jsonl"));
  expect(await spentOf(there.measure({ bytes: 10 }))).toEqual({ fiveHour: 0, weekly: 0 });
});

test("what agents spent stays spent when their homes go", async () => {
  const there = machine();
  const home = there.agentHome("b-1");
  there.put(
    join(home, ".claude/projects/-b/1.jsonl"),
    transcript([there.dollars(2, "a"), there.dollars(3, "b")]),
  );
  there.put(
    join(home, ".codex/sessions/rollout-1.jsonl"),
    rollout([{ ...count(1, 1e6), timestamp: there.at }]),
  );
  mkdirSync(there.home.runsFolder("p"), { recursive: true });
  await new RunFolders(there.home, "p").dropHomes("b-1");
  expect(await spentOf(there.measure())).toEqual({ fiveHour: 5, weekly: 5 });
  expect(await spentOf(there.measure(), "codex")).toEqual({ fiveHour: 1.75, weekly: 1.75 });
  // A line that was cut short costs nobody the others.
  writeFileSync(there.home.spentFile, '{"pool":"","at":1,"us\n', { flag: "a" });
  expect(await spentOf(there.measure())).toMatchObject({ weekly: 5 });
});

test("ccusage tells of people, where it is installed, and gets no secret", async () => {
  const there = machine({ ANTHROPIC_API_KEY: "sk-secret" });
  there.put(join(there.operator, ".claude/projects/-a/1.jsonl"), transcript([there.dollars(1, "a")]));
  there.put(join(there.agentHome("b-1"), ".claude/projects/-b/1.jsonl"), transcript([there.dollars(4, "b")]));
  const time = (hours: number) => new Date(there.now + hours * HOUR_MS).toISOString();
  const block = { startTime: time(-2), endTime: time(3), isActive: true, costUSD: 30 };
  const said = JSON.stringify({ blocks: [block] });
  there.ccusage(`env >"$HOME/env"; echo "$@" >"$HOME/args"; pwd >>"$HOME/args"; echo '${said}'`);
  const measured = await there.measure().measure("");
  expect(measured).toMatchObject({ spent: { fiveHour: 34, weekly: 34 }, source: { kind: "ccusage" } });
  expect(readFileSync(join(there.operator, "env"), "utf8")).not.toContain("sk-secret");
  expect(readFileSync(join(there.operator, "args"), "utf8")).toMatch(
    /^blocks --json --offline --since \d{8}\n\/\n$/,
  );
});

test.each([
  { name: "fails", script: "exit 3", tried: "failed" },
  { name: "prints something else", script: "echo hello", tried: "not-understood" },
  { name: "prints without end", script: "yes", tried: "failed" },
])("where ccusage $name, the records tell", async ({ script, tried }) => {
  const there = machine();
  there.put(join(there.operator, ".claude/projects/-a/1.jsonl"), transcript([there.dollars(1, "a")]));
  // It has no PATH to find anything on.
  there.ccusage(`PATH=/usr/bin:/bin; ${script}`);
  const measured = await there.measure().measure("");
  expect(measured).toMatchObject({ spent: { fiveHour: 1 }, source: { kind: "records", tried } });
});

test("a ccusage that does not answer is ended", async () => {
  const there = machine();
  there.put(join(there.operator, ".claude/projects/-a/1.jsonl"), transcript([there.dollars(1, "a")]));
  there.ccusage("exec /bin/sleep 600");
  const env = { HOME: there.operator, PATH: join(there.folder, "bin") };
  const usage = new MachineUsage({ home: there.home, env, now: () => there.now, ccusageSeconds: 0.2 });
  expect((await usage.measure("")).source).toEqual({ kind: "records", tried: "slow" });
});
