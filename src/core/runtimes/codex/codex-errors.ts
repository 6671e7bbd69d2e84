import type { OutcomeKind } from "../../model/agent-end.js";

interface Row {
  readonly sign: string;
  readonly kind: OutcomeKind;
  readonly matches: RegExp;
}

/**
 * First match wins. Codex tells of a failure in words alone, which begin with the status where there was one;
 * what follows it is the service's own text, so signs are looked for at the beginning.
 */
export const CODEX_FAILURES: readonly Row[] = [
  { sign: "you've hit your usage limit", kind: "limited", matches: /^you.ve hit your usage limit/i },
  {
    sign: "quota exceeded, status 402",
    kind: "billing",
    matches: /^quota exceeded|^unexpected status 402\b/i,
  },
  {
    sign: "status 401 or 403, missing environment variable",
    kind: "auth",
    matches: /^unexpected status 40[13]\b|last status: 40[13]\b|^missing environment variable/i,
  },
  {
    sign: "status 400 or 404, and a model that does not exist or is not supported",
    kind: "unknown-model",
    matches:
      /^unexpected status 40[04]\b.*(model_not_found|\bmodel\b.{0,200}(does not exist|is not supported))/is,
  },
  // Where the service names the fault (`model_not_found`), Codex passes on its words without the status.
  {
    sign: "the same in the service's own words, or a project without access to a model",
    kind: "unknown-model",
    matches:
      /^(\{"detail":")?the\b.{0,200}\bmodel\b.{0,200}(does not exist|is not supported)|^project\b.{0,200}does not have access to model\b/i,
  },
  {
    sign: "status 429",
    kind: "limited",
    matches: /^unexpected status 429\b|last status: 429\b|^rate limit/i,
  },
  {
    sign: "status 500 and above, high demand, at capacity",
    kind: "unavailable",
    matches: /^unexpected status 5\d\d\b|last status: 5\d\d\b|high demand|at capacity/i,
  },
  {
    sign: "connection failed, stream disconnected, timeout",
    kind: "unavailable",
    matches: /^connection failed|^stream disconnected|^request timed out|^timeout|^error sending request/i,
  },
];

export function codexFailureKind(message: string): OutcomeKind {
  return CODEX_FAILURES.find(({ matches }) => matches.test(message.trim()))?.kind ?? "failed";
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TRY_AGAIN =
  /try again at ([a-z]{3})[a-z]* (\d{1,2})(?:st|nd|rd|th)?, (\d{4}) (\d{1,2}):(\d{2}) ([ap])m/i;

/**
 * When a used-up plan opens again, in ms, from "try again at Mar 17th, 2030 5:46 PM", which is UTC because
 * Codex was started that way. Null when there is no date: for a time of today none is given.
 */
export function codexRetryAt(message: string): number | null {
  const [, month = "", day, year, hour, minute, half] = TRY_AGAIN.exec(message) ?? [];
  const index = MONTHS.indexOf(month.toLowerCase());
  if (index === -1) return null;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === "p" ? 12 : 0);
  // The minute is cut off, not rounded.
  return Date.UTC(Number(year), index, Number(day), hours, Number(minute) + 1);
}

const RECONNECTING = /^reconnecting\W+(\d+)\/\d+(?: \((.*)\))?$/is;

/** What a line about a lost connection tells; null for any other message. */
export function codexRetry(
  message: string,
): { attempt: number; status: number | null; reason: string } | null {
  const [, attempt, reason = ""] = RECONNECTING.exec(message.trim()) ?? [];
  if (attempt === undefined) return null;
  const status = /status:? (\d{3})\b/.exec(reason)?.[1];
  return { attempt: Number(attempt), status: status === undefined ? null : Number(status), reason };
}
