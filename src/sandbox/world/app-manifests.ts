import { createHash, randomBytes } from "node:crypto";
import { HttpRefusal } from "../http/route.js";
import type { App } from "./app-state.js";
import type { SandboxState } from "./state.js";
import type { World } from "./world.js";
import { addApp, type NewAppKeys } from "./world-apps.js";

/** What GitHub reads of a manifest, checked. */
export interface AppManifest {
  readonly name: string;
  readonly url: string;
  readonly webhookUrl: string | null;
  readonly redirectUrl: string;
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly events: readonly string[];
}

const KNOWN_FIELDS = [
  ...[
    "name",
    "url",
    "hook_attributes",
    "redirect_url",
    "callback_urls",
    "setup_url",
    "description",
    "public",
  ],
  ...["default_events", "default_permissions", "request_oauth_on_install", "setup_on_update"],
];
const MOST_NAME = 34;
const CODE_MS = 60 * 60 * 1000;

interface Waiting {
  readonly app: App;
  readonly keys: NewAppKeys;
  readonly expiresAt: number;
}

/** By the hash of their codes. A sandbox that is started again has forgotten them, as it has the keys. */
const waiting = new WeakMap<SandboxState, Map<string, Waiting>>();

/** Throws what GitHub would answer to a manifest that it cannot use. */
export function readManifest(text: string): AppManifest {
  const manifest = parseObject(text);
  const unknown = Object.keys(manifest).filter((field) => !KNOWN_FIELDS.includes(field));
  if (unknown.length > 0) throw invalid(`it has unknown fields: ${unknown.join(", ")}`);
  const hook = objectIn(manifest, "hook_attributes");
  return {
    name: String(manifest.name ?? "").trim(),
    url: addressIn(manifest, "url"),
    webhookUrl: manifest.hook_attributes === undefined ? null : addressIn(hook, "url"),
    redirectUrl: addressIn(manifest, "redirect_url"),
    permissions: readPermissions(objectIn(manifest, "default_permissions")),
    events: Array.isArray(manifest.default_events) ? manifest.default_events.map(String) : [],
  };
}

/** What a manifest asks for becomes an App. Returns the code that its keys are handed out for, once. */
export async function createFromManifest(
  world: World,
  manifest: AppManifest,
  { owner, name }: { readonly owner: string; readonly name: string },
): Promise<string> {
  const slug = slugOf(name);
  if (slug === "" || name.length > MOST_NAME)
    throw new HttpRefusal(422, `An App's name has 1 to ${MOST_NAME} characters, letters among them.`);
  if (world.state.apps.some((app) => app.slug === slug))
    throw new HttpRefusal(422, `There is an App of the name ${slug} already.`);
  const { webhookUrl, permissions, events } = manifest;
  const keys = await addApp(world, {
    ...{ slug, name, owner, permissions, events },
    ...(webhookUrl !== null && { webhookUrl }),
  });
  const app = world.state.apps.find(({ id }) => id === keys.id);
  if (app === undefined) throw new Error("an App that was made is there");
  const code = randomBytes(20).toString("hex");
  const codes = waiting.get(world.state) ?? new Map<string, Waiting>();
  waiting.set(world.state, codes.set(hashOf(code), { app, keys, expiresAt: world.now() + CODE_MS }));
  return code;
}

/** Null for a code that there never was, that was used, or whose hour is over. */
export function takeManifestCode(world: World, code: string): Omit<Waiting, "expiresAt"> | null {
  const codes = waiting.get(world.state);
  const found = codes?.get(hashOf(code));
  codes?.delete(hashOf(code));
  return found === undefined || found.expiresAt <= world.now() ? null : found;
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "");
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid("it is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("it is no object");
  return value as Fields;
}

function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name] ?? {};
  if (typeof value !== "object" || Array.isArray(value)) throw invalid(`${name} is no object`);
  return value as Fields;
}

function addressIn(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== "string" || !/^https?:\/\//.test(value) || !URL.canParse(value))
    throw invalid(`${name} is no address`);
  return value;
}

function readPermissions(fields: Fields): Record<string, "read" | "write"> {
  const permissions: Record<string, "read" | "write"> = {};
  for (const [name, level] of Object.entries(fields)) {
    if (level !== "read" && level !== "write") throw invalid(`${name} is neither read nor write`);
    permissions[name] = level;
  }
  return permissions;
}

function invalid(why: string): HttpRefusal {
  return new HttpRefusal(422, `The manifest cannot be used: ${why}.`);
}
