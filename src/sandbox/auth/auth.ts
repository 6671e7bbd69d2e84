import { createHash, createVerify, randomBytes } from "node:crypto";
import { type Caller, HttpRefusal, type Need, type Route } from "../http/route.js";
import { fullName } from "../render/repository.js";
import type { App, Token } from "../world/app-state.js";
import { covers } from "../world/deliver.js";
import type { Repository, RoleName } from "../world/state.js";
import type { Mover, World } from "../world/world.js";

const ROLES: readonly RoleName[] = ["none", "read", "triage", "write", "maintain", "admin"];
/** GitHub takes no JSON Web Token that lives longer. */
const LONGEST_JWT_SECONDS = 600;

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

type NewToken = Omit<Token, "hash" | "shown">;

/** A new token, which is kept only as its hash. `ghs_`, `ghu_` and `gho_` are the beginnings GitHub uses. */
export function issueToken(world: World, prefix: string, token: NewToken): string {
  const text = `${prefix}${randomBytes(36).toString("hex")}`;
  keepToken(world, text, token);
  return text;
}

/** One that people type or copy: shorter, and kept as it is. */
export function issueShownToken(world: World, prefix: string, token: NewToken): string {
  const text = `${prefix}${randomBytes(18).toString("hex")}`;
  keepToken(world, text, { ...token, shown: text });
  return text;
}

function keepToken(world: World, text: string, token: Omit<Token, "hash">): void {
  world.state.tokens.push({ ...token, hash: hashOf(text) });
  // The counter tells that there is something to write down.
  world.newId();
}

/** The token or JSON Web Token in an Authorization header; null when there is none. */
export function credentialOf(header: string | undefined): string | null {
  const [, scheme = "", value = ""] = /^(\w+)\s+(.+)$/.exec(header ?? "") ?? [];
  if (/^(bearer|token)$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return null;
  const [name = "", ...password] = Buffer.from(value, "base64").toString().split(":");
  return password.join(":") || name || null;
}

/** Who sends a credential. Wrong ones throw what GitHub answers. */
export function identify(world: World, credential: string | null): Caller {
  if (credential === null) return { kind: "nobody" };
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(credential)) return { kind: "app", app: verifyJwt(world, credential) };
  const hash = hashOf(credential);
  const token = world.state.tokens.find((each) => each.hash === hash);
  if (token === undefined || (token.expiresAt !== null && Date.parse(token.expiresAt) <= world.now()))
    throw new HttpRefusal(401, "Bad credentials");
  const app = world.state.apps.find(({ id }) => id === token.app) ?? null;
  if (token.kind !== "installation") {
    if (token.login === null || world.user(token.login) === null)
      throw new HttpRefusal(401, "Bad credentials");
    return { kind: "user", login: token.login, app };
  }
  const installation = app?.installations.find(({ id }) => id === token.installation);
  if (app === null || installation === undefined) throw new HttpRefusal(401, "Bad credentials");
  if (installation.suspended) throw new HttpRefusal(403, "This installation has been suspended");
  const { permissions, repositories } = token;
  const login = `${app.slug}[bot]`;
  return { kind: "installation", app, installation, permissions, repositories, login };
}

