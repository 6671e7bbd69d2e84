import { expect, test } from "vitest";
import {
  type Billing,
  type BillingFacts,
  chooseBilling,
} from "../../../../src/core/govern/billing/choose-billing.js";
import type { AccountMark } from "../../../../src/core/govern/verify-identity.js";

const key: AccountMark = { mode: "api-key", fingerprint: "a".repeat(16) };
const ann: AccountMark = { mode: "login", fingerprint: "b".repeat(16) };

/** Everybody has said so who has to. */
const agreed: BillingFacts = {
  ...{ level: "stop", measured: true, allowed: true, variable: "SPEND_KEY", budgeted: true },
  ...{ key, pin: null },
};

function told(billing: Billing): string {
  return billing.kind === "refuse" ? billing.code : billing.kind;
}

test.each<{ name: string; given: Partial<BillingFacts>; expected: string }>([
  { name: "a plan that is used up leaves the key to pay", given: {}, expected: "api-key" },
  { name: "below the last level the plan pays", given: { level: "ok" }, expected: "subscription" },
  { name: "also where no new bead is begun on it", given: { level: "drain" }, expected: "subscription" },
  {
    name: "a window that nobody can measure spends no money",
    given: { measured: false },
    expected: "spend_unmeasured",
  },
  { name: "nothing is spent without leave", given: { allowed: false }, expected: "spend_not_asked_for" },
  { name: "nor where the project names no key", given: { variable: null }, expected: "spend_not_opted_in" },
  { name: "nor without a budget", given: { budgeted: false }, expected: "spend_without_budget" },
  { name: "nor without the key", given: { key: null }, expected: "spend_key_missing" },
  { name: "a pinned account is not left", given: { pin: ann }, expected: "spend_pinned_elsewhere" },
  {
    name: "nor is another key",
    given: { pin: { ...key, fingerprint: "c".repeat(16) } },
    expected: "spend_pinned_elsewhere",
  },
  { name: "the very key may be pinned", given: { pin: key }, expected: "api-key" },
])("$name", ({ given, expected }) => expect(told(chooseBilling({ ...agreed, ...given }))).toBe(expected));

test("what a key pays for says so", () => {
  expect(chooseBilling(agreed)).toEqual({ kind: "api-key", account: { ...key, billing: "api-key" } });
});
