import type { JsonObject } from "../http/json.js";
import type { App, Delivery, DeviceLogin, Token } from "./app-state.js";
import type { WorkflowRun } from "./checks/workflow-run.js";
import type { Protection } from "./rules/protection.js";
import type { Ruleset } from "./rules/ruleset.js";

/**
 * Everything the loopback GitHub knows besides what git knows: plain data, so that it can be written to a file and
 * looked at. What git knows (commits, files, whether a head is reachable from its base) is never kept here.
 */
export interface SandboxState {
  /** Ids are drawn from one counter, so no two things ever share one. */
  nextId: number;
  users: User[];
  repositories: Repository[];
  apps: App[];
  tokens: Token[];
  deliveries: Delivery[];
  deviceLogins: DeviceLogin[];
}

export interface User {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Bot" | "Organization";
  /** Besides the one that GitHub gives to everybody. */
  emails?: { readonly address: string; readonly verified: boolean }[];
  /** `ssh-ed25519 AAAA…` */
  signingKeys?: string[];
  /** Of an organisation: who owns it, and the runners that its repositories share. */
  owners?: string[];
  runners?: Runner[];
}

/** A machine of somebody's own that takes jobs. */
export interface Runner {
  readonly id: number;
  readonly name: string;
  /** Besides those that every such machine has. */
  readonly labels: readonly string[];
  readonly online: boolean;
}

/** Roles in rising order; a custom role has a name of its own and the rights of one of these. */
export type RoleName = "none" | "read" | "triage" | "write" | "maintain" | "admin";

export interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  private: boolean;
  defaultBranch: string;
  /** The bare repository, below the sandbox's folder. */
  readonly gitDir: string;
  readonly createdAt: string;
  /** Login to role; who is not in it has `read` on a public repository and `none` on a private one. */
  collaborators: Record<string, { role: RoleName; customName?: string }>;
  labels: Label[];
  /** Issues and pulls share one row of numbers, as on GitHub. */
  issues: Issue[];
  reviews: Review[];
  reviewComments: ReviewComment[];
  checkRuns: CheckRun[];
  statuses: CommitStatus[];
  rulesets: Ruleset[];
  protections: Protection[];
  workflowRuns: WorkflowRun[];
  dispatches: SentDispatch[];
  /** Those that were registered for this repository alone. */
  runners?: Runner[];
  /** Workflows that do not run, by their path. */
  switchedOff?: Record<string, "disabled_inactivity" | "disabled_manually">;
  /** Commits whose signature was found good, with when; kept where a network of forks has its root. */
  verified: Record<string, string>;
  /** `owner/name` of the repository it was forked from. */
  readonly forkOf?: string;
  /** Pushes as the server received them, newest last. */
  activity: Activity[];
}

export interface Activity {
  readonly id: number;
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly actor: string;
  readonly at: string;
  /** Not set where git tells: a push, forced or not, a branch that came or went. */
  readonly kind?: "pr_merge";
}

export interface Label {
  readonly id: number;
  name: string;
  color: string;
  description: string;
}

/**
 * A mark on what somebody wrote. Times have no fractions of a second, so that a text was edited cannot be told from
 * them.
 */
interface Written {
  editedAt?: string;
}

interface Hideable extends Written {
  /** Why it is hidden, as GitHub names it: `OUTDATED`, `RESOLVED`, … */
  minimized?: string;
}

export interface Issue extends Written {
  /** Who changed its text, and when; oldest first. */
  edits?: { readonly editor: string; readonly at: string }[];
  /** The name of the organisation's issue type; absent where it has none. */
  type?: string | null;
  readonly id: number;
  readonly number: number;
  title: string;
  body: string;
  readonly author: string;
  state: "open" | "closed";
  stateReason: "completed" | "not_planned" | "reopened" | null;
  labels: string[];
  assignees: string[];
  locked: boolean;
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  closedBy: string | null;
  comments: Comment[];
  reactions: StoredReaction[];
  events: IssueEvent[];
  /** Numbers of issues of the same repository. */
  subIssues: number[];
  blockedBy: number[];
  /** Null for an issue that is not a pull request. */
  pull: Pull | null;
}

