import type { Advice } from "../../lib/user-error.js";
import { signingAdvice } from "../replies/sign/signing.js";
import { type AllowedSigners, countsForGit, linesNaming } from "./allowed-signers.js";

interface SigningKey {
  readonly publicKey: string;
  readonly fingerprint: string;
}

/** Something that was looked at, or why that was not possible. */
export type Sight<T> =
  | { readonly kind: "seen"; readonly value: T }
  | { readonly kind: "failed"; readonly why: Advice };

export interface SignedBase {
  readonly branch: string;
  /** Null when the branch has no `.allowed_signers`. */
  readonly allowed: AllowedSigners | null;
  /** Who a commit that was signed as a trial is by, according to the branch; null when nobody. */
  readonly principal: string | null;
}

export interface SigningFacts {
  readonly project: string;
  readonly required: boolean;
  readonly provider: string | null;
  readonly keyRef: string | null;
  /** Null when no provider is set. */
  readonly key: Sight<SigningKey> | null;
  /** Null when there is no key to look for. */
  readonly base: Sight<SignedBase> | null;
  /** A key that `koryph signing init` made and the project file does not name; null when there is none. */
  readonly ownKey: string | null;
}

export type SigningState =
  | { readonly kind: "off" }
  | { readonly kind: "ready"; readonly branch: string; readonly principal: string }
  | { readonly kind: "not-ready"; readonly why: Advice };

/** Whether koryph can sign what it lands so that its own check will find it good. */
export function signingState({ required, key, base, ownKey }: SigningFacts): SigningState {
  if (key === null) return required ? notReady(signingAdvice.noProvider(ownKey)) : { kind: "off" };
  if (key.kind === "failed") return notReady(key.why);
  if (base === null) return notReady(signingAdvice.baseUnknown());
  if (base.kind === "failed") return notReady(base.why);
  const { branch, allowed, principal } = base.value;
  if (principal !== null) return { kind: "ready", branch, principal };
  if (allowed === null) return notReady(signingAdvice.noAllowedSigners(branch));
  const [line] = linesNaming(key.value.publicKey, allowed);
  if (line === undefined) return notReady(signingAdvice.notAllowed(branch, key.value.fingerprint));
  return notReady(signingAdvice.doesNotHold(branch, line.line, countsForGit(line)));
}

function notReady(why: Advice): SigningState {
  return { kind: "not-ready", why };
}
