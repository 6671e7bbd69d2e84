import { createHash } from "node:crypto";
import type { GithubThreads, ThreadsPlace } from "../../adapters/github/github-threads.js";
import { type AnswerParts, answerComment } from "../../comments/answer-comment.js";
import { answerForgotten } from "../../comments/answer-forgotten.js";
import { answerUnread } from "../../comments/answer-unread.js";
import type { Linking } from "../../comments/command-parts.js";
import type { PullVerbParts } from "../../comments/pull-verbs.js";
import type { OutcomeParts } from "../../comments/tell-outcome.js";
import { isUnread } from "../../core/commands/read-commands.js";
import { type CommentJob, commentKey, commentRef } from "../../core/model/comment-job.js";
import { threadKey } from "../../core/model/thread.js";
import { asWritten } from "../../core/recovery/as-written.js";
import { reachWords } from "../../core/replies/app/reach.js";
import { logWords } from "../../core/replies/app/serve.js";
import type { ReplyRow } from "../../core/replies/commands/reply-row.js";
import type { CommentMemory } from "../../ports/comment-memory.js";
import type { Taking } from "../events/take-comment.js";
import type { Metrics } from "../http/metrics.js";
import type { AppLog } from "../http/server-log.js";
import { MovedAway, type Repositories } from "../serve/open-repository.js";
import { answeredBefore } from "./answered-before.js";

export interface CommentParts {
  readonly memory: CommentMemory;
  readonly linking: Linking;
  readonly onPull: (job: CommentJob) => PullVerbParts;
  readonly metrics: Pick<Metrics, "ledgerAppends">;
  readonly repositories: Repositories;
  readonly threadsOf: (job: CommentJob) => Promise<GithubThreads>;
  readonly reach: Reach;
  /** The reply to it waits for what an engine makes of it. */
  readonly watch: (job: CommentJob) => Promise<void>;
  /** What became of a request that no engine is asked for; null while that is not known. */
  readonly outcomeOf: OutcomeParts["outcomeOf"];
  /** A command was accepted: how its pull request or issue stands is shown there from now on. */
  readonly look: (job: CommentJob) => Promise<void>;
  readonly log: AppLog;
  readonly now: () => number;
  /** Whether the comment is ours to answer: another workflow run may have taken it. */
  readonly take: (job: CommentJob) => Promise<Taking>;
  /** Whoever can push can write into the memory. */
  readonly publicMemory: boolean;
  /** Nobody else writes under koryph's name, so what is to be seen there tells what was answered. */
  readonly ownName: boolean;
}

/** Answers a comment that a webhook told of. */
export async function handleComment(parts: CommentParts, comment: CommentJob | null): Promise<void> {
  if (comment === null) return;
  const threads = await parts.threadsOf(comment);
  await parts.reach.whereInstalled(comment, () => answerWith(parts, threads, comment));
}

/** Answers a comment that no webhook told of, once GitHub has said who wrote it. */
export async function handleSwept(parts: CommentParts, found: CommentJob | null): Promise<void> {
  if (found === null) return;
  const threads = await parts.threadsOf(found);
  await parts.reach.whereInstalled(found, async () => {
    if (await isBehindUs(parts, threads, found)) return;
    const writing = await threads.read(commentRef(found));
    const comment = asWritten(found, writing);
    // The list tells it by times of whole seconds, and whoever may write can edit everybody's.
    if (comment !== null && !(await writing?.edited())) await answerWith(parts, threads, comment);
  });
}

async function answerWith(parts: CommentParts, threads: GithubThreads, comment: CommentJob): Promise<void> {
  const { memory, linking, metrics, repositories, log, now } = parts;
  const { installation, repository } = comment;
  const taking = await parts.take(comment);
  if (taking === "others") {
    log.info(commentFacts(comment), logWords.takenByOther());
    return;
  }
  const answering: AnswerParts = {
    threads,
    memory,
    publicMemory: parts.publicMemory,
    linking,
    onPull: parts.onPull(comment),
    now,
    onAwaited: parts.watch,
    onAppended: () => metrics.ledgerAppends(1),
    digest: (text) => createHash("sha256").update(text).digest(),
    open: () => repositories.open({ installation, ...repository }, threads),
    warn: (what, error) => log.warn({ err: error }, what),
  };
  if (taking === "forgotten") {
    await answerForgotten(answering, comment);
    log.info(commentFacts(comment), logWords.answeredForgotten());
    return;
  }
  if (isUnread(comment.comment.body)) {
    if (await answerUnread(answering, comment)) log.info(commentFacts(comment), logWords.unread());
    return;
  }
  const rows = await answerComment(answering, comment);
  if (rows === null) return;
  log.info(answerFacts(comment, rows), logWords.answered());
  if (rows.some(isAccepted)) await parts.look(comment);
}

/**
 * Whether a comment that no webhook told of is done with: an old database may have been put back since it was answered,
 * or another server of the same App has heard of it.
 */
async function isBehindUs(
  { memory, log, now, ownName }: CommentParts,
  threads: GithubThreads,
  job: CommentJob,
): Promise<boolean> {
  const key = commentKey(commentRef(job));
  if (await memory.handled(key)) return true;
  if (!ownName || !(await answeredBefore({ threads, memory }, job))) return false;
  await memory.markHandled(key, now());
  log.info(commentFacts(job), logWords.answeredBefore());
  return true;
}

function isAccepted({ result }: ReplyRow): boolean {
  return result === "done" || result === "queued";
}

function commentFacts(job: CommentJob) {
  return { by: job.author.login, thread: threadKey(commentRef(job).thread) };
}

/** For the log: who asked for what, and what came of it, in none of their words. */
function answerFacts(job: CommentJob, rows: readonly ReplyRow[]) {
  return {
    ...commentFacts(job),
    commands: rows.map(({ verb, result, code }) => [verb, result, code].filter(Boolean).join(" ")),
  };
}

/** Where the App was taken off or suspended since, there is nothing to be done and nobody to be told. */
export class Reach {
  readonly #isOut: (place: ThreadsPlace, error: unknown) => Promise<boolean>;
  readonly #log: AppLog;

  /** `isOut` tells whether something failed because the App can no longer do anything there. */
  constructor(isOut: (place: ThreadsPlace, error: unknown) => Promise<boolean>, log: AppLog) {
    this.#isOut = isOut;
    this.#log = log;
  }

  whereInstalled(job: CommentJob, act: () => Promise<void>): Promise<void> {
    const place = { installation: job.installation, repository: job.repository.fullName };
    return this.whereInstalledAt(place, act, { comment: job.comment.url });
  }

  /** `about` goes into the log. */
  async whereInstalledAt(
    place: { readonly installation: number; readonly repository: string },
    act: () => Promise<void>,
    about: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const facts = { ...place, ...about };
    try {
      await act();
    } catch (error) {
      if (error instanceof MovedAway) this.#log.warn(facts, reachWords.movedAway());
      else if (await this.#isOut(place, error)) this.#log.warn(facts, reachWords.notInstalled());
      else throw error;
    }
  }
}
