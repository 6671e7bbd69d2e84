import type { Facts } from "../model/kept-facts.js";
import type { CommitSignature } from "./commit-signature.js";
import type { CommitSubject } from "./commit-style.js";
import type { RefusedContent } from "./content/unusual-content.js";
import type { Place } from "./find-places.js";
import type { FoundSecret } from "./secret-scan.js";

/**
 * How a landing ends, in the words of ledgers and programs. Everything but `merged` leaves the default branch as it
 * was. Older versions know no other words, so a refusal that is added is an `error` with a code of its own.
 */
export const LAND_RESULTS = [
  "merged",
  "conflict",
  "gate-failed",
  "protected",
  "unsigned",
  "commit-style",
  "dirty",
  "no-changes",
  "error",
] as const;
export type LandResult = (typeof LAND_RESULTS)[number];

/** Every reason not to land, with what was found. What follows from each stands in `REFUSALS`, its words in replies. */
export type LandRefusal =
  | { readonly kind: "dirty" }
  | { readonly kind: "no-changes" }
  | { readonly kind: "protected"; readonly paths: readonly string[] }
  /** One rule each about what commits hold beside text; `paths` say what is wrong with each. */
  | { readonly kind: RefusedContent; readonly paths: readonly string[] }
  /** Changed outside of what the bead's labels declare. */
  | { readonly kind: "undeclared"; readonly paths: readonly string[]; readonly writes: readonly string[] }
  | { readonly kind: "secrets"; readonly found: readonly FoundSecret[] }
  | { readonly kind: "commit-style"; readonly commits: readonly CommitSubject[] }
  | {
      readonly kind: "unsigned";
      readonly commits: readonly CommitSignature[];
      /** A signed commit that follows an unsigned one: to sign the lower one would take its signature away. */
      readonly under?: string;
    }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  | {
      readonly kind: "gate-failed";
      readonly command: string;
      readonly code: number | null;
      readonly output: string;
      readonly places: readonly Place[];
    }
  /** The default branch that it would land on is red itself, so that its own red gate says nothing about the work. */
  | {
      readonly kind: "base_red";
      readonly base: string;
      readonly command: string;
      readonly code: number | null;
      readonly output: string;
    }
  | { readonly kind: "base_busy"; readonly moves: number }
  /** `why` is the remote's, or the checkout's, own word. */
  | { readonly kind: "push_refused"; readonly why: string }
  | { readonly kind: "squash_signed" }
  | { readonly kind: "unsupported"; readonly findings: readonly string[] }
  | { readonly kind: "no_candidate" }
  /** Something failed that should not. */
  | { readonly kind: "broken"; readonly why: string }
  | {
      readonly kind: "other_branch";
      readonly asked: string;
      readonly found: string;
      /** The default branch is the same, and the checkout that is to be updated is on another one. */
      readonly checkedOut: boolean;
    }
  | { readonly kind: "interrupted" }
  /** There is nowhere to open a pull request: no remote, none on GitHub, or no token for it. */
  | { readonly kind: "no_remote" }
  | { readonly kind: "not_github"; readonly host: string }
  | { readonly kind: "no_token"; readonly host: string }
  /** Somebody else's commit is where the pull request's branch is to be. */
  | { readonly kind: "branch_taken"; readonly branch: string; readonly at: string }
  /** `why` is GitHub's own word. */
  | { readonly kind: "pull_refused"; readonly why: string };

export type RefusalKind = LandRefusal["kind"];
export type RefusalOf<K extends RefusalKind> = K extends RefusedContent
  ? { readonly kind: K; readonly paths: readonly string[] }
  : Extract<LandRefusal, { readonly kind: K }>;

/** Who puts it right after the engine's own request was refused. */
export type Mending =
  /** The implementer, with a report, at most so often; after that the slot is a person's, with this status. */
  | {
      readonly by: "agent";
      readonly setback: "gate" | "conflict" | "style";
      readonly most: number;
      readonly after: "blocked" | "conflict";
    }
  | {
      readonly by: "person";
      /** Nothing is wrong with the work: a run that goes on tries it again. */
      readonly resumes?: true;
    }
  /** It may pass by itself, so the engine asks again later; after a few times the slot has this status. */
  | { readonly by: "later"; readonly after: "blocked" | "merge-pending" };

interface RefusalRule<K extends RefusalKind> {
  readonly result: Exclude<LandResult, "merged">;
  readonly mend: Mending;
  /** What the ledger keeps beside the sentence. */
  facts(refusal: RefusalOf<K>): Facts;
}

const PERSON = { by: "person" } as const;
const SURROUNDINGS = { by: "person", resumes: true } as const;
const LATER = { by: "later", after: "blocked" } as const;
const none = (): Facts => ({});

