import type { Criterion } from "../prompt/acceptance-criteria.js";
import { blockingObject, blockingValue } from "./blocking-object.js";
import { enforceCriteria } from "./enforce-criteria.js";
import { findJsonObjects, type JsonPlace } from "./find-json-objects.js";
import { jsonFences, lastInFence } from "./json-fences.js";
import { ownKeys } from "./own-keys.js";
import { ReviewerAnswer } from "./reviewer-answer.js";
import type { Verdict } from "./verdict.js";

export type VerdictReading =
  | { readonly kind: "verdict"; readonly verdict: Verdict }
  | { readonly kind: "degraded"; readonly why: DegradedReview };

/** Why a review could not be understood. It holds none of the reviewer's words, so everyone may read it. */
export type DegradedReview =
  | { readonly code: "empty" | "no-verdict" | "cut-off" | "key-twice" | "program-failed" }
  /** Where in the verdict; empty for all of it. */
  | { readonly code: "malformed"; readonly path: string }
  /** The reviewer came to no end of its own. */
  | { readonly code: "died"; readonly outcome: string };

type AnswerReading =
  | { readonly kind: "answer"; readonly answer: ReviewerAnswer }
  | { readonly kind: "degraded"; readonly why: DegradedReview };

type Members = Readonly<Record<string, unknown>>;

/** The verdict stands at the end, and no reviewer has more to say than this. */
const ANSWER_CHARACTERS = 1_000_000;
const ENVELOPES = 2;

/**
 * What a reviewer's answer comes to, once every acceptance criterion is held against it. What the runtime
 * checked against a schema counts first, then the text. Never throws: an answer that cannot be understood is
 * `degraded`, which is not clean.
 */
export function readVerdict(
  answer: { readonly text: string; readonly structured: unknown },
  criteria: readonly Criterion[],
  mostFindings?: number,
): VerdictReading {
  const structured = readValue(answer.structured);
  const text = readText(answer.text.slice(-ANSWER_CHARACTERS), ENVELOPES);
  const blocking = [structured, text].find((each) => each.kind === "answer" && each.answer.blocking);
  const reading = blocking ?? (structured.kind === "answer" ? structured : text);
  if (reading.kind === "answer")
    return { kind: "verdict", verdict: enforceCriteria(reading.answer, criteria, mostFindings) };
  return structured.kind === "degraded" && (answer.structured ?? null) !== null ? structured : reading;
}

function readText(text: string, envelopes: number): AnswerReading {
  const { found, unfinished } = findJsonObjects(text, "blocking");
  const last = found.at(-1);
  if (last === undefined) {
    const enclosed = envelopes > 0 ? readEnvelope(text, envelopes) : null;
    if (enclosed !== null) return enclosed;
    if (unfinished !== null) return degraded({ code: "cut-off" });
    return degraded({ code: text.trim() === "" ? "empty" : "no-verdict" });
  }
  const chosen = lastInFence(found, jsonFences(text)) ?? last;
  // One of several may be quoted from the change, and nobody can tell which: one that blocks is believed, whatever
  // follows it. To block for nothing costs a round, to pass for nothing lands what nobody approved.
  for (const place of [chosen, ...found.toReversed()]) {
    const blocking = blockingObject(text, place);
    if (blocking?.start === place.start) return understood({ ...parsed(text, place), blocking: true });
    if (blocking !== null) return understood(blockedBy(parsed(text, blocking), parsed(text, place)));
  }
  // Whatever else stands before an answer that breaks off is a draft or a quotation.
  if (unfinished !== null && unfinished >= chosen.end) return degraded({ code: "cut-off" });
  const keys = ownKeys(text, chosen);
  if (new Set(keys).size < keys.length) return degraded({ code: "key-twice" });
  return understood(parsed(text, chosen));
}

function readValue(value: unknown): AnswerReading {
  const blocking = blockingValue(value);
  if (blocking === null) return understood(value);
  return understood(
    blocking === value ? { ...value, blocking: true } : blockedBy({ ...blocking }, { ...Object(value) }),
  );
}

/** An answer with an object inside that blocks. What that one finds is told beside the rest. */
function blockedBy(inner: Members, answer: Members): Members {
  const findings = [answer.findings, inner.findings].flatMap((each) => (each === "" ? [] : (each ?? [])));
  return { ...answer, blocking: true, findings };
}

/** Programs wrap the last message as `{result, is_error}`. Null when nothing is wrapped. */
function readEnvelope(text: string, envelopes: number): AnswerReading | null {
  const place = findJsonObjects(text, "is_error").found.at(-1);
  if (place === undefined) return null;
  const envelope = parsed(text, place);
  if (envelope.is_error === true) return degraded({ code: "program-failed" });
  return typeof envelope.result === "string" ? readText(envelope.result, envelopes - 1) : null;
}

function understood(value: unknown): AnswerReading {
  const answer = ReviewerAnswer.safeParse(value);
  if (answer.success) return { kind: "answer", answer: answer.data };
  return degraded({ code: "malformed", path: answer.error.issues[0]?.path.join(".") ?? "" });
}

/** The search has followed JSON's grammar to the end, so this is JSON. */
function parsed(text: string, { start, end }: JsonPlace): Members {
  return JSON.parse(text.slice(start, end));
}

function degraded(why: DegradedReview): Extract<VerdictReading, { kind: "degraded" }> {
  return { kind: "degraded", why };
}
