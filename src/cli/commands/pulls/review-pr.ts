import type { Command } from "commander";
import { docsPath } from "../../../adapters/project/docs-path.js";
import { flagClash, pullAdvice, pullLines, skipText } from "../../../core/replies/review/pull-words.js";
import { clashIn, type LineRemark, readRemark, skipOf } from "../../../core/review/pull/review-request.js";
import { UserError } from "../../../lib/user-error.js";
import type { PullFacts } from "../../../ports/pulls.js";
import { approvePull } from "../../../pulls/approvals/approve-pull.js";
import { closePull } from "../../../pulls/close-pull.js";
import { openPullRequest } from "../../../pulls/review/review-pull.js";
import { wireProject } from "../../../wiring/wire-project.js";
import type { Surface } from "../../program.js";
import { refuseUsage } from "../../text/refuse-usage.js";
import { sayAdvice } from "../../text/say-advice.js";
import { projectFolder } from "../../wiring/project-folder.js";
import { type WiredReview, wireReview } from "../../wiring/pulls/wire-review.js";
import { stayAlive } from "../../wiring/stay-alive.js";
import { type PullReview, reviewOne } from "./review-one-pull.js";

export interface ReviewPrFlags {
  readonly all?: true;
  readonly comment?: true;
  readonly commentOn: readonly string[];
  readonly resume?: true;
  readonly approve?: true;
  readonly close?: true;
  readonly body?: string;
  readonly json?: true;
}

export function addReviewPr(command: Command, surface: Surface): void {
  command
    .option("--all", "every open pull request but drafts and your own")
    .option("--comment", "post what is new as one review with comments on lines, and resolve what is mended")
    .option(
      "--comment-on <path:line:message>",
      "post a comment of your own on a line; may be repeated",
      collect,
      [],
    )
    .option("--resume", "show the latest analysis again, without running a reviewer")
    .option("--approve", "approve it yourself, with your own token")
    .option("--close", "close it, with --body as the reason")
    .option("--body <text>", "what --approve or --close says")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it; progress goes to standard error`)
    .action((pull: number | undefined, flags: ReviewPrFlags) => {
      const remarks = readFlags(pull ?? null, flags, command);
      return runReviewPr(surface, { pull: pull ?? null, flags, remarks });
    });
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

function readFlags(pull: number | null, flags: ReviewPrFlags, command: Command): readonly LineRemark[] {
  const clash = clashIn({
    ...{ pull, all: flags.all ?? false, comment: flags.comment ?? false, commentOn: flags.commentOn.length },
    ...{ resume: flags.resume ?? false, approve: flags.approve ?? false, close: flags.close ?? false },
    body: (flags.body ?? "").trim() !== "",
  });
  if (clash !== null) refuseUsage(command, flagClash(clash));
  return flags.commentOn.map((text) => readRemark(text) ?? refuseUsage(command, pullAdvice.commentOn(text)));
}

interface Asked {
  readonly pull: number | null;
  readonly flags: ReviewPrFlags;
  readonly remarks: readonly LineRemark[];
}

async function runReviewPr(surface: Surface, { pull, flags, remarks }: Asked): Promise<void> {
  const { program, terminal, version, exit } = surface;
  const project = await wireProject(projectFolder(program), version);
  const wired = await wireReview(project);
  if (pull !== null && (flags.approve || flags.close)) return decide(surface, wired, { pull, flags });
  const say = flags.json ? terminal.err : terminal.out;
  const told = await stayAlive(
    project,
    () => terminal.err(pullLines.stopping()),
    async ({ file: livenessFile }, abort) => {
      const context = { wired, say, livenessFile, abort, flags, remarks };
      if (pull !== null) return [await reviewOne(context, pull)];
      return reviewAll(surface, context);
    },
  );
  if (flags.json)
    terminal.out(JSON.stringify(pull === null ? { pulls: jsonOf(told) } : jsonOf(told)[0], null, 2));
  exit(told.every(({ ok }) => ok) ? 0 : 1);
  // After all is said: a remote that does not take the ledger now gets it with the next push.
  await project.ledger.share("now");
}

function jsonOf(told: readonly PullReview[]): readonly object[] {
  return told.map(({ json }) => json);
}

/** One after another: what goes wrong with one of them is no reason to leave out the others. */
async function reviewAll(
  { terminal }: Surface,
  context: Parameters<typeof reviewOne>[0],
): Promise<readonly PullReview[]> {
  const { wired, say, abort } = context;
  const [open, viewer] = [await wired.pulls.listOpen(), await wired.reviews.viewer()];
  if (open.length === 0) say(pullLines.none());
  const told: PullReview[] = [];
  for (const pull of open) {
    const { number } = pull;
    const skip = skipOf(pull, viewer.login);
    if (skip !== null) {
      say(pullLines.skipped(number, skipText(skip)));
      told.push({ ok: true, json: { pull: number, skipped: skip } });
      continue;
    }
    if (!abort.aborted) told.push(await orAdvice(terminal, number, () => reviewOne(context, number)));
    if (!abort.aborted) continue;
    say(pullLines.stopped(told.filter(({ analysed }) => analysed).length, open.length - told.length + 1));
    return told;
  }
  return told;
}

async function orAdvice(
  terminal: Surface["terminal"],
  pull: number,
  work: () => Promise<PullReview>,
): Promise<PullReview> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    sayAdvice(terminal, error);
    return { ok: false, json: { pull, failed: error.message } };
  }
}

/** What the operator decides needs no reviewer. */
async function decide(
  { terminal, exit }: Surface,
  wired: WiredReview,
  { pull: number, flags }: { readonly pull: number; readonly flags: ReviewPrFlags },
): Promise<void> {
  const { repository, pulls, reviews, analyses } = wired;
  const pull = await openPullRequest({ pulls, analyses }, number);
  const say = (line: string, json: object) => terminal.out(flags.json ? JSON.stringify(json, null, 2) : line);
  if ("kind" in pull) {
    if (pull.kind === "absent") throw UserError.of(pullAdvice.noSuchPull(number, repository));
    say(pullLines.ended(number, pull.state), { pull: number, state: pull.state });
    return exit(0);
  }
  const body = flags.body?.trim() ?? "";
  if (flags.approve) {
    return approve(wired, { pull, body }, say);
  }
  await closePull({ reviews, pulls }, number, body);
  await analyses.drop(number);
  say(pullLines.closed(number), { pull: number, state: "closed" });
}

/** GitHub has the review, whatever becomes of its record. */
async function approve(
  { reviews, recordReview }: WiredReview,
  { pull, body }: { readonly pull: PullFacts; readonly body: string },
  say: (line: string, json: object) => void,
): Promise<void> {
  const { number, head } = pull;
  const { review, by } = await approvePull(reviews, pull, body);
  const { id, url, submittedAt } = review;
  const told = { id, url, submittedAt, body: review.body, head: head.sha, state: "approved" } as const;
  const recorded = await recordReview({ pull: number, review: told, author: { ...by, type: "User" } });
  const counted = recorded.kind === "recorded" || recorded.why === "already";
  const line = counted ? pullLines.counted() : pullLines.notCounted(recorded.why);
  const json = { pull: number, approved: head.sha, url, counted };
  say(`${pullLines.approved(number, head.sha, url)}\n  ${line}`, json);
}
