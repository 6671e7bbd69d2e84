import { createHash, randomBytes, randomInt } from "node:crypto";
import type { JsonObject } from "../http/json.js";
import type { Answer } from "../http/route.js";
import type { App, DeviceLogin } from "../world/app-state.js";
import type { World } from "../world/world.js";

const CODE_SECONDS = 900;
const INTERVAL_SECONDS = 5;
const TOKEN_SECONDS = 8 * 60 * 60;
const REFRESH_SECONDS = 184 * 24 * 60 * 60;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** No vowels, so that no code is a word. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** When a device last asked. After a restart it may ask at once, which does no harm. */
const lastAsked = new WeakMap<DeviceLogin, number>();

/**
 * The two addresses of GitHub's device flow. Like GitHub's, answers are form-encoded unless JSON is asked for, and an
 * error has status 200.
 */
export function answerLogin(
  world: World,
  path: string,
  form: URLSearchParams,
  accept: string | undefined,
): Answer {
  const app = world.state.apps.find(({ clientId }) => clientId === form.get("client_id"));
  if (path.endsWith("/login/device/code")) {
    if (app === undefined) return encoded(accept, 404, { error: "Not Found" });
    return encoded(accept, 200, begin(world, app));
  }
  if (app === undefined) return encoded(accept, 200, refused("incorrect_client_credentials"));
  return encoded(accept, 200, grant(world, app, form));
}

/** The person at the page enters the code and says yes. False when no device waits with that code. */
export function approveDevice(world: World, userCode: string, login: string): boolean {
  const waiting = waitingWith(world, userCode);
  if (waiting === null || world.user(login) === null) return false;
  waiting.approvedBy = login;
  return true;
}

/** The same, and says no. */
export function denyDevice(world: World, userCode: string): boolean {
  const waiting = waitingWith(world, userCode);
  if (waiting === null) return false;
  waiting.denied = true;
  return true;
}

function waitingWith(world: World, userCode: string): DeviceLogin | null {
  const code = userCode.trim().toUpperCase();
  const found = world.state.deviceLogins.find((login) => login.userCode === code);
  return found === undefined || isOver(world, found) ? null : found;
}

function isOver(world: World, { expiresAt }: DeviceLogin): boolean {
  return Date.parse(expiresAt) <= world.now();
}

function begin(world: World, app: App): JsonObject {
  const letters = Array.from({ length: 8 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join("");
  const login: DeviceLogin = {
    deviceCode: randomBytes(20).toString("hex"),
    userCode: `${letters.slice(0, 4)}-${letters.slice(4)}`,
    app: app.id,
    expiresAt: timeAfter(world, CODE_SECONDS),
    intervalSeconds: INTERVAL_SECONDS,
    approvedBy: null,
    denied: false,
  };
  world.state.deviceLogins.push(login);
  return {
    device_code: login.deviceCode,
    user_code: login.userCode,
    verification_uri: `${world.url}/_/login`,
    expires_in: CODE_SECONDS,
    interval: INTERVAL_SECONDS,
  };
}

function grant(world: World, app: App, form: URLSearchParams): JsonObject {
  switch (form.get("grant_type")) {
    case DEVICE_GRANT:
      return grantDevice(world, app, form.get("device_code") ?? "");
    case "refresh_token":
      return grantRefresh(world, app, form.get("refresh_token") ?? "");
    default:
      return refused("unsupported_grant_type");
  }
}

function grantDevice(world: World, app: App, deviceCode: string): JsonObject {
  const { deviceLogins } = world.state;
  const login = deviceLogins.find((one) => one.deviceCode === deviceCode && one.app === app.id);
  if (login === undefined) return refused("incorrect_device_code");
  if (isOver(world, login)) return refused("expired_token");
  if (login.denied) return refused("access_denied");
  const asked = lastAsked.get(login);
  lastAsked.set(login, world.now());
  if (asked !== undefined && world.now() - asked < login.intervalSeconds * 1000) {
    login.intervalSeconds += INTERVAL_SECONDS;
    return { ...refused("slow_down"), interval: login.intervalSeconds };
  }
  if (login.approvedBy === null) return refused("authorization_pending");
  // A code is good for one token.
  world.state.deviceLogins = deviceLogins.filter((one) => one !== login);
  return newTokens(world, app, login.approvedBy);
}

/** A refresh replaces both tokens: the old ones are worth nothing afterwards. */
function grantRefresh(world: World, app: App, refreshToken: string): JsonObject {
  const hash = hashOf(accessTokenOf(refreshToken));
  const old = world.state.tokens.find((token) => token.hash === hash && token.app === app.id);
  const issued = Date.parse(old?.expiresAt ?? "") - TOKEN_SECONDS * 1000;
  if (old === undefined || old.login === null || !(world.now() < issued + REFRESH_SECONDS * 1000)) {
    return refused("bad_refresh_token");
  }
  world.state.tokens = world.state.tokens.filter((token) => token !== old);
  return newTokens(world, app, old.login);
}

function newTokens(world: World, app: App, login: string): JsonObject {
  const refreshToken = `ghr_${randomBytes(36).toString("hex")}`;
  const accessToken = accessTokenOf(refreshToken);
  world.state.tokens.push({
    hash: hashOf(accessToken),
    kind: "user-to-server",
    login,
    app: app.id,
    installation: null,
    permissions: { ...app.permissions },
    repositories: null,
    expiresAt: timeAfter(world, TOKEN_SECONDS),
  });
  return {
    access_token: accessToken,
    expires_in: TOKEN_SECONDS,
    refresh_token: refreshToken,
    refresh_token_expires_in: REFRESH_SECONDS,
    token_type: "bearer",
    scope: "",
  };
}

/** One follows from the other, so that only the hash of one need be kept. */
function accessTokenOf(refreshToken: string): string {
  return `ghu_${hashOf(`access ${refreshToken}`)}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function timeAfter(world: World, seconds: number): string {
  return new Date(world.now() + seconds * 1000).toISOString();
}

const REASONS = {
  authorization_pending: "The authorization request is still pending.",
  slow_down: "Too many requests have been made in the same timeframe.",
  expired_token: "The `device_code` has expired.",
  access_denied: "The authorization request was denied.",
  incorrect_device_code: "The device_code provided is not valid.",
  incorrect_client_credentials: "The client_id and/or client_secret passed are incorrect.",
  unsupported_grant_type: "The grant_type is not one that is known here.",
  bad_refresh_token: "The refresh token passed is incorrect or expired.",
} as const;

function refused(error: keyof typeof REASONS): JsonObject {
  const anchor = error.replaceAll("_", "-");
  return {
    error,
    error_description: REASONS[error],
    error_uri: `https://docs.github.com/developers/apps/authorizing-oauth-apps#error-codes-for-the-device-flow-${anchor}`,
  };
}

function encoded(accept: string | undefined, status: number, body: JsonObject): Answer {
  if (accept?.includes("json")) return { status, body };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) form.set(name, String(value));
  return {
    status,
    raw: Buffer.from(form.toString()),
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
  };
}
