import type { CommandLine } from "../core/commands/command.js";
import { refusalVoice } from "../core/commands/rate.js";
import { MOST_COMMANDS, readCommands } from "../core/commands/read-commands.js";
import { type CommentJob, commentKey, commentRef } from "../core/model/comment-job.js";
import { problemCode, problemText } from "../core/replies/commands/commands.js";
import { commentRefusals } from "../core/replies/commands/comment-refusals.js";
import { type ReplyRow, reactionFor, refusedRow, rowOf } from "../core/replies/commands/reply-row.js";
import { shownClock } from "../core/replies/control/style.js";
import type { CommentMemory } from "../ports/comment-memory.js";
import type { ReactionName, Threads } from "../ports/threads.js";
import type { CommandParts, OpenedProject } from "./command-parts.js";
import { hideSuperseded } from "./hide-superseded.js";
import { isCapToBeTold, letThrough, recentUses, useOf } from "./let-through.js";
import { REPLY_PLACE, replyOnce } from "./reply-once.js";
import { CommandRunner } from "./run-command.js";

export interface AnswerParts extends CommandParts {
  readonly threads: Threads;
  readonly memory: CommentMemory;
  /** The reply tells of something that an engine has to act on. */
  readonly onAwaited: (job: CommentJob) => Promise<void>;
  /** The project as the default branch has it now. */
  readonly open: () => Promise<OpenedProject>;
}

/**
 * Does what a comment asks for and answers it, once. It may be repeated at any time: what was decided is remembered,
 * events have the same ids again, reactions are states, and the reply is looked for before one is written.
 */
export async function answerComment(
  parts: AnswerParts,
  job: CommentJob,
): Promise<readonly ReplyRow[] | null> {
  const { memory, now } = parts;
  const comment = commentKey(commentRef(job));
  if (await memory.handled(comment)) return null;
  const { lines, left } = readCommands(job.comment.body);
  if (lines.length === 0) return null;
  const rows = await answered(parts, job, lines, left);
  // Also what was left alone: nobody else is to take it up later.
  await memory.markHandled(comment, now());
  return rows;
}

/** Null for a comment that is left alone: too many came before it and that was told already, or a bot wrote it. */
async function answered(
  parts: AnswerParts,
  job: CommentJob,
  lines: readonly CommandLine[],
  left: number,
): Promise<readonly ReplyRow[] | null> {
  const { memory, now } = parts;
  // Asked first, because it costs GitHub nothing; and without a reaction, because each of those would.
  const rate = await letThrough(parts, job);
  if (rate.kind === "capped") {
    if (!(await isCapToBeTold(parts, job, rate))) return null;
    const text = lines[0]?.text ?? "";
    const refused = [refusedRow(text, commentRefusals.tooOften(rate.by, shownClock(rate.until, now())))];
    await replyOnce(parts, job, refused);
    return refused;
  }
  const opened = await parts.open();
  const bot = botVerbs(job, opened);
  if (bot === "ignored") return null;
  await react(parts, job, "eyes");
  const rows = await answerAll(lines, new CommandRunner(parts, job, { opened, bot }));
  if (left > 0) rows.push(refusedRow(`… and ${left} more`, commentRefusals.tooMany(MOST_COMMANDS, left)));
  if (await isWorthSaying(parts, job, rows)) {
    await memory.decide(commentKey(commentRef(job)), REPLY_PLACE, JSON.stringify(rows), now());
    await replyOnce(parts, job, rows);
    await hideSuperseded(parts, job, rows);
    if (rows.some(({ request }) => request !== undefined)) await parts.onAwaited(job);
  }
  await react(parts, job, reactionFor(rows));
  return rows;
}

/** Bots are ignored unless the project lists them; then they may use the verbs it lists. Null for a person. */
function botVerbs(
  { author, viaApp }: CommentJob,
  opened: OpenedProject,
): readonly string[] | "ignored" | null {
  if (author.type === "User" && viaApp === null) return null;
  if (opened.kind === "refuse" || viaApp === null) return "ignored";
  return opened.config.commands.bots[`${viaApp}`] ?? "ignored";
}

/** One after another; once one has failed, those that would change something are left alone. */
async function answerAll(lines: readonly CommandLine[], runner: CommandRunner): Promise<ReplyRow[]> {
  const rows: ReplyRow[] = [];
  let failed = false;
  for (const [place, line] of lines.entries()) {
    if (line.kind === "wrong") {
      const { text, problem } = line;
      rows.push({ ...rowOf(text), result: "wrong", code: problemCode(problem), said: problemText(problem) });
      failed = true;
      continue;
    }
    const mutates = "dryRun" in line.command && !line.command.dryRun;
    if (failed && mutates) {
      rows.push({ ...refusedRow(line.text, commentRefusals.afterFailure()), result: "skipped" });
      continue;
    }
    const row = await runner.run(line.text, line.command, place);
    failed ||= mutates && row.result === "refused";
    rows.push(row);
  }
  return rows;
}

/** Nobody is told twice an hour that they lack a right. */
async function isWorthSaying(
  parts: AnswerParts,
  job: CommentJob,
  rows: readonly ReplyRow[],
): Promise<boolean> {
  if (!rows.every(({ code }) => code === "not_permitted")) return true;
  const use = useOf(parts, job, true);
  const others = (await recentUses(parts, job)).filter(({ comment }) => comment !== use.comment);
  await parts.memory.use(use);
  const refusals = others.filter(({ user, refused }) => refused && user === use.user).map(({ at }) => at);
  return refusalVoice(refusals, use.at) === "line";
}

/** A reaction that cannot be given must not keep the command from being carried out. */
async function react({ threads, warn }: AnswerParts, job: CommentJob, reaction: ReactionName): Promise<void> {
  try {
    await threads.react(commentRef(job), reaction);
  } catch (error) {
    warn(`no ${reaction} on ${commentKey(commentRef(job))}`, error);
  }
}
