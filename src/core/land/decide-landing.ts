import type { CommitSignature } from "./commit-signature.js";
import { badSubjects, type StyledCommit } from "./commit-style.js";
import { isProtected, LIFTABLE_PATHS } from "./protected-paths.js";
import type { LandRefusal } from "./refusal.js";

export interface LandRules {
  readonly method: "ff" | "squash";
  readonly commitStyle: "conventional" | "none";
  /** Besides the built-in ones. */
  readonly protectedPaths: readonly string[];
  /** A person said that the liftable ones of the built-in paths may change. */
  readonly allowProtected: boolean;
  readonly signingRequired: boolean;
}

export interface LandFacts {
  readonly rules: LandRules;
  /** Changes in the bead's clone that are in no commit. */
  readonly dirty: boolean;
  readonly commits: readonly StyledCommit[];
  readonly paths: readonly string[];
  readonly findings: readonly string[];
  readonly empty: boolean;
  /** Of every commit, as the default branch's own list of signers judges them. */
  readonly signatures: readonly CommitSignature[];
  /** The default branch is no longer where the candidate begins. */
  readonly baseMoved: boolean;
  /** How often it had moved before. */
  readonly moves: number;
  /** The gate was green on exactly this head. */
  readonly gated: boolean;
}

export type LandStep =
  | { readonly kind: "refuse"; readonly refusal: LandRefusal }
  | { readonly kind: "rebase" }
  | { readonly kind: "squash" }
  | { readonly kind: "gate" }
  | { readonly kind: "land" };

/** After so many moves by others the branch is too busy to be caught. */
const MOST_MOVES = 3;

/**
 * The next step of a landing. It is asked again after each one, so that whatever is landed has passed every
 * check in its last form. Refusals are ordered so that the first one reported is the one to fix first.
 */
export function decideLanding(facts: LandFacts): LandStep {
  const { rules, commits } = facts;
  if (rules.method === "squash" && rules.signingRequired)
    return error("squash_signed", "squashing would replace signed commits by one");
  if (facts.dirty) return { kind: "refuse", refusal: { result: "dirty" } };
  // Before the commits: too many of them are a finding, and are not listed.
  if (facts.findings.length > 0) return error("unsupported", facts.findings.join("; "));
  if (commits.length === 0 || facts.empty) return { kind: "refuse", refusal: { result: "no-changes" } };
  const paths = facts.paths.filter((path) =>
    isProtected(path, rules.protectedPaths, rules.allowProtected ? LIFTABLE_PATHS : []),
  );
  if (paths.length > 0) return { kind: "refuse", refusal: { result: "protected", paths } };
  const bad = badSubjects(commits, rules.commitStyle);
  if (bad.length > 0) return { kind: "refuse", refusal: { result: "commit-style", commits: bad } };
  const unsigned = unsignedCommits(facts);
  if (unsigned.length > 0) {
    const under = signedAbove(facts);
    const refusal = { result: "unsigned", commits: unsigned, ...(under !== null && { under }) } as const;
    return { kind: "refuse", refusal };
  }
  if (facts.baseMoved) {
    if (facts.moves >= MOST_MOVES)
      return error("base_busy", `the default branch moved ${facts.moves + 1} times during the landing`);
    return { kind: "rebase" };
  }
  if (rules.method === "squash" && commits.length > 1) return { kind: "squash" };
  return facts.gated ? { kind: "land" } : { kind: "gate" };
}

/** The lowest signed commit above one without any signature; null when there is none. */
function signedAbove({ commits, signatures }: LandFacts): string | null {
  const signed = new Set(signatures.filter(({ letter }) => letter !== "N").map(({ sha }) => sha));
  const lowest = commits.findIndex(({ sha }) => !signed.has(sha));
  return commits.find(({ sha }, at) => lowest >= 0 && at > lowest && signed.has(sha))?.sha ?? null;
}

/** A commit that nobody looked at counts as unsigned. */
function unsignedCommits({ rules, commits, signatures }: LandFacts): CommitSignature[] {
  if (!rules.signingRequired) return [];
  const known = new Map(signatures.map((signature) => [signature.sha, signature]));
  return commits
    .map(({ sha }) => known.get(sha) ?? ({ sha, letter: "N", signer: "", fingerprint: "" } as const))
    .filter(({ letter }) => letter !== "G");
}

function error(code: Extract<LandRefusal, { result: "error" }>["code"], why: string): LandStep {
  return { kind: "refuse", refusal: { result: "error", code, why } };
}
