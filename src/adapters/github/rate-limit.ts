export interface AnswerFacts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: unknown;
}

/** What GitHub asks for where it names no time. */
const DEFAULT_MS = 60_000;
/** Limits are counted by the hour, so nothing longer can be meant. */
const LONGEST_MS = 3_600_000;
const SHORTEST_MS = 1_000;

/** When GitHub wants to be asked again; null when the answer is not about asking too much. */
export function readRateLimit(answer: AnswerFacts, now: number): number | null {
  const waitMs = isLimited(answer) ? (readRetryAfter(answer) ?? readReset(answer, now) ?? DEFAULT_MS) : null;
  if (waitMs === null) return null;
  return now + Math.min(LONGEST_MS, Math.max(SHORTEST_MS, waitMs));
}

/** When the used-up quota of a good answer is filled again; null while there is some left. */
export function readUsedUp(answer: AnswerFacts, now: number): number | null {
  if (readRemaining(answer) !== 0) return null;
  const waitMs = readReset(answer, now);
  return waitMs === null ? null : now + Math.min(LONGEST_MS, Math.max(0, waitMs));
}

/** Null when GitHub does not say. */
export function readRemaining({ headers }: Pick<AnswerFacts, "headers">): number | null {
  return wholeNumber(headers["x-ratelimit-remaining"]);
}

function isLimited(answer: AnswerFacts): boolean {
  const { status, headers, data } = answer;
  if (status === 429) return true;
  // GraphQL says so in an answer that is otherwise fine.
  if (status === 200) return errorTypes(data).includes("RATE_LIMITED");
  if (status !== 403) return false;
  if (wholeNumber(headers["retry-after"]) !== null || readRemaining(answer) === 0) return true;
  return /secondary rate limit|abuse detection/i.test(messageOf(data));
}

function readRetryAfter({ headers }: AnswerFacts): number | null {
  const seconds = wholeNumber(headers["retry-after"]);
  return seconds === null ? null : seconds * 1000;
}

function readReset(answer: AnswerFacts, now: number): number | null {
  const reset = wholeNumber(answer.headers["x-ratelimit-reset"]);
  if (reset === null || readRemaining(answer) !== 0) return null;
  // By GitHub's own clock where it tells the time, since ours may be wrong.
  const theirs = Date.parse(`${answer.headers.date}`);
  return reset * 1000 - (Number.isNaN(theirs) ? now : theirs) + SHORTEST_MS;
}

function wholeNumber(header: string | number | undefined): number | null {
  return header !== undefined && /^\d{1,12}$/.test(`${header}`) ? Number(header) : null;
}

function errorTypes(data: unknown): readonly unknown[] {
  const errors = (data as { errors?: unknown } | null | undefined)?.errors;
  return Array.isArray(errors) ? errors.map((error) => (error as { type?: unknown } | null)?.type) : [];
}

function messageOf(data: unknown): string {
  return `${(data as { message?: unknown } | null | undefined)?.message ?? ""}`;
}
