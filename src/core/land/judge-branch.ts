import type { CommitSignature } from "./commit-signature.js";
import { badSubjects, type CommitSubject } from "./commit-style.js";
import type { RangeContent } from "./content/range-content.js";
import { type ContentLimits, refusedContent } from "./content/unusual-content.js";
import { isProtected, LIFTABLE_PATHS } from "./protected-paths.js";
import type { LandRefusal } from "./refusal.js";
import type { FoundSecret } from "./secret-scan.js";

/** What a project's settings ask of every branch, however it lands. */
export interface BranchRules {
  readonly commitStyle: "conventional" | "none";
  /** Besides the built-in ones. */
  readonly protectedPaths: readonly string[];
  readonly signingRequired: boolean;
}

export interface LandRules extends BranchRules, ContentLimits {
  readonly method: "ff" | "squash";
  /** A person said that the liftable ones of the built-in paths may change. */
  readonly allowProtected: boolean;
  /** A person looked at what has the shape of a secret, and said that it is none. */
  readonly allowSecrets: boolean;
}

/** What a branch's own commits and its clone show. */
export interface BranchContent {
  readonly rules: LandRules;
  /** Changes in the bead's clone that are in no commit. */
  readonly dirty: boolean;
  readonly commits: readonly CommitSubject[];
  readonly paths: readonly string[];
  readonly findings: readonly string[];
  readonly secrets: readonly FoundSecret[];
  readonly content: RangeContent;
  readonly empty: boolean;
  /** Of every commit, as the default branch's own list of signers judges them. */
  readonly signatures: readonly CommitSignature[];
}

/**
 * Why a branch cannot land, as far as a look at it tells; null when nothing speaks against it. Asked before a review
 * is paid for, and by every landing. The first reason reported is the one to fix first.
 */
export function judgeBranch(facts: BranchContent): LandRefusal | null {
  const { rules, commits, findings } = facts;
  if (rules.method === "squash" && rules.signingRequired) return { kind: "squash_signed" };
  if (facts.dirty) return { kind: "dirty" };
  // Before the commits: too many of them are a finding, and are not listed.
  if (findings.length > 0) return { kind: "unsupported", findings };
  if (commits.length === 0 || facts.empty) return { kind: "no-changes" };
  if (facts.secrets.length > 0 && !rules.allowSecrets) return { kind: "secrets", found: facts.secrets };
  const refused = refusedContent(facts.content, rules);
  if (refused !== null) return refused;
  const paths = facts.paths.filter((path) =>
    isProtected(path, rules.protectedPaths, rules.allowProtected ? LIFTABLE_PATHS : []),
  );
  if (paths.length > 0) return { kind: "protected", paths };
  const bad = badSubjects(commits, rules.commitStyle);
  // No more of a commit than this: programs are given the refusal as it is.
  if (bad.length > 0)
    return { kind: "commit-style", commits: bad.map(({ sha, subject }) => ({ sha, subject })) };
  const unsigned = unsignedCommits(facts);
  if (unsigned.length === 0) return null;
  const under = signedAbove(facts);
  return { kind: "unsigned", commits: unsigned, ...(under !== null && { under }) };
}

/** The lowest signed commit above one without any signature; null when there is none. */
function signedAbove({ commits, signatures }: BranchContent): string | null {
  const signed = new Set(signatures.filter(({ letter }) => letter !== "N").map(({ sha }) => sha));
  const lowest = commits.findIndex(({ sha }) => !signed.has(sha));
  return commits.find(({ sha }, at) => lowest >= 0 && at > lowest && signed.has(sha))?.sha ?? null;
}

/** A commit that nobody looked at counts as unsigned. */
function unsignedCommits({ rules, commits, signatures }: BranchContent): CommitSignature[] {
  if (!rules.signingRequired) return [];
  const known = new Map(signatures.map((signature) => [signature.sha, signature]));
  return commits
    .map(({ sha }) => known.get(sha) ?? ({ sha, letter: "N", signer: "", fingerprint: "" } as const))
    .filter(({ letter }) => letter !== "G");
}
