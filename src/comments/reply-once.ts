import type { RequestOutcome } from "../core/control/request-outcome.js";
import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import { replyMarker, replyText } from "../core/replies/app/reply.js";
import { type Refused, type ReplyRow, refusedRow, rowOf } from "../core/replies/commands/reply-row.js";
import { outcomeRow } from "../core/replies/control/outcome-row.js";
import { makeTurns } from "../lib/async/turns.js";
import type { CommentMemory } from "../ports/comment-memory.js";
import type { Threads } from "../ports/threads.js";

/** A place among a comment's decisions that no command has: the rows of its reply. */
export const REPLY_PLACE = -1;
/** Another one: the outcomes its reply tells of, one for each row; null for a row that has none. */
export const OUTCOME_PLACE = -4;

/** Rows of one reply are told of at different times. Whoever edits it writes all of them, so they take turns. */
const inTurn = makeTurns();

export interface ReplyParts {
  readonly threads: Threads;
  readonly memory: CommentMemory;
  readonly now: () => number;
}

/** The comment has this one reply afterwards, whatever became of earlier tries. */
export async function replyOnce(
  { threads, memory, now }: ReplyParts,
  job: CommentJob,
  rows: readonly ReplyRow[],
): Promise<void> {
  const { comment, thread } = job;
  const key = commentKey(commentRef(job));
  const body = replyText({ source: key, url: comment.url, rows });
  const begun = await memory.replyOf(key);
  const there = begun && (await editBegun(threads, { comment, thread }, begun.id, body));
  if (there !== null) {
    await memory.setReply(key, there, now());
    return;
  }
  await memory.intendReply(key, now());
  const said = await threads.say(thread.number, body);
  if (said !== null) await memory.setReply(key, said, now());
}

/** A reply that was begun says this afterwards; its number, or null where none is to be found. */
async function editBegun(
  threads: Pick<Threads, "edit" | "findOwn">,
  { comment, thread }: Pick<CommentJob, "comment" | "thread">,
  known: number | null,
  body: string,
): Promise<number | null> {
  if (known !== null && (await threads.edit(known, body)) === "edited") return known;
  // Nobody knows whether it got through: GitHub may have taken it and failed to say so.
  const mark = replyMarker(commentKey(comment));
  const there = await threads.findOwn(thread.number, comment.createdAt, mark);
  return there !== null && (await threads.edit(there, body)) === "edited" ? there : null;
}

/**
 * The comment's reply tells these outcomes afterwards, if it is still there: somebody who deleted it wants no other.
 */
export async function tellInReply(
  parts: ReplyParts,
  job: CommentJob,
  outcomes: readonly (RequestOutcome | null)[],
): Promise<void> {
  const key = commentKey(commentRef(job));
  await inTurn(key, async () => {
    const rows = await rowsOf(parts, key);
    const told = withOutcomes(rows, outcomes, parts.now());
    if (told.some((row, index) => row !== rows[index])) await editReply(parts, job, told);
    // After the edit, which may be repeated: somebody who died in between edits once more.
    await parts.memory.decide(key, OUTCOME_PLACE, JSON.stringify(outcomes), parts.now());
  });
}

/** The rows of the reply as they were last decided; none where no reply was. */
export async function rowsOf({ memory }: Pick<ReplyParts, "memory">, key: string): Promise<ReplyRow[]> {
  return JSON.parse((await memory.decided(key, REPLY_PLACE)) ?? "[]") as ReplyRow[];
}

function withOutcomes(
  rows: readonly ReplyRow[],
  outcomes: readonly (RequestOutcome | null)[],
  now: number,
): ReplyRow[] {
  return rows.map((row, index) => {
    const outcome = outcomes[index] ?? null;
    return outcome === null ? row : outcomeRow(row, outcome, now);
  });
}

async function editReply(
  { threads, memory }: ReplyParts,
  job: CommentJob,
  rows: readonly ReplyRow[],
): Promise<void> {
  const source = commentKey(commentRef(job));
  const begun = await memory.replyOf(source);
  if (begun === null) return;
  await editBegun(threads, job, begun.id, replyText({ source, url: job.comment.url, rows }));
}

/** Tells how something went on that these rows of the reply spoke of before. */
export async function retell(
  parts: ReplyParts,
  job: CommentJob,
  { about, outcome }: { readonly about: (row: ReplyRow) => boolean; readonly outcome: LaterAnswer },
): Promise<void> {
  const { memory, now } = parts;
  const key = commentKey(commentRef(job));
  await inTurn(key, async () => {
    const before = await rowsOf(parts, key);
    if (before.length === 0) return;
    const rows = before.map((row) => (about(row) ? answeredRow(row, outcome) : row));
    // Before it is said: another row of the same reply may be told of later, by whoever reads these.
    await memory.decide(key, REPLY_PLACE, JSON.stringify(rows), now());
    const told = JSON.parse((await memory.decided(key, OUTCOME_PLACE)) ?? "[]") as (RequestOutcome | null)[];
    await replyOnce(parts, job, withOutcomes(rows, told, now()));
  });
}

function answeredRow({ verb, text }: ReplyRow, outcome: LaterAnswer): ReplyRow {
  if (outcome.kind === "refuse") return { ...refusedRow(text, outcome), verb };
  const { said, next = "", more = "" } = outcome;
  return { ...rowOf(text), verb, said, next, more };
}

export type LaterAnswer =
  | Refused
  | { readonly kind: "said"; readonly said: string; readonly next?: string; readonly more?: string };