function verifyJwt(world: World, jwt: string): App {
  const [head = "", body = "", signature = ""] = jwt.split(".");
  const { alg } = readPart(head);
  const { iss, iat, exp } = readPart(body);
  const app = world.state.apps.find(({ id, clientId }) => String(id) === String(iss) || clientId === iss);
  if (app === undefined) throw new HttpRefusal(404, "Integration not found");
  const verify = createVerify("RSA-SHA256").update(`${head}.${body}`);
  if (alg !== "RS256" || !verify.verify(app.publicKey, signature, "base64url"))
    throw new HttpRefusal(401, "A JSON web token could not be decoded");
  // Clients that find their clock off read these sentences, and our Date header, and try again.
  const seconds = world.now() / 1000;
  if (typeof iat !== "number" || iat > seconds + 60)
    throw new HttpRefusal(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  if (typeof exp !== "number" || exp < seconds)
    throw new HttpRefusal(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  if (exp > seconds + LONGEST_JWT_SECONDS)
    throw new HttpRefusal(401, "'Expiration time' claim ('exp') is too far in the future");
  return app;
}

function readPart(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not JSON: answered like anything else that is no token.
  }
  throw new HttpRefusal(401, "A JSON web token could not be decoded");
}

/** Throws what GitHub answers when a caller may not do this. `repository` is null for what concerns none. */
export function admitCaller(
  world: World,
  { needs, role, method }: Pick<Route, "needs" | "role" | "method">,
  { caller, repository }: { readonly caller: Caller; readonly repository: Repository | null },
): void {
  if (needs === "anyone") return;
  if (needs === "app") {
    if (caller.kind !== "app") throw new HttpRefusal(401, "A JSON web token could not be decoded");
    return;
  }
  if (caller.kind === "app") throw new HttpRefusal(401, "A JSON web token could not be decoded");
  if (repository !== null && !sees(world, caller, repository)) throw new HttpRefusal(404, "Not Found");
  if (caller.kind === "nobody") {
    if (needs === "token" || method !== "GET") throw new HttpRefusal(401, "Requires authentication");
    return;
  }
  if (needs === "token") return;
  if (!allows(world, caller, { needs, role, repository })) {
    const message = caller.kind === "user" ? "Must have more rights to Repository." : null;
    throw new HttpRefusal(403, message ?? "Resource not accessible by integration");
  }
}

/** Whether a repository exists, as far as the caller can tell. */
export function sees(world: World, caller: Caller, repository: Repository): boolean {
  if (!repository.private) return true;
  if (caller.kind === "user") return world.role(repository, caller.login) !== "none";
  return caller.kind === "installation" && reaches(caller, repository);
}

function reaches(caller: Extract<Caller, { kind: "installation" }>, repository: Repository): boolean {
  if (!covers(caller.installation, repository)) return false;
  const name = fullName(repository).toLowerCase();
  return caller.repositories === null || caller.repositories.some((each) => each.toLowerCase() === name);
}

/** Whether a caller has one of the permissions asked for. */
export function allows(
  world: World,
  caller: Caller,
  asked: { readonly needs: Need; readonly role?: Route["role"]; readonly repository: Repository | null },
): boolean {
  const { needs, role, repository } = asked;
  const granted = (permissions: Readonly<Record<string, string>>) =>
    Object.entries(needs).some(
      ([name, level]) => name === "metadata" || permissions[name] === "write" || permissions[name] === level,
    );
  if (caller.kind === "installation") {
    if (repository === null || reaches(caller, repository)) return granted(caller.permissions);
    // Of public repositories elsewhere everybody can read.
    return !repository.private && Object.values(needs).every((level) => level === "read");
  }
  if (caller.kind !== "user") return false;
  if (caller.app !== null && !granted(caller.app.permissions)) return false;
  if (repository === null) return true;
  return ROLES.indexOf(world.role(repository, caller.login)) >= ROLES.indexOf(role ?? leastRole(needs));
}

function leastRole(needs: Need): RoleName {
  if (Object.values(needs).includes("read")) return "read";
  return needs.issues === "write" ? "triage" : "write";
}

/** As whom a caller moves refs; a person's own token may change workflows. */
export function moverOf(caller: Caller): Mover {
  if (caller.kind === "installation")
    return { login: caller.login, app: caller.app.id, workflows: caller.permissions.workflows === "write" };
  if (caller.kind !== "user") throw new HttpRefusal(401, "Requires authentication");
  const { login, app } = caller;
  return { login, app: app?.id ?? null, workflows: app === null || app.permissions.workflows === "write" };
}
