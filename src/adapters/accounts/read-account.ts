import { realpath } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { AccountPin, FoundAccount } from "../../core/govern/account-pin.js";
import type { AccountProfile } from "../../core/govern/verify-identity.js";
import type { Variables } from "../../core/runtimes/agent-environment.js";
import type { ProfileDescription, RuntimeDescriptor } from "../../core/runtimes/runtime-descriptor.js";
import { readAgentText } from "../git/exec/agent-file.js";
import { accountDigest } from "./account-digest.js";

/** Claude Code keeps the history of all projects in the same file. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A program that writes its file anew while we look is no other account: so long it is looked at again. */
const LOOKS = 4;
const LOOK_PAUSE_MS = 60;

type Place = Pick<AccountPin, "profile" | "variable">;

/** The account that a credential belongs to, as far as this machine can tell. */
export async function readAccount(
  runtime: RuntimeDescriptor,
  place: Place,
  parent: Variables,
  between: () => Promise<unknown> = () => pause(LOOK_PAUSE_MS),
): Promise<AccountProfile> {
  return withoutSecret(await lookUp(runtime, place, { parent, between }));
}

function withoutSecret(found: FoundAccount): AccountProfile {
  if (!("secret" in found)) return found;
  return { mode: found.mode, fingerprint: accountDigest(found.secret) };
}

async function lookUp(
  { account, credentials }: RuntimeDescriptor,
  { profile, variable }: Place,
  { parent, between }: { readonly parent: Variables; readonly between: () => Promise<unknown> },
): Promise<FoundAccount> {
  if (variable !== null) {
    const secret = parent[variable];
    if (!secret || !credentials.anyOf.includes(variable)) return { mode: "missing" };
    return { mode: account.tokens.includes(variable) ? "oauth-token" : "api-key", secret };
  }
  if (profile === null || account.profile === undefined) return { mode: "missing" };
  for (let look = 1; ; look += 1) {
    const found = await readProfile(account.profile, profile);
    const isClear = found.mode !== "missing" && found.mode !== "unreadable";
    if (isClear || look === LOOKS) return found;
    await between();
  }
}

/** What a folder's files say. Links are not followed: whoever can put one there could name any account. */
async function readProfile(description: ProfileDescription, folder: string): Promise<FoundAccount> {
  try {
    if ((await realpath(folder)) !== folder) return { mode: "unreadable" };
    const texts = await Promise.all(description.files(folder).map((path) => readAgentText(path, MOST_BYTES)));
    if (texts.includes("strange")) return { mode: "unreadable" };
    return description.read(texts.map((text) => (text === "absent" ? null : text)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A machine that is short of something says nothing about an account.
    if (code === "EMFILE" || code === "ENFILE" || code === "ENOMEM") throw error;
    return { mode: code === "ENOENT" ? "missing" : "unreadable" };
  }
}
