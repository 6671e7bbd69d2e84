import { KeptAppFiles } from "../../adapters/home/kept-app-files.js";
import { type KoryphHome, locateHome } from "../../adapters/home/koryph-home.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { keptAppAdvice } from "../../core/replies/app/kept-app.js";
import { settingsAdvice, settingsWarnings } from "../../core/replies/app/serve.js";
import { UserError } from "../../lib/user-error.js";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "../http/server-log.js";
import { appVariables, keptSettings } from "./kept-settings.js";
import { readPrivateKey } from "./serve-private-key.js";

/** Every variable the server reads; docs/app.md has a row for each. */
export const SERVER_VARIABLES = [
  "APP_ID",
  "PRIVATE_KEY",
  "PRIVATE_KEY_PATH",
  "WEBHOOK_SECRET",
  "PORT",
  "HOST",
  "LOG_LEVEL",
  "LOG_FORMAT",
  "GITHUB_API_URL",
  "GITHUB_SERVER_URL",
  "KORYPH_HOME",
  "KORYPH_TOKEN_KEY",
  "KORYPH_SIGNING_KEY_PATH",
  "KORYPH_CLONES_MIB",
  "WEBHOOK_PROXY_URL",
] as const;

/** What the command line says; it goes before the environment. */
export interface ServeFlags {
  readonly port?: string;
  readonly host?: string;
  readonly smee?: string;
  readonly localAgents?: string;
}

export interface Settings {
  readonly appId: number;
  /** PEM. */
  readonly privateKey: string;
  /** The variable that gave it, or the file. */
  readonly privateKeyFrom: string;
  /** The folder of the App that was set up for this home; null where the environment names the App. */
  readonly keptIn: string | null;
  readonly webhookSecret: string;
  readonly port: number;
  readonly host: string;
  readonly logLevel: LogLevel;
  /** Null: whatever suits the place the lines go to. */
  readonly logFormat: LogFormat | null;
  /** Without a slash at the end, as the next one. */
  readonly apiUrl: string;
  readonly serverUrl: string;
  readonly home: KoryphHome;
  /** 32 bytes; null means that accounts cannot be linked. */
  readonly tokenKey: Uint8Array | null;
  /** Of the App's own SSH key; null means that what is rebased cannot be signed. */
  readonly signingKey: string | null;
  /** What the App's clones may take on the disk. */
  readonly clonesBytes: number;
  readonly webhookProxy: string | null;
  /** Repositories whose agents this server starts itself: `owner/name`, in small letters. */
  readonly localAgents: readonly string[];
  readonly warnings: readonly string[];
}

const SHORT_SECRET = 16;

/** The first mistake throws; what is missing is named all at once. */
export function readSettings(given: NodeJS.ProcessEnv, flags: ServeFlags): Settings {
  const kept = keptSettings(given);
  const env: NodeJS.ProcessEnv = { ...given, ...kept?.variables };
  const { APP_ID: appId = "", WEBHOOK_SECRET: secret = "" } = env;
  const privateKey = readPrivateKey(env);
  requireGiven(env, {
    APP_ID: appId !== "",
    "PRIVATE_KEY (or PRIVATE_KEY_PATH)": privateKey !== null,
    WEBHOOK_SECRET: secret !== "",
  });
  if (!/^[1-9]\d{0,14}$/.test(appId)) throw UserError.of(settingsAdvice.appId(appId));
  if (secret === "development") throw UserError.of(settingsAdvice.defaultSecret());
  const tokenKey = readTokenKey(env.KORYPH_TOKEN_KEY ?? "");
  const proxy = flags.smee ?? env.WEBHOOK_PROXY_URL ?? "";
  return {
    appId: Number(appId),
    privateKey: privateKey ?? "",
    privateKeyFrom:
      kept?.variables.PRIVATE_KEY_PATH ?? (env.PRIVATE_KEY_PATH ? "PRIVATE_KEY_PATH" : "PRIVATE_KEY"),
    keptIn: kept?.folder ?? null,
    webhookSecret: secret,
    port: readPort(flags.port ?? (env.PORT || "3000")),
    host: readHost(flags.host ?? (env.HOST || "127.0.0.1")),
    logLevel: choice("LOG_LEVEL", env.LOG_LEVEL || "info", LOG_LEVELS),
    logFormat: env.LOG_FORMAT ? choice("LOG_FORMAT", env.LOG_FORMAT, LOG_FORMATS) : null,
    ...readGitHub(env),
    home: locateHome(env),
    tokenKey,
    signingKey: env.KORYPH_SIGNING_KEY_PATH || null,
    clonesBytes: readMib(env.KORYPH_CLONES_MIB || "10240") * 1024 ** 2,
    webhookProxy:
      proxy === "" ? null : readUrl(flags.smee === undefined ? "WEBHOOK_PROXY_URL" : "--smee", proxy),
    localAgents: readRepositories(flags.localAgents ?? ""),
    warnings: [
      ...(secret.length < SHORT_SECRET ? [settingsWarnings.shortSecret(secret.length, SHORT_SECRET)] : []),
      ...(secret.trim() === secret ? [] : [settingsWarnings.spacedSecret()]),
      ...(tokenKey === null ? [settingsWarnings.noTokenKey()] : []),
    ],
  };
}

