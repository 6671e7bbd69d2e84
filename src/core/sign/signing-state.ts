import type { Advice } from "../../lib/user-error.js";
import { type AllowedSigners, countsForGit, linesNaming } from "./allowed-signers.js";

interface SigningKey {
  readonly publicKey: string;
  readonly fingerprint: string;
}

/** What was seen, or why nothing could be. */
export type Observation<T> =
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
  readonly key: Observation<SigningKey> | null;
  /** Null when there is no key to look for. */
  readonly base: Observation<SignedBase> | null;
  /** A key that `koryph signing init` made and the project file does not name; null when there is none. */
  readonly ownKey: string | null;
}

export type SigningState =
  | { readonly kind: "off" }
  | { readonly kind: "ready"; readonly branch: string; readonly principal: string }
  | { readonly kind: "not-ready"; readonly why: SigningProblem };

/** What stands in the way of signing. */
export type SigningProblem =
  /** Looking failed, and the error says how to mend it. */
  | { readonly code: "failed"; readonly advice: Advice }
  /** Only `ownKey`, where there is one, could be named. */
  | { readonly code: "no-provider"; readonly ownKey: string | null }
  | { readonly code: "base-unknown" }
  | { readonly code: "no-allowed-signers"; readonly branch: string }
  | { readonly code: "not-allowed"; readonly branch: string; readonly fingerprint: string }
  /** A line names the key, but for another use than git's or for another time. */
  | {
      readonly code: "does-not-hold";
      readonly branch: string;
      readonly line: number;
      readonly forGit: boolean;
    };

/** Whether koryph can sign what it lands so that its own check will find it good. */
export function signingState({ required, key, base, ownKey }: SigningFacts): SigningState {
  if (key === null) return required ? notReady({ code: "no-provider", ownKey }) : { kind: "off" };
  if (key.kind === "failed") return notReady({ code: "failed", advice: key.why });
  if (base === null) return notReady({ code: "base-unknown" });
  if (base.kind === "failed") return notReady({ code: "failed", advice: base.why });
  const { branch, allowed, principal } = base.value;
  if (principal !== null) return { kind: "ready", branch, principal };
  if (allowed === null) return notReady({ code: "no-allowed-signers", branch });
  const [line] = linesNaming(key.value.publicKey, allowed);
  if (line === undefined)
    return notReady({ code: "not-allowed", branch, fingerprint: key.value.fingerprint });
  return notReady({ code: "does-not-hold", branch, line: line.line, forGit: countsForGit(line) });
}

function notReady(why: SigningProblem): SigningState {
  return { kind: "not-ready", why };
}
