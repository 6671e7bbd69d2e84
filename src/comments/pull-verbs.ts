import type { Command } from "../core/commands/command.js";
import type { ProjectConfig } from "../core/config/project-schema.js";
import { decideWithdrawal } from "../core/control/decide-withdrawal.js";
import { holdOnPull } from "../core/control/pull-standing.js";
import { decidePullRequest } from "../core/land/pull/decide-pull-request.js";
import type { CommentJob } from "../core/model/comment-job.js";
import { beadOfBranch } from "../core/model/pull.js";
import type { Refused } from "../core/replies/commands/reply-row.js";
import { pullReplies, pullReplyRefusal } from "../core/replies/land/pull/pull-replies.js";
import { analysisReplies } from "../core/replies/review/analysis-replies.js";
import type { LineRemark } from "../core/review/pull/review-request.js";
import type { NewEvent } from "../core/run/ledger/ledger-event.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";
import type { PullRecord } from "../ports/pull-record.js";
import type { PullFacts, Pulls } from "../ports/pulls.js";
import type { Threads } from "../ports/threads.js";
import { judgeApproval } from "../pulls/approvals/judge-approval.js";
import { subjectOf } from "../pulls/pull-subject.js";
import type { PostedRemarks } from "../pulls/review/post-remarks.js";
import { withdrawalEvent } from "../pulls/withdraw-landing.js";
import { type Analysing, type AskedAnalysis, answerReview } from "./analysis-verb.js";

export type PullCommand = Extract<
  Command,
  { readonly verb: "approve" | "close" | "land" | "review" | "comment" }
>;

/** What follows once a command is on record. Each may be repeated. */
export type PullEffect =
  | { readonly kind: "review"; readonly pull: number; readonly head: string; readonly url: string }
  | { readonly kind: "close"; readonly pull: number }
  | ({ readonly kind: "analyse" } & AskedAnalysis)
  | { readonly kind: "remark"; readonly pull: number; readonly head: string; readonly remark: LineRemark }
  | {
      readonly kind: "land";
      readonly pull: number;
      readonly branch: string;
      /** The place in the queue that there is already; absent where the command has made one. */
      readonly request?: string;
    }
  /** `request` is the place in the queue that was given up. */
  | { readonly kind: "withdraw"; readonly request: string };

export interface PullVerbParts {
  readonly pulls: Pick<Pulls, "read" | "close" | "listOpen" | "isOn">;
  readonly record: PullRecord;
  /** The person's own approving review is there afterwards; false where koryph may not act for them. */
  readonly reviewAs: (job: CommentJob, review: { pull: number; head: string }) => Promise<boolean>;
  /** The landing is taken up from now on; `request` is the event that asked for it. */
  readonly startLanding: (job: CommentJob, landing: StartedLanding) => Promise<void>;
  /** A landing was taken back: those behind it go on, and whoever asked for it is told. */
  readonly landingWithdrawn: (job: CommentJob) => Promise<void>;
  readonly analysing: Analysing;
  /** Somebody looks how the pull request stands, and tells it in the reply. */
  readonly startLook: (job: CommentJob) => Promise<void>;
  /** The remark stands on the pull request afterwards, once. */
  readonly postRemark: (
    job: CommentJob,
    remark: { pull: number; head: string; remark: LineRemark },
  ) => Promise<PostedRemarks>;
}

export interface StartedLanding {
  readonly request: string;
  readonly pull: number;
  readonly branch: string;
}

export type PullAnswer =
  | Refused
  | { readonly kind: "said"; readonly said: string }
  | {
      readonly kind: "record";
      readonly events: readonly NewEvent[];
      readonly said: string;
      /** Whether it is over with the record, or somebody has to bring it to its end. */
      readonly done: boolean;
      readonly effect: PullEffect;
    };

export interface PullVerbFacts {
  readonly job: CommentJob;
  readonly state: LedgerState;
  readonly method: "ff" | "squash";
  readonly config: Pick<ProjectConfig, "jobs" | "project_id">;
  readonly threads: Pick<Threads, "read" | "role">;
  /** SHA-256, in hexadecimal digits. */
  readonly digest: (text: string) => string;
}

/** What a command about the thread's own pull request comes to, as things stand. */
export async function answerPullVerb(
  parts: PullVerbParts,
  command: PullCommand,
  facts: PullVerbFacts,
): Promise<PullAnswer> {
  const { thread } = facts.job;
  if (thread.kind !== "pull") return pullReplyRefusal.noPull(command.verb);
  const pull = await parts.pulls.read(thread.number);
  if (pull === null) return pullReplyRefusal.gone();
  switch (command.verb) {
    case "approve":
      return approve(parts, command, { ...facts, pull });
    case "land":
      return command.cancel ? withdraw(facts.state, pull) : land(parts, command, { ...facts, pull });
    case "close":
      return close(command, pull);
    case "comment":
      return remark(command, facts.job, pull);
    case "review":
      return answerReview(parts.analysing, command, { ...facts, pull });
  }
}

