import { plainText } from "../../../lib/plain-text.js";
import { table } from "../../../lib/table.js";
import type { Advice } from "../../../lib/user-error.js";

export const storeAdvice = {
  newer: (file: string, found: number, known: number): Advice => ({
    message: `${file} has version ${found}, and this koryph knows versions up to ${known}`,
    hint: "install the koryph that wrote it, or a newer one; nothing was changed",
  }),
  foreign: (file: string): Advice => ({
    message: `${file} is not a koryph database`,
    hint: "move it away, or point KORYPH_HOME at another folder; nothing was changed",
  }),
  damaged: (file: string, problem: string): Advice => ({
    message: `${file} is damaged: ${plainText(problem)}`,
    hint: "put a backup in its place, or move it away: koryph asks GitHub again for deliveries of the last days",
  }),
  busy: (file: string): Advice => ({
    message: `another process has been writing ${file} for too long`,
    hint: "look for a koryph that hangs, end it, then try again",
  }),
};

export const inboxAdvice = {
  absent: (file: string): Advice => ({
    message: `there is no inbox here: ${plainText(file)} does not exist`,
    hint: "`koryph serve` makes it; set KORYPH_HOME to the folder that the server uses",
  }),
  retryWhat: (): Advice => ({
    message: "retry takes the ids of jobs or --all-dead, one of the two",
    hint: "`koryph inbox list --dead` shows what was given up",
  }),
};

/** Why a job is given up without another try. */
export function neverFinished(takes: number): string {
  return `begun ${takes} times and never finished: koryph ended each time`;
}

/** Why a job is tried again although its handler has not ended. */
export function neverAnswered(seconds: number): string {
  return `it did not come to its end within ${seconds} s`;
}

/** Why a job is given up: a webhook's event that nothing reacts to should never have been stored. */
export function noReaction(event: string): string {
  return `nothing reacts to the event ${plainText(event)}`;
}

interface InboxLine {
  readonly id: string;
  readonly name: string;
  readonly lane: string;
  readonly key: string;
  readonly state: "waiting" | "in-hand" | "dead";
  readonly receivedAt: number;
  readonly attempt: number;
  readonly notBefore: number;
  readonly error: string;
}

interface InboxView {
  /** Counts of the whole inbox, also of jobs that the list leaves out. */
  readonly counts: readonly InboxCount[];
  readonly filter: { readonly lane?: string | undefined; readonly state?: string | undefined };
  readonly now: number;
}

interface InboxCount {
  readonly lane: string;
  readonly state: InboxLine["state"];
  readonly count: number;
}

export function inboxText(jobs: readonly InboxLine[], { counts, filter, now }: InboxView): string[] {
  const inLane = counts.filter(({ lane }) => filter.lane === undefined || lane === filter.lane);
  const number = (state?: string) =>
    inLane
      .filter((each) => state === undefined || each.state === state)
      .reduce((sum, { count }) => sum + count, 0);
  const lines = [`${number("waiting")} waiting, ${number("in-hand")} in hand, ${number("dead")} given up`];
  lines.push(
    ...table(
      jobs.map((job) => [
        shownJobId(job.id),
        job.lane,
        stateText(job, now),
        job.key === job.id ? "" : plainText(job.key),
        plainText(job.name),
        `${span(now - job.receivedAt)} ago`,
        plainText(job.error),
      ]),
    ),
  );
  const left = number(filter.state) - jobs.length;
  if (left > 0) lines.push(`and ${left} more; --json lists all`);
  if (number("dead") > 0) lines.push("", "koryph inbox retry <id> tries one again, --all-dead all of them");
  return lines;
}

/** Our own jobs have names of several words, such as `koryph.link comment 12`; one word is easier to type. */
function shownJobId(id: string): string {
  return plainText(id).replaceAll(" ", "/");
}

/** The ids that a typed id may stand for, the likeliest first. */
export function meantJobIds(typed: string): readonly string[] {
  return typed.includes("/") ? [typed, typed.replaceAll("/", " ")] : [typed];
}

function stateText({ state, attempt, notBefore }: InboxLine, now: number): string {
  switch (state) {
    case "in-hand":
      return `in hand, try ${attempt}`;
    case "dead":
      return `given up after ${attempt === 1 ? "1 try" : `${attempt} tries`}`;
    case "waiting":
      return notBefore > now ? `waiting, try ${attempt + 1} in ${span(notBefore - now)}` : "waiting";
  }
}

function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** A promise to programs, as docs/json.md describes it. */
export function inboxJson(jobs: readonly InboxLine[]) {
  return {
    jobs: jobs.map(({ id, name, lane, key, state, receivedAt, attempt, notBefore, error }) => ({
      id,
      name,
      lane,
      key,
      state,
      received_at: new Date(receivedAt).toISOString(),
      attempts: attempt,
      not_before: notBefore > 0 ? new Date(notBefore).toISOString() : null,
      error,
    })),
  };
}

interface RearmAnswer {
  readonly id: string;
  readonly answer: "rearmed" | "in-hand" | "done" | "absent";
}

export function rearmedText(answers: readonly RearmAnswer[]): string[] {
  if (answers.length === 0) return ["nothing was given up"];
  return answers.map(({ id, answer }) => `${shownJobId(id)}: ${REARMED[answer]}`);
}

const REARMED: Readonly<Record<RearmAnswer["answer"], string>> = {
  rearmed: "will be tried again",
  "in-hand": "is in hand right now",
  done: "is done",
  absent: "there is no such job",
};

/** A promise to programs, as docs/json.md describes it. */
export function rearmedJson(answers: readonly RearmAnswer[]) {
  return { jobs: answers };
}
