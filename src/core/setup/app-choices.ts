import { WEBHOOK_PATH } from "../model/delivery.js";
import type { ManifestFacts } from "./app-manifest.js";

/** What the person at the set-up page fills in, as it was sent. */
export interface SentChoices {
  readonly name: string;
  readonly owner: "person" | "organisation";
  readonly organisation: string;
  readonly reach: "address" | "smee";
  readonly address: string;
  readonly channel: string;
}

export interface AppChoices extends ManifestFacts {
  /** Null: the App belongs to whoever makes it. */
  readonly organisation: string | null;
  /** The smee.io channel that webhooks take; null where GitHub reaches the server itself. */
  readonly channel: string | null;
}

export type ChoiceProblem =
  | { readonly field: "name"; readonly why: "empty" | "long" }
  | { readonly field: "organisation"; readonly why: "no-login" }
  /** `secret`: it has a password or a query. `here`: it leads to whoever asks, and GitHub asks from elsewhere. */
  | { readonly field: "address"; readonly why: "no-address" | "secret" | "here" }
  | { readonly field: "channel"; readonly why: "no-channel" };

export type ChoicesReading =
  | { readonly kind: "ok"; readonly choices: AppChoices }
  | { readonly kind: "wrong"; readonly problems: readonly ChoiceProblem[] };

/** GitHub's own limit. */
export const MOST_APP_NAME = 34;

/** All that is wrong is told at once. `serverUrl` is the GitHub that the App is for. */
export function readChoices(sent: SentChoices, serverUrl: string): ChoicesReading {
  const name = sent.name.trim();
  const login = sent.organisation.trim();
  const byOrganisation = sent.owner === "organisation";
  const near = isHere(new URL(serverUrl));
  const reach = sent.reach === "smee" ? readChannel(sent.channel, near) : readAddress(sent.address, near);
  const problems: ChoiceProblem[] = [];
  if (!/[\p{L}\d]/u.test(name)) problems.push({ field: "name", why: "empty" });
  else if ([...name].length > MOST_APP_NAME) problems.push({ field: "name", why: "long" });
  if (byOrganisation && !/^[a-z\d][a-z\d-]{0,38}$/i.test(login))
    problems.push({ field: "organisation", why: "no-login" });
  if ("field" in reach) problems.push(reach);
  if (problems.length > 0 || "field" in reach) return { kind: "wrong", problems };
  // Whoever knows a channel can read along, so it is not what everybody sees as the homepage.
  const homepage = reach.channel === null ? new URL(reach.webhookUrl).origin : serverUrl;
  return {
    kind: "ok",
    choices: { name, homepage, organisation: byOrganisation ? login : null, ...reach },
  };
}

type Reach = Pick<AppChoices, "webhookUrl" | "channel">;

function readAddress(text: string, near: boolean): Reach | ChoiceProblem {
  const url = webAddress(text);
  if (url === null) return { field: "address", why: "no-address" };
  if (hasSecrets(url)) return { field: "address", why: "secret" };
  if (isHere(url) && !near) return { field: "address", why: "here" };
  const before = url.href.replace(/\/+$/, "");
  return {
    webhookUrl: before.endsWith(WEBHOOK_PATH) ? before : `${before}${WEBHOOK_PATH}`,
    channel: null,
  };
}

function readChannel(text: string, near: boolean): Reach | ChoiceProblem {
  const url = webAddress(text);
  const isChannel = url !== null && !hasSecrets(url) && url.pathname.length > 1;
  if (!isChannel || (isHere(url) && !near)) return { field: "channel", why: "no-channel" };
  return { webhookUrl: url.href, channel: url.href };
}

/** Unencrypted only where nothing leaves the machine. */
function webAddress(text: string): URL | null {
  const given = text.trim();
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null) return null;
  return url.protocol === "https:" || (url.protocol === "http:" && isHere(url)) ? url : null;
}

function hasSecrets({ username, password, search, hash }: URL): boolean {
  return `${username}${password}${search}${hash}` !== "";
}

function isHere({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}
