import type { GithubApp } from "../../adapters/github/app-client.js";
import { readRecentComments } from "../../adapters/github/issues/recent-comments.js";
import { readOpenPulls } from "../../adapters/github/open-pulls.js";
import type { WorkflowEvent } from "../../core/config/workflow-event.js";
import { type CommentJob, commentKey, commentRef, readIssueComment } from "../../core/model/comment-job.js";
import { placeDelivery } from "../../core/model/delivery.js";
import { chooseMissed } from "../../core/recovery/choose-missed.js";
import { chooseSwept, type SweepFacts, sweepBegins } from "../../core/recovery/choose-swept.js";
import type { Inbox, Lane } from "../../ports/inbox.js";
import type { Threads } from "../../ports/threads.js";
import { OUTCOME_JOB } from "../comments/watch-outcome.js";
import { type SweepPlace, sweepComments } from "../recovery/sweep-comments.js";
import type { WiredApp } from "../wire-app.js";
import type { LedgerMemory } from "./ledger-memory.js";

export interface BringParts {
  readonly wired: Pick<WiredApp, "watch" | "look" | "resume" | "sweep" | "onAdded">;
  readonly memory: LedgerMemory;
  readonly inbox: Pick<Inbox, "add"> & { hasten(lane: Lane, keyStart: string): Promise<number> };
  readonly app: GithubApp;
  readonly threads: Pick<Threads, "read">;
  readonly place: SweepPlace;
  readonly repositoryId: number;
  /** What this run is called in the inbox. */
  readonly name: string;
  readonly now: () => number;
}

/** After so long nobody looks any more what became of a command. */
const OWED_MS = 24 * 60 * 60_000;

/** Puts everything that is to be done into the inbox; what went wrong on the way. */
export async function bringEvent(
  event: Exclude<WorkflowEvent, { kind: "nothing" }>,
  parts: BringParts,
): Promise<readonly unknown[]> {
  const { wired, place } = parts;
  const troubles: unknown[] = [];
  const step = (work: Promise<void>) => work.catch((error: unknown) => void troubles.push(error));
  await step(watchOwed(parts));
  if (event.kind === "sweep") {
    await step(sweepMissed(parts, (error) => troubles.push(error)));
    await step(wired.sweep(place));
  } else {
    await step(wired.resume(place));
    await step(deliver(parts, event));
  }
  return troubles;
}

/** What earlier runs left to tell in replies. */
async function watchOwed({ wired, memory, inbox, threads, place, now }: BringParts): Promise<void> {
  for (const { job, outcome, look } of await memory.owed()) {
    const isHere = job.repository.fullName.toLowerCase() === place.repository.toLowerCase();
    if (!isHere || now() - Date.parse(job.comment.createdAt) > OWED_MS) continue;
    if (outcome) await wired.watch(job);
    // An answer is written anew where it is not found, so the thread has to be the comment's own.
    if (look && (await isOnThread(threads, job))) await wired.look(job);
  }
  // Whoever has only now been asked is given a moment; these were asked by an earlier run.
  await inbox.hasten("work", `${OUTCOME_JOB} `);
}

async function isOnThread(threads: Pick<Threads, "read">, job: CommentJob): Promise<boolean> {
  const { url } = (await threads.read(commentRef(job))) ?? { url: "" };
  return url === job.comment.url && url.includes(`/${job.thread.number}#`);
}

async function deliver(
  { inbox, place, name }: BringParts,
  event: Extract<WorkflowEvent, { kind: "delivery" }>,
): Promise<void> {
  // What GitHub sends an App names its installation besides.
  const payload = { ...event.payload, installation: { id: place.installation } };
  const written = event.name === "issue_comment" ? readIssueComment(payload) : null;
  const id = written === null ? name : commentKey(commentRef(written));
  const { lane, key } = placeDelivery(payload);
  await inbox.add({ id, name: event.name, lane, key, payload: JSON.stringify(payload) });
}

/** Comments that no run has answered: of people on any thread, and what engines' pull requests have in reviews. */
async function sweepMissed(
  { app, place, repositoryId, inbox, memory, wired, now }: BringParts,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  const owed = async (at: SweepPlace, facts: SweepFacts) => {
    const recent = await readRecentComments(app, at, sweepBegins(facts));
    const pulls = await readOpenPulls(app, at, sweepBegins(facts));
    return [...chooseMissed(recent, { ...facts, repositoryId }), ...chooseSwept(pulls, facts)];
  };
  const places = async function* () {
    yield place;
  };
  const parts = { places, owed, inbox, memory, now, onAdded: wired.onAdded };
  await sweepComments({ ...parts, onTrouble: (_, error) => onTrouble(error) }, new AbortController().signal);
}
