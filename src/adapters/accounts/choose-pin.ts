import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AccountPin } from "../../core/govern/account-pin.js";
import { accountAdvice } from "../../core/replies/runtimes/account-words.js";
import type { Variables } from "../../core/runtimes/agent-environment.js";
import type { RuntimeDescriptor } from "../../core/runtimes/runtime-descriptor.js";
import { UserError } from "../../lib/user-error.js";
import { existingFolder } from "../project/existing-folder.js";
import { readAccount } from "./read-account.js";

/** What an operator asks for: an address, or else the key that is there. */
export interface PinRequest {
  readonly expect?: string;
  readonly profile?: string;
  readonly variable?: string;
}

const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** The pin that is asked for. Of a key the fingerprint is taken where it is now; an address may be signed in to later. */
export async function choosePin(
  runtime: RuntimeDescriptor,
  { expect, profile, variable }: PinRequest,
  parent: Variables,
): Promise<AccountPin> {
  if ((expect !== undefined || profile !== undefined) && runtime.account.profile === undefined)
    throw UserError.of(accountAdvice.noProfile(runtime));
  if (expect !== undefined) {
    const email = expect.trim();
    if (!ADDRESS.test(email)) throw UserError.of(accountAdvice.notAnAddress(expect));
    const folder = await folderOf(runtime, profile, parent);
    return { profile: folder, variable: null, expect: { mode: "login", email } };
  }
  const place =
    profile === undefined
      ? { profile: null, variable: variableOf(runtime, variable, parent) }
      : { profile: await folderOf(runtime, profile, parent), variable: null };
  const found = await readAccount(runtime, place, parent);
  if (!("fingerprint" in found)) throw UserError.of(accountAdvice.noKeyThere(runtime, place));
  return { ...place, expect: found };
}

/** Without links on the way, since none is followed later. Your own one where none is named. */
async function folderOf(
  { account }: RuntimeDescriptor,
  chosen: string | undefined,
  parent: Variables,
): Promise<string> {
  const { variable = "", folder = "" } = account.profile ?? {};
  const own = parent[variable] || join(parent.HOME || homedir(), folder);
  return realpath(await existingFolder(chosen ?? own));
}

function variableOf(runtime: RuntimeDescriptor, chosen: string | undefined, parent: Variables): string {
  const { anyOf } = runtime.credentials;
  if (chosen !== undefined) {
    if (!anyOf.includes(chosen)) throw UserError.of(accountAdvice.unknownVariable(runtime, chosen));
    return chosen;
  }
  const set = anyOf.filter((name) => parent[name]);
  const [only, ...others] = set;
  if (only === undefined || others.length > 0) throw UserError.of(accountAdvice.whichVariable(runtime, set));
  return only;
}
