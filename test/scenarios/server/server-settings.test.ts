import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openLog } from "../../../src/app/http/server-log.js";
import { readSettings, type ServeFlags, secretsOf } from "../../../src/app/serve/read-settings.js";
import { UserError } from "../../../src/lib/user-error.js";
import { PRIVATE_KEY, SECRET } from "../../support/app/app-server.js";
import { tempFolder } from "../../support/temp-folder.js";

const ENV: NodeJS.ProcessEnv = {
  APP_ID: "123",
  PRIVATE_KEY,
  WEBHOOK_SECRET: SECRET,
  KORYPH_TOKEN_KEY: Buffer.alloc(32, 7).toString("base64"),
  HOME: "/nowhere",
};

const read = (env: NodeJS.ProcessEnv = {}, flags: ServeFlags = {}) => readSettings({ ...ENV, ...env }, flags);

function refusal(env: NodeJS.ProcessEnv, flags: ServeFlags = {}): UserError {
  try {
    read(env, flags);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

test("what is not set has a default", () => {
  expect(read()).toMatchObject({
    appId: 123,
    port: 3000,
    host: "127.0.0.1",
    logLevel: "info",
    logFormat: null,
    apiUrl: "https://api.github.com",
    serverUrl: "https://github.com",
    home: { path: "/nowhere/.koryph" },
    webhookProxy: null,
    warnings: [],
  });
});

test("the command line goes before the environment", () => {
  const env = { PORT: "1", HOST: "::1", WEBHOOK_PROXY_URL: "https://smee.io/env" };
  expect(read(env)).toMatchObject({ port: 1, host: "::1", webhookProxy: "https://smee.io/env" });
  expect(read(env, { port: "2", host: "0.0.0.0", smee: "https://smee.io/flag" })).toMatchObject({
    port: 2,
    host: "0.0.0.0",
    webhookProxy: "https://smee.io/flag",
  });
});

test.each<{ name: string; key: string }>([
  { name: "as it is", key: PRIVATE_KEY },
  { name: "with \\n for its line ends", key: PRIVATE_KEY.replaceAll("\n", "\\n") },
  { name: "in base64", key: Buffer.from(PRIVATE_KEY).toString("base64") },
])("the private key may be given $name", ({ key }) => {
  expect(read({ PRIVATE_KEY: key }).privateKey).toBe(PRIVATE_KEY);
});

test("the private key may lie in a file", () => {
  const path = join(tempFolder(), "key.pem");
  writeFileSync(path, PRIVATE_KEY);
  expect(read({ PRIVATE_KEY: "", PRIVATE_KEY_PATH: path }).privateKey).toBe(PRIVATE_KEY);
});

test.each<{ name: string; key: string }>([
  { name: "base64", key: Buffer.alloc(32, 0xfb).toString("base64") },
  { name: "base64url", key: Buffer.alloc(32, 0xfb).toString("base64url") },
  { name: "hex", key: Buffer.alloc(32, 0xfb).toString("hex") },
])("the key for tokens may be $name", ({ key }) => {
  expect(read({ KORYPH_TOKEN_KEY: key }).tokenKey).toEqual(new Uint8Array(32).fill(0xfb));
});

test("addresses lose the slash at their end, and loopback needs no https", () => {
  expect(
    read({ GITHUB_API_URL: "http://127.0.0.1:4567/", GITHUB_SERVER_URL: "http://localhost:4567" }),
  ).toMatchObject({ apiUrl: "http://127.0.0.1:4567", serverUrl: "http://localhost:4567" });
});

test.each<{ name: string; env: NodeJS.ProcessEnv; warning: RegExp }>([
  { name: "a short secret", env: { WEBHOOK_SECRET: "short" }, warning: /^WEBHOOK_SECRET has 5 characters/ },
  { name: "a spaced secret", env: { WEBHOOK_SECRET: `${SECRET}\n` }, warning: /white space/ },
  { name: "no key for tokens", env: { KORYPH_TOKEN_KEY: "" }, warning: /nobody can link/ },
])("$name is warned about, and no more", ({ env, warning }) => {
  expect(read(env).warnings).toEqual([expect.stringMatching(warning)]);
});

const EC_KEY = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

describe("a mistake is named with what was found", () => {
  test.each<{ name: string; env?: NodeJS.ProcessEnv; flags?: ServeFlags; says: string }>([
    {
      name: "everything that is missing",
      env: { APP_ID: "", PRIVATE_KEY: "", WEBHOOK_SECRET: "" },
      says: "APP_ID, PRIVATE_KEY (or PRIVATE_KEY_PATH), WEBHOOK_SECRET are not set",
    },
    { name: "a client id", env: { APP_ID: "Iv1.abc" }, says: "APP_ID is Iv1.abc" },
    {
      name: "two keys",
      env: { PRIVATE_KEY_PATH: "/x" },
      says: "PRIVATE_KEY and PRIVATE_KEY_PATH are both set",
    },
    {
      name: "a key that is not there",
      env: { PRIVATE_KEY: "", PRIVATE_KEY_PATH: "/nowhere/key.pem" },
      says: "PRIVATE_KEY_PATH is /nowhere/key.pem, which cannot be read: ENOENT",
    },
    {
      name: "a cut key",
      env: { PRIVATE_KEY: PRIVATE_KEY.slice(0, 90) },
      says: "PRIVATE_KEY has 90 characters",
    },
    { name: "another kind of key", env: { PRIVATE_KEY: EC_KEY }, says: "no RSA private key" },
    {
      name: "Probot's own secret",
      env: { WEBHOOK_SECRET: "development" },
      says: "WEBHOOK_SECRET is `development`",
    },
    { name: "a port that is none", env: { PORT: "http" }, says: "(PORT or --port) is http" },
    { name: "a port that is too high", flags: { port: "65536" }, says: "(PORT or --port) is 65536" },
    { name: "a host with a scheme", flags: { host: "http://x" }, says: '(HOST or --host) is "http://x"' },
    { name: "an unknown level", env: { LOG_LEVEL: "loud" as never }, says: "LOG_LEVEL is loud" },
    { name: "an unknown format", env: { LOG_FORMAT: "xml" as never }, says: "LOG_FORMAT is xml" },
    {
      name: "half of a GitHub",
      env: { GITHUB_API_URL: "https://ghe.example/api/v3" },
      says: "GITHUB_API_URL is set and GITHUB_SERVER_URL is not",
    },
    {
      name: "a GitHub without encryption",
      env: { GITHUB_API_URL: "http://ghe.example", GITHUB_SERVER_URL: "https://ghe.example" },
      says: "GITHUB_API_URL is http://ghe.example",
    },
    {
      name: "a name that only looks like loopback",
      env: { GITHUB_API_URL: "http://127.0.0.1.evil.example", GITHUB_SERVER_URL: "https://ghe.example" },
      says: "GITHUB_API_URL is http://127.0.0.1.evil.example",
    },
    { name: "a home that moves", env: { KORYPH_HOME: "here" }, says: "KORYPH_HOME is here" },
    {
      name: "a short key for tokens",
      env: { KORYPH_TOKEN_KEY: "c2hvcnQ=" },
      says: "KORYPH_TOKEN_KEY holds 5 bytes",
    },
    { name: "a passphrase for tokens", env: { KORYPH_TOKEN_KEY: "my pass" }, says: "neither base64 nor hex" },
    {
      name: "smee without encryption",
      flags: { smee: "http://smee.io/x" },
      says: "--smee is http://smee.io/x",
    },
  ])("$name", ({ env = {}, flags = {}, says }) => {
    expect(refusal(env, flags).message).toContain(says);
  });

  test.each<{ name: string; env: NodeJS.ProcessEnv; secret: string }>([
    { name: "a bad key", env: { PRIVATE_KEY: "hunter2hunter2" }, secret: "hunter2" },
    { name: "a bad token key", env: { KORYPH_TOKEN_KEY: "hunter2hunter2" }, secret: "hunter2" },
    {
      name: "a password in an address",
      env: { GITHUB_API_URL: "https://me:hunter2@ghe.example", GITHUB_SERVER_URL: "https://ghe.example" },
      secret: "hunter2",
    },
    {
      name: "a password in something that is no address",
      env: { GITHUB_API_URL: "https//me:hunter2@ghe.example", GITHUB_SERVER_URL: "https://ghe.example" },
      secret: "hunter2",
    },
  ])("but $name is not repeated", ({ env, secret }) => {
    const { message, hint } = refusal(env);
    expect(`${message} ${hint}`).not.toContain(secret);
  });
});

test.each(["json", "pretty"] as const)("no secret reaches the log as %s, however it is put", (format) => {
  const settings = read();
  const lines: string[] = [];
  const secrets = secretsOf(settings);
  const log = openLog({ level: "trace", format, secrets, write: (line) => lines.push(line) });
  log.info({ settings }, "settings");
  log.info(`the secret is ${SECRET}`);
  log.error(new Error(`bad key ${PRIVATE_KEY} and ${ENV.KORYPH_TOKEN_KEY}`));
  log.child({ who: SECRET }).warn({ deep: [{ er: { text: `x${SECRET}y` } }] }, "%s", PRIVATE_KEY);
  const said = lines.join("\n");
  const inside = PRIVATE_KEY.split("\n").slice(1, -2);
  expect(lines).toHaveLength(4);
  for (const secret of [SECRET, ENV.KORYPH_TOKEN_KEY ?? "", ...inside]) expect(said).not.toContain(secret);
  expect(said).not.toContain("7,");
  expect(said).toContain("settings");
});

test.each(["json", "pretty"] as const)("no text makes a line of its own in the log as %s", (format) => {
  const fake = "12:00:00 info  koryph answered a comment";
  const hostile = `x\n${fake}\r${fake}\u2028${fake}\u0085\u001b[2K\u001b[1G${fake}`;
  const lines: string[] = [];
  const log = openLog({ level: "trace", format, secrets: [], write: (line) => lines.push(line) });
  log.info(hostile);
  log.info({ by: hostile }, "words");
  log.error(new Error(hostile));
  expect(lines).toHaveLength(3);
  // As a terminal or a pager would show them.
  const shown = lines.flatMap((line) => line.split(/[\n\r\u0085\u2028\u001b]/));
  expect(shown.filter((line) => line.startsWith(fake.slice(0, 8)) && line.includes(fake))).toEqual([]);
  expect(lines.join("").replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
});
