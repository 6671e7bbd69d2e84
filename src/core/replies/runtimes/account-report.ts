import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import { type AccountPin, type PinnedAccounts, pinOf } from "../../govern/account-pin.js";
import type { AccountIdentity, IdentityDecision } from "../../govern/verify-identity.js";
import type { RuntimeDescriptor } from "../../runtimes/runtime-descriptor.js";
import { accountAdvice, accountMarkText, accountPlaceText } from "./account-words.js";

/** What is pinned for a runtime, and what was found. */
export interface ExaminedAccount {
  readonly runtime: RuntimeDescriptor;
  readonly pin: AccountPin;
  readonly decision: IdentityDecision;
}

/** For the operator's own terminal: an address is shown whole. */
export function accountReport(
  accounts: PinnedAccounts,
  examined: readonly ExaminedAccount[],
  fingerprint: (address: string) => string,
): string[] {
  if (examined.length === 0) return [unpinnedText(accounts.project)];
  const rows = examined.flatMap(({ runtime, pin, decision }) => {
    const expects = `expects ${expectedText(pin.expect, fingerprint)}`;
    if (decision.kind === "verified") return [[runtime.name, accountPlaceText(pin), expects, "verified"]];
    const { message, hint } = accountAdvice.refused(decision.why, runtime, accounts);
    return [
      [runtime.name, accountPlaceText(pin), expects, "REFUSED"],
      ["", message],
      ["", `next: ${hint}`],
    ];
  });
  return table(rows);
}

export function unpinnedText(project: string): string {
  return `${project} pins no account: its agents get whatever credentials koryph is started with`;
}

export function pinnedText(project: string, runtime: string, answer: "pinned" | "unchanged" | "forgotten") {
  switch (answer) {
    case "pinned":
      return `${project} pins the account of runtime ${runtime}`;
    case "unchanged":
      return `nothing changed: ${project} has it so already for runtime ${runtime}`;
    case "forgotten":
      return `${project} pins no account for runtime ${runtime} any more`;
  }
}

/** What removing a project takes away besides its entry: the next run would go by none of it. */
export function forgottenPins(project: string): string {
  return `the accounts that ${project} pinned are forgotten with it`;
}

/** A promise to programs, as docs/json.md describes it. */
export function accountsJson(accounts: PinnedAccounts, examined: readonly ExaminedAccount[]) {
  return {
    project_id: accounts.project,
    accounts: examined.map(({ runtime, pin, decision }) => ({
      runtime: runtime.name,
      profile: pin.profile,
      variable: pin.variable,
      expected: pin.expect,
      verified: decision.kind === "verified",
      code: decision.kind === "verified" ? null : decision.why.code,
      found: foundIn(decision),
      next: decision.kind === "verified" ? null : accountAdvice.refused(decision.why, runtime, accounts).hint,
    })),
  };
}

function foundIn(decision: IdentityDecision) {
  if (decision.kind === "verified") return { mode: decision.mode, fingerprint: decision.fingerprint };
  return decision.why.code === "identity_differs" ? decision.why.found : null;
}

function expectedText(expect: AccountIdentity, fingerprint: (address: string) => string): string {
  if (expect.mode !== "login") return accountMarkText(expect);
  const address = expect.email.trim();
  const mark = accountMarkText({ mode: "login", fingerprint: fingerprint(address.toLowerCase()) });
  return `${mark} (${plainText(address)})`;
}

/** The pins of a project, in the order that runtimes have. */
export function pinnedRuntimes(
  accounts: PinnedAccounts,
  runtimes: readonly RuntimeDescriptor[],
): { readonly runtime: RuntimeDescriptor; readonly pin: AccountPin }[] {
  return runtimes.flatMap((runtime) => {
    const pin = pinOf(accounts, runtime.name);
    return pin === null ? [] : [{ runtime, pin }];
  });
}