/** What no log line may hold, in the forms it may turn up in. */
export function secretsOf({ privateKey, webhookSecret, tokenKey }: Settings): string[] {
  const key = tokenKey === null ? [] : [Buffer.from(tokenKey)];
  return [
    privateKey,
    privateKey.trim(),
    webhookSecret,
    ...key.flatMap((bytes) => [bytes.toString("base64"), bytes.toString("hex")]),
  ];
}

function requireGiven(env: NodeJS.ProcessEnv, given: Readonly<Record<string, boolean>>): void {
  const missing = Object.keys(given).filter((name) => given[name] === false);
  if (missing.length === 0) return;
  const kept = new KeptAppFiles(locateHome(env));
  if (kept.isThere) throw UserError.of(keptAppAdvice.passedOver(missing, appVariables(env), kept.folder));
  if (kept.isUnfinished) throw UserError.of(keptAppAdvice.unfinished(kept.answerFile));
  throw UserError.of(settingsAdvice.missing(missing, docsPath("app.md")));
}

export function readPort(found: string): number {
  if (!/^\d{1,5}$/.test(found) || Number(found) > 65_535) throw UserError.of(settingsAdvice.port(found));
  return Number(found);
}

function readMib(found: string): number {
  if (!/^\d{1,9}$/.test(found)) throw UserError.of(settingsAdvice.clonesMib(found));
  return Number(found);
}

function readRepositories(found: string): string[] {
  const names = found
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  const wrong = names.find((name) => !/^[\w.-]+\/[\w.-]+$/.test(name));
  if (wrong !== undefined) throw UserError.of(settingsAdvice.repositories(wrong));
  return names;
}

function readHost(found: string): string {
  if (!/^[\w.:%-]+$/.test(found)) throw UserError.of(settingsAdvice.host(found));
  return found;
}

function choice<T extends string>(variable: string, found: string, choices: readonly T[]): T {
  const chosen = choices.find((each) => each === found.toLowerCase());
  if (chosen === undefined)
    throw UserError.of(settingsAdvice.oneOf(variable, found, choices, docsPath("app.md")));
  return chosen;
}

export function readGitHub({ GITHUB_API_URL: api = "", GITHUB_SERVER_URL: server = "" }: NodeJS.ProcessEnv) {
  if (api === "" && server !== "")
    throw UserError.of(settingsAdvice.urlPair("GITHUB_API_URL", "GITHUB_SERVER_URL"));
  if (api !== "" && server === "")
    throw UserError.of(settingsAdvice.urlPair("GITHUB_SERVER_URL", "GITHUB_API_URL"));
  return {
    apiUrl: readUrl("GITHUB_API_URL", api || "https://api.github.com"),
    serverUrl: readUrl("GITHUB_SERVER_URL", server || "https://github.com"),
  };
}

function readUrl(variable: string, found: string): string {
  const url = URL.canParse(found) ? new URL(found) : null;
  // Shown without what could be a password in it.
  if (url !== null && `${url.username}${url.password}${url.search}${url.hash}` !== "")
    throw UserError.of(settingsAdvice.url(variable, url.origin, "an address without credentials, ? and #"));
  if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))))
    throw UserError.of(
      settingsAdvice.url(
        variable,
        url === null ? "no address" : found,
        "an address that begins with https://",
      ),
    );
  return url.href.replace(/\/+$/, "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

function readTokenKey(found: string): Uint8Array | null {
  if (found === "") return null;
  const hex = /^[0-9a-f]{64}$/i.test(found);
  if (!hex && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(found)) throw UserError.of(settingsAdvice.tokenKey(null));
  const bytes = Buffer.from(found, hex ? "hex" : "base64");
  if (bytes.length !== 32) throw UserError.of(settingsAdvice.tokenKey(bytes.length));
  // A log would write its bytes one by one, which no search for the key would find.
  return Object.defineProperty(new Uint8Array(bytes), "toJSON", { value: () => "[redacted]" });
}