type Known = PullVerbFacts & { readonly pull: PullFacts };

async function approve(
  { record }: PullVerbParts,
  { sha }: Extract<PullCommand, { verb: "approve" }>,
  { job, state, pull, threads, digest }: Known,
): Promise<PullAnswer> {
  const { author, comment, repository } = job;
  const wish = { by: { id: author.id, login: author.login }, sha, writtenAt: comment.createdAt };
  const parts = { record, threads, digest, repository: repository.fullName };
  const decision = await judgeApproval(parts, pull, { state, wish });
  switch (decision.kind) {
    case "refuse":
      return pullReplyRefusal.approval(decision.refusal);
    case "already":
      return { kind: "said", said: pullReplies.approvedBefore(decision.head) };
    case "approve": {
      const { head } = decision;
      const bead = beadOfBranch(pull.head);
      const data = { pull: pull.number, head, via: "comment" as const };
      return {
        kind: "record",
        events: [{ type: "pull.approved", ...(bead !== null && { bead }), data }],
        said: pullReplies.approved(head),
        done: true,
        effect: { kind: "review", pull: pull.number, head, url: pull.url },
      };
    }
  }
}

async function land(
  { record }: PullVerbParts,
  command: Extract<PullCommand, { verb: "land" }>,
  { job, state, pull, method }: Known,
): Promise<PullAnswer> {
  const bead = subjectOf(pull, state);
  const queued = state.landings.find((landing) => landing.pull === pull.number);
  const decision = decidePullRequest({
    ...{ open: pull.state === "open", merged: pull.merged !== null, draft: pull.draft },
    hold: holdOnPull(pull, state),
    queued: queued ?? null,
    method: command.method ?? method,
    ...{ head: pull.head.sha, sha: command.sha, writtenAt: job.comment.createdAt },
    // A commit that is named needs no proof of when it was there.
    activity: command.sha === null ? await record.activity(pull) : null,
  });
  switch (decision.kind) {
    case "refuse":
      return pullReplyRefusal.landing(decision.refusal);
    case "already":
      // Whoever asked at a terminal may have gone away; from now on it is this person's as well.
      return {
        kind: "record",
        events: [],
        said: pullReplies.queuedBefore(decision.head),
        done: false,
        effect: {
          ...{ kind: "land", pull: pull.number, branch: queued?.branch ?? pull.base.branch },
          ...(queued !== undefined && { request: queued.id }),
        },
      };
    case "ask": {
      const { branch, sha: base } = pull.base;
      const data = { pull: pull.number, branch, base, head: decision.head, method: command.method ?? method };
      return {
        kind: "record",
        events: [{ type: "pull.landing", bead, data: { ...data, allow_protected: false } }],
        said: pullReplies.queued(decision.head, branch),
        done: false,
        effect: { kind: "land", pull: pull.number, branch },
      };
    }
  }
}

function withdraw(state: LedgerState, { number }: PullFacts): PullAnswer {
  const decision = decideWithdrawal(state, number);
  if (decision.kind === "refuse") return pullReplyRefusal.withdrawal(decision.refusal);
  const { landing } = decision;
  return {
    kind: "record",
    events: [withdrawalEvent(landing)],
    said: pullReplies.withdrawn(landing.head),
    done: true,
    effect: { kind: "withdraw", request: landing.id },
  };
}

function close({ reason }: Extract<PullCommand, { verb: "close" }>, pull: PullFacts): PullAnswer {
  if (pull.state !== "open") return pullReplyRefusal.approval({ code: "not_open" });
  const bead = beadOfBranch(pull.head);
  return {
    kind: "record",
    events: [{ type: "pull.closed", ...(bead !== null && { bead }), data: { pull: pull.number, reason } }],
    said: pullReplies.closed(),
    done: true,
    effect: { kind: "close", pull: pull.number },
  };
}

/** In the words of whoever asks, and with their name: the App posts it, and is not who said it. */
function remark(
  { path, line, text }: Extract<PullCommand, { verb: "comment" }>,
  { author, comment }: CommentJob,
  pull: PullFacts,
): PullAnswer {
  if (pull.state !== "open") return pullReplyRefusal.approval({ code: "not_open" });
  const message = analysisReplies.remark({ text, login: author.login, url: comment.url });
  return {
    kind: "record",
    events: [],
    said: analysisReplies.remarked(path, line),
    done: true,
    effect: { kind: "remark", pull: pull.number, head: pull.head.sha, remark: { path, line, message } },
  };
}
