import { z } from "zod";
import { AccountIdentity, type AccountMark, type AccountMode, markOf } from "./verify-identity.js";

const NEEDS = {
  folder: "an absolute path, or null",
  variable: "the name of an environment variable, or null",
  one: "a profile or a variable, and not both",
  login: "a profile: no variable says whose login it is",
};

/** Where the credential of a runtime's agents is found, and whose account it must be. */
export const AccountPin = z
  .strictObject({
    /** The config folder that agents get; null where they get a key. */
    profile: z
      .string({ error: NEEDS.folder })
      .regex(/^\/[^\0]*$/, { error: NEEDS.folder })
      .nullable(),
    /** The one variable that agents get; null where they get a profile. */
    variable: z
      .string({ error: NEEDS.variable })
      .regex(/^[A-Z][A-Z0-9_]{0,99}$/, { error: NEEDS.variable })
      .nullable(),
    expect: AccountIdentity,
  })
  .refine(({ profile, variable }) => (profile === null) !== (variable === null), { error: NEEDS.one })
  .refine(({ profile, expect }) => expect.mode !== "login" || profile !== null, { error: NEEDS.login });
export type AccountPin = Readonly<z.infer<typeof AccountPin>>;

/** What a project pins on this machine, by runtime. A project that pins nothing has no entry. */
export interface PinnedAccounts {
  readonly project: string;
  readonly pins: Readonly<Record<string, AccountPin>>;
}

/** The accounts that were found to be those that are expected, by runtime. */
export type AccountMarks = Readonly<Record<string, AccountMark>>;

/** Null for a runtime without a pin. */
export function accountAt(accounts: AccountMarks, runtime: string): AccountMark | null {
  return Object.hasOwn(accounts, runtime) ? (accounts[runtime] ?? null) : null;
}

/** The account that is expected, as it may be shown. */
export function pinnedMark({ expect }: AccountPin, digest: (text: string) => string): AccountMark {
  return markOf(expect, digest);
}

/** Whether a project says at all whose account its agents work on. */
export function pinsAnything({ pins }: PinnedAccounts): boolean {
  return Object.keys(pins).length > 0;
}

/** The pin of a runtime; null where the project has none for it. */
export function pinOf({ pins }: PinnedAccounts, runtime: string): AccountPin | null {
  return Object.hasOwn(pins, runtime) ? (pins[runtime] ?? null) : null;
}

/** An account as an agent's program shows it. A key is a secret here: only its fingerprint goes any further. */
export type FoundAccount =
  | { readonly mode: "login"; readonly email: string }
  | { readonly mode: Exclude<AccountMode, "login">; readonly secret: string }
  | { readonly mode: "missing" | "unreadable" };
