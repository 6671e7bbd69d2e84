import type { CommitSignature } from "../commit-signature.js";
import type { ArrivedMove } from "../decide-landing.js";
import type { BranchRules } from "../judge-branch.js";
import type { Standing } from "../landing-queue.js";
import type { BaseRule } from "./base-rules.js";
import type { ApprovalFacts } from "./count-approvals.js";
import type { SeenCheck } from "./judge-checks.js";
import type { GateRunner } from "./pull-refusal.js";

export interface PullCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly committerEmail: string;
}

/** What of the project's settings a landing goes by. People word their commits as they like. */
interface PullLandSettings extends Omit<BranchRules, "commitStyle"> {
  readonly approvals: "rules" | number;
  readonly gate: "run" | "checks";
  /** A person at a machine said that the liftable ones of the built-in paths may change. */
  readonly allowProtected: boolean;
  /** Whether what pushes may change workflow files. */
  readonly mayPushWorkflows: boolean;
  /** What is pushed starts no checks, and no rule lets whoever pushes pass: a workflow run's own token. */
  readonly pushesSilently: boolean;
  /** Null where nobody can be had to run the gate. */
  readonly gateBy: GateRunner | null;
}

/** The pull request's own commits, and how it stands with the people around it. */
export interface PullLandFacts {
  readonly standing: Standing;
  /** What of it the base branch has already: our own push before a crash, or somebody's by hand. */
  readonly arrived: ArrivedMove | null;
  readonly settings: PullLandSettings;
  readonly pull: {
    readonly open: boolean;
    readonly merged: boolean;
    readonly draft: boolean;
    /** As GitHub shows it. */
    readonly head: string;
    readonly branch: string;
    /** The base branch that it names now. */
    readonly into: string;
    readonly fork: boolean;
    /** It carries an agent's work. */
    readonly own: boolean;
  };
  readonly landing: {
    readonly asked: string;
    readonly head: string;
    readonly moves: number;
    readonly method: "ff" | "squash";
  };
  /** Where git has the pull request's branch. */
  readonly tip: string;
  /** `tip` is the landing's work in another form, which koryph made: a crash came between recording and pushing. */
  readonly tipIsOurs: boolean;
  readonly base: {
    readonly branch: string;
    readonly tip: string;
    /** The branch holds everything that the base does. */
    readonly contained: boolean;
    /** Where people fetch it from. */
    readonly repository: string;
  };
  readonly rules:
    | { readonly kind: "read"; readonly rules: readonly BaseRule[] }
    | { readonly kind: "unreadable"; readonly why: string };
  readonly approval: ApprovalFacts;
  /** Other open pull requests that would count as merged with this one. */
  readonly ancestors: readonly {
    readonly number: number;
    readonly own: boolean;
    readonly approval: ApprovalFacts;
  }[];
  /** Oldest first; empty when there are too many to be looked at. */
  readonly commits: readonly PullCommit[];
  readonly total: number;
  readonly paths: readonly string[];
  readonly findings: readonly string[];
  readonly empty: boolean;
  readonly checks: readonly SeenCheck[];
  /** Of every commit, as the base branch's own list of signers judges them; empty where nobody asks for it. */
  readonly signatures: readonly CommitSignature[];
  /** The text of CODEOWNERS on the base branch; empty when there is none, or nobody asks for it. */
  readonly codeOwners: string;
  readonly openThreads: number;
  /** Whether there is a key to sign replayed commits with, and the base branch lets it sign; or a runner has one. */
  readonly signer: "none" | "allowed" | "not-allowed" | "runner";
  /** The gate was green on exactly this head, here or on a runner that was asked to. */
  readonly gated: boolean;
  readonly waitedMs: number;
}
