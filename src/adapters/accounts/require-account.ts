import { type PinnedAccounts, pinOf } from "../../core/govern/account-pin.js";
import {
  type AccountMark,
  type IdentityDecision,
  type IdentityRefusal,
  verifyIdentity,
} from "../../core/govern/verify-identity.js";
import { accountAdvice } from "../../core/replies/runtimes/account-words.js";
import type { Variables } from "../../core/runtimes/agent-environment.js";
import type { RuntimeDescriptor } from "../../core/runtimes/runtime-descriptor.js";
import { AccountRefused } from "../../ports/agent-runtime.js";
import { accountDigest } from "./account-digest.js";
import { readAccount } from "./read-account.js";

/** Whether a runtime's agents would work on the account that the project pins for it. */
export async function verifyAccount(
  runtime: RuntimeDescriptor,
  accounts: PinnedAccounts,
  parent: Variables,
): Promise<IdentityDecision> {
  const pin = pinOf(accounts, runtime.name);
  const found = pin === null ? ({ mode: "missing" } as const) : await readAccount(runtime, pin, parent);
  return verifyIdentity(found, pin?.expect ?? null, accountDigest);
}

/** The same for whoever goes no further without it. Throws `AccountRefused`. */
export async function requireAccount(
  runtime: RuntimeDescriptor,
  accounts: PinnedAccounts,
  parent: Variables,
): Promise<AccountMark> {
  const decision = await verifyAccount(runtime, accounts, parent);
  if (decision.kind === "refused") throw refusedAccount(decision.why, runtime, accounts);
  const { mode, fingerprint } = decision;
  return { mode, fingerprint };
}

export function refusedAccount(
  why: IdentityRefusal,
  runtime: RuntimeDescriptor,
  accounts: PinnedAccounts,
): AccountRefused {
  const { message, hint } = accountAdvice.refused(why, runtime, accounts);
  return new AccountRefused(message, hint);
}
