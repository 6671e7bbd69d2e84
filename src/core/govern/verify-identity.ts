import { z } from "zod";

/** Whose account an agent works on. Of a key only a fingerprint is ever known here. */
export const AccountIdentity = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("login"), email: z.string() }),
  z.strictObject({ mode: z.enum(["api-key", "oauth-token"]), fingerprint: z.string() }),
]);
export type AccountIdentity = Readonly<z.infer<typeof AccountIdentity>>;
export type AccountMode = AccountIdentity["mode"];

/** The account that a profile was found to be signed in to. */
export type AccountProfile = AccountIdentity | { readonly mode: "unreadable" } | { readonly mode: "missing" };

/** An account as it may be shown and recorded. */
export const AccountMark = z.object({
  mode: z.enum(["login", "api-key", "oauth-token"]),
  fingerprint: z.string().max(200),
  /** Where agents left their plan for a key that is paid by use; absent for the account that they usually have. */
  billing: z.literal("api-key").optional(),
});
export type AccountMark = Readonly<z.infer<typeof AccountMark>>;

/** Whether two agents work on the same account, paid for alike, as far as is known; both may be unknown. */
export function isSameAccount(one: AccountMark | undefined, other: AccountMark | undefined): boolean {
  if (one?.billing !== other?.billing) return false;
  return one?.mode === other?.mode && one?.fingerprint === other?.fingerprint;
}

export type IdentityRefusal =
  | { readonly code: "identity_not_expected" }
  | { readonly code: "identity_missing" | "identity_unreadable"; readonly expected: AccountMark }
  | { readonly code: "identity_differs"; readonly expected: AccountMark; readonly found: AccountMark };

export type IdentityDecision =
  /** With the fingerprint to record on the slot. */
  ({ readonly kind: "verified" } & AccountMark) | { readonly kind: "refused"; readonly why: IdentityRefusal };

/** Makes an address a fingerprint; the caller brings it, since core has no cryptography. */
type Digest = (text: string) => string;

/**
 * Whether a profile is signed in to the account that is expected. An expectation that is null or empty is refused, since
 * nobody could tell whose money is spent, and a profile that names nobody is as good as unreadable.
 */
export function verifyIdentity(
  profile: AccountProfile,
  expected: AccountIdentity | null,
  digest: Digest,
): IdentityDecision {
  if (expected === null || nameOf(expected) === "") return refused({ code: "identity_not_expected" });
  const wanted = markOf(expected, digest);
  if (profile.mode === "missing") return refused({ code: "identity_missing", expected: wanted });
  if (profile.mode === "unreadable" || nameOf(profile) === "")
    return refused({ code: "identity_unreadable", expected: wanted });
  const found = markOf(profile, digest);
  if (profile.mode !== expected.mode || nameOf(profile) !== nameOf(expected))
    return refused({ code: "identity_differs", expected: wanted, found });
  return { kind: "verified", ...found };
}

function refused(why: IdentityRefusal): IdentityDecision {
  return { kind: "refused", why };
}

/** What may be shown of an identity. */
export function markOf(identity: AccountIdentity, digest: Digest): AccountMark {
  const name = nameOf(identity);
  return { mode: identity.mode, fingerprint: identity.mode === "login" ? digest(name) : name };
}

/** What two identities of one mode are compared by; empty for nobody. Providers take addresses in either case. */
function nameOf(identity: AccountIdentity): string {
  return identity.mode === "login" ? identity.email.trim().toLowerCase() : identity.fingerprint.trim();
}
