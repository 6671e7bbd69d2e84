import type { CommitSignature } from "./commit-signature.js";
import { badSubjects, type StyledCommit } from "./commit-style.js";
import type { LandingEnd, Standing } from "./landing-queue.js";
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

/** The commits that moved, or are about to move, the default branch. */
export interface ArrivedMove {
  readonly from: string;
  readonly head: string;
}

export interface LandFacts {
  /** In the ledger as it is now: somebody may have held it, or brought it to its end. */
  readonly standing: Standing;
  /** What of it the default branch has already: our own push before a crash, or somebody's by hand. */
  readonly arrived: ArrivedMove | null;
  /** Its commits are on this machine. Where they are not, nothing is known about them. */
  readonly here: boolean;
  readonly branch: {
    /** The default branch when it was accepted, and now. */
    readonly asked: string;
    readonly found: string;
    /** Where the checkout itself is what lands: the other branch that is checked out in it. */
    readonly checkedOut?: string | undefined;
  };
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
  | LandingEnd
  /** A person wants it to wait. */
  | { readonly kind: "held" }
  /** It has landed, and the ledger does not know. */
  | { readonly kind: "record"; readonly move: ArrivedMove }
  /** Its candidate has to be made again from the agents' commits. */
  | { readonly kind: "make" }
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
  const { standing, arrived, branch, rules, commits, findings } = facts;
  if (standing.kind !== "open") return standing;
  if (arrived !== null) return { kind: "record", move: arrived };
  if (!facts.here) return { kind: "make" };
  const { asked, found, checkedOut } = branch;
  if (found !== asked) return refuse({ kind: "other_branch", asked, found, checkedOut: false });
  if (checkedOut !== undefined)
    return refuse({ kind: "other_branch", asked, found: checkedOut, checkedOut: true });
  if (rules.method === "squash" && rules.signingRequired) return refuse({ kind: "squash_signed" });
  if (facts.dirty) return refuse({ kind: "dirty" });
  // Before the commits: too many of them are a finding, and are not listed.
  if (findings.length > 0) return refuse({ kind: "unsupported", findings });
  if (commits.length === 0 || facts.empty) return refuse({ kind: "no-changes" });
  const paths = facts.paths.filter((path) =>
    isProtected(path, rules.protectedPaths, rules.allowProtected ? LIFTABLE_PATHS : []),
  );
  if (paths.length > 0) return refuse({ kind: "protected", paths });
  const bad = badSubjects(commits, rules.commitStyle);
  if (bad.length > 0) return refuse({ kind: "commit-style", commits: bad });
  const unsigned = unsignedCommits(facts);
  if (unsigned.length > 0) {
    const under = signedAbove(facts);
    return refuse({ kind: "unsigned", commits: unsigned, ...(under !== null && { under }) });
  }
  if (facts.baseMoved) {
    if (facts.moves >= MOST_MOVES) return refuse({ kind: "base_busy", moves: facts.moves + 1 });
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

function refuse(refusal: LandRefusal): LandStep {
  return { kind: "refuse", refusal };
}