/** Head and base commits are read from git; these are only what git cannot tell. */
export interface Pull {
  /** `owner/name` of the repository that has the head branch; a fork's differs from the base's. */
  readonly headRepository: string;
  readonly headRef: string;
  baseRef: string;
  draft: boolean;
  /** What the head was when last looked at: kept so that a deleted branch still has one, and a move is noticed. */
  headSha: string;
  baseSha: string;
  merged: { at: string; by: string; commit: string } | null;
  /** Its head was shown late: what happened to the base meanwhile has gone unnoticed. */
  late?: boolean;
  requestedReviewers: string[];
}

export interface Comment extends Hideable {
  readonly id: number;
  readonly author: string;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
  /** The app whose token wrote it. */
  readonly viaApp: number | null;
  reactions: StoredReaction[];
}

export interface StoredReaction {
  readonly id: number;
  readonly content: "+1" | "-1" | "laugh" | "confused" | "heart" | "hooray" | "rocket" | "eyes";
  readonly user: string;
  readonly createdAt: string;
}

export interface IssueEvent {
  readonly id: number;
  readonly event: string;
  readonly actor: string;
  readonly createdAt: string;
  readonly viaApp: number | null;
  /** The label, assignee or the like; empty for an event that has none. */
  readonly detail: JsonObject;
}

export interface Review extends Hideable {
  readonly id: number;
  readonly pull: number;
  readonly author: string;
  body: string;
  state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED" | "PENDING";
  commit: string;
  submittedAt: string | null;
  reactions: StoredReaction[];
}

export interface ReviewComment extends Hideable {
  /** The line of the file's diff it stands on, counted as GitHub does; null for a comment on the whole file. */
  position?: number | null;
  readonly id: number;
  readonly pull: number;
  readonly review: number;
  readonly author: string;
  body: string;
  readonly path: string;
  readonly line: number | null;
  readonly side: "LEFT" | "RIGHT";
  readonly startLine: number | null;
  readonly subject: "line" | "file";
  readonly commit: string;
  readonly inReplyTo: number | null;
  readonly diffHunk: string;
  readonly createdAt: string;
  updatedAt: string;
  readonly viaApp: number | null;
  reactions: StoredReaction[];
  resolved: boolean;
  resolvedBy?: string | null;
  /** Where it stands after pushes: not set before the first, null once its lines have changed. */
  now?: {
    readonly commit: string;
    readonly line: number | null;
    readonly startLine: number | null;
    readonly position: number | null;
  } | null;
}

export interface CheckRun {
  /** The workflow run it is a job of, and the suite of that. */
  readonly workflowRun?: number;
  readonly suite?: number;
  readonly id: number;
  readonly app: number;
  name: string;
  readonly headSha: string;
  externalId: string;
  detailsUrl: string | null;
  status: "queued" | "in_progress" | "completed";
  conclusion: string | null;
  startedAt: string;
  completedAt: string | null;
  output: { title: string | null; summary: string | null; text: string | null };
  annotations: JsonObject[];
  actions: { label: string; description: string; identifier: string }[];
}

export interface CommitStatus {
  readonly id: number;
  readonly sha: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly context: string;
  readonly description: string;
  readonly targetUrl: string | null;
  readonly creator: string;
  /** The app whose token was used. */
  readonly app: number | null;
  readonly createdAt: string;
}

export interface SentDispatch {
  /** Of the workflow run that it started, if it is for a workflow. */
  readonly id: number;
  readonly kind: "workflow" | "repository";
  /** The workflow's file, or the event type. */
  readonly name: string;
  readonly ref: string;
  readonly inputs: JsonObject;
  readonly actor: string;
  readonly at: string;
}