/** What each refusal leads to. */
export const REFUSALS = {
  dirty: { result: "dirty", mend: PERSON, facts: none },
  "no-changes": { result: "no-changes", mend: PERSON, facts: none },
  protected: { result: "protected", mend: PERSON, facts: ({ paths }) => ({ paths }) },
  file_name: { result: "error", mend: PERSON, facts: ({ paths }) => ({ paths }) },
  link_outside: { result: "error", mend: PERSON, facts: ({ paths }) => ({ paths }) },
  attribute_driver: { result: "error", mend: PERSON, facts: ({ paths }) => ({ paths }) },
  file_too_large: { result: "error", mend: PERSON, facts: ({ paths }) => ({ paths }) },
  undeclared: { result: "error", mend: PERSON, facts: ({ paths, writes }) => ({ paths, writes }) },
  secrets: {
    result: "error",
    mend: PERSON,
    facts: ({ found }) => ({ found: found.map(({ path, kind }) => `${kind} in ${path}`) }),
  },
  "commit-style": {
    result: "commit-style",
    mend: { by: "agent", setback: "style", most: 1, after: "blocked" },
    facts: ({ commits }) => ({ commits: commits.map(({ sha }) => sha) }),
  },
  unsigned: {
    result: "unsigned",
    mend: PERSON,
    facts: ({ commits, under }) => ({
      commits: commits.map(({ sha }) => sha),
      ...(under !== undefined && { under }),
    }),
  },
  conflict: {
    result: "conflict",
    mend: { by: "agent", setback: "conflict", most: 2, after: "conflict" },
    facts: ({ files }) => ({ files }),
  },
  "gate-failed": {
    result: "gate-failed",
    mend: { by: "agent", setback: "gate", most: 2, after: "blocked" },
    facts: ({ command, code }) => ({ command, ...(code !== null && { code }) }),
  },
  base_red: {
    result: "error",
    mend: { by: "later", after: "merge-pending" },
    facts: ({ base, command, code }) => ({ base, command, ...(code !== null && { code }) }),
  },
  base_busy: { result: "error", mend: LATER, facts: ({ moves }) => ({ moves }) },
  push_refused: { result: "error", mend: LATER, facts: ({ why }) => ({ why }) },
  squash_signed: { result: "error", mend: PERSON, facts: none },
  unsupported: { result: "error", mend: PERSON, facts: ({ findings }) => ({ findings }) },
  no_candidate: { result: "error", mend: PERSON, facts: none },
  broken: { result: "error", mend: LATER, facts: ({ why }) => ({ why }) },
  other_branch: { result: "error", mend: PERSON, facts: ({ asked, found }) => ({ asked, found }) },
  interrupted: { result: "error", mend: LATER, facts: none },
  no_remote: { result: "error", mend: SURROUNDINGS, facts: none },
  not_github: { result: "error", mend: SURROUNDINGS, facts: ({ host }) => ({ host }) },
  no_token: { result: "error", mend: SURROUNDINGS, facts: ({ host }) => ({ host }) },
  branch_taken: { result: "error", mend: SURROUNDINGS, facts: ({ branch, at }) => ({ branch, at }) },
  pull_refused: { result: "error", mend: LATER, facts: ({ why }) => ({ why }) },
} as const satisfies { readonly [K in RefusalKind]: RefusalRule<K> };

/** The refusals that an implementer gets a report about. */
export type MendedByAgent = {
  [K in RefusalKind]: (typeof REFUSALS)[K]["mend"]["by"] extends "agent" ? K : never;
}[RefusalKind];

export function ruleOf({ kind }: LandRefusal): RefusalRule<RefusalKind> {
  return REFUSALS[kind];
}

/** A refusal as ledgers keep it. */
export interface RecordedRefusal {
  readonly result: LandResult;
  /** Which `error` it is; empty for the other results. */
  readonly code: string;
}

/** Null for what this version does not know. */
export function refusalKind({ result, code }: RecordedRefusal): RefusalKind | null {
  const kind = result === "error" ? code : result;
  return isRefusalKind(kind) && REFUSALS[kind].result === result ? kind : null;
}

function isRefusalKind(word: string): word is RefusalKind {
  return Object.hasOwn(REFUSALS, word);
}

/** An error that only a newer version knows is tried again, as most of them can be. */
export function mendingOf(refusal: RecordedRefusal): Mending {
  const kind = refusalKind(refusal);
  if (kind !== null) return REFUSALS[kind].mend;
  return refusal.result === "error" ? LATER : PERSON;
}

/** Whether a run that goes on tries once more to open the pull request of work that was refused so. */
export function resumesPull(refusal: RecordedRefusal): boolean {
  const mend = mendingOf(refusal);
  return mend.by === "later" || (mend.by === "person" && mend.resumes === true);
}
