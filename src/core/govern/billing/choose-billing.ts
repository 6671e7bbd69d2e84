import type { QuotaLevel } from "../quota-level.js";
import { type AccountMark, isSameAccount } from "../verify-identity.js";

export interface BillingFacts {
  /** How the account stands that the agent usually works on. */
  readonly level: QuotaLevel;
  /** False where the level is only assumed, because nobody could measure the window. */
  readonly measured: boolean;
  /** `--allow-api-spend`. */
  readonly allowed: boolean;
  /** The variable that the project names for the runtime's key; null where it names none. */
  readonly variable: string | null;
  /** The run has a budget. */
  readonly budgeted: boolean;
  /** The key that is in that variable, by its fingerprint; null where there is none that can be used. */
  readonly key: AccountMark | null;
  /** The account that the project pins for the runtime; null where it pins none. */
  readonly pin: AccountMark | null;
}

/** Why nobody pays by use for an agent whose plan is used up. */
export type BillingRefusal =
  | "spend_unmeasured"
  | "spend_not_asked_for"
  | "spend_not_opted_in"
  | "spend_without_budget"
  | "spend_key_missing"
  | "spend_pinned_elsewhere";

export type Billing =
  | { readonly kind: "subscription" }
  | { readonly kind: "api-key"; readonly account: AccountMark }
  | { readonly kind: "refuse"; readonly code: BillingRefusal };

/**
 * Who pays for an agent that is to be started: its usual account up to the last level of the quota, and from there on a
 * key that is paid by use, if everybody has said so who has to. First match wins.
 */
export function chooseBilling(facts: BillingFacts): Billing {
  const { level, measured, allowed, variable, budgeted, key, pin } = facts;
  if (level !== "stop") return { kind: "subscription" };
  // Money is not spent because something could not be read.
  if (!measured) return refuse("spend_unmeasured");
  if (!allowed) return refuse("spend_not_asked_for");
  if (variable === null) return refuse("spend_not_opted_in");
  if (!budgeted) return refuse("spend_without_budget");
  if (key === null) return refuse("spend_key_missing");
  // A project that pins an account is not moved to another one behind its back.
  if (pin !== null && !isSameAccount(pin, key)) return refuse("spend_pinned_elsewhere");
  return { kind: "api-key", account: { ...key, billing: "api-key" } };
}

function refuse(code: BillingRefusal): Billing {
  return { kind: "refuse", code };
}
