import type { AnswerFacts } from "./rate-limit.js";

/** The status GitHub answered with; null for everything that is not an answer of GitHub's. */
export function statusOf(error: unknown): number | null {
  return answerOf(error)?.status ?? null;
}

/** What GitHub answered instead of what was wanted; null when it did not answer. */
export function answerOf(error: unknown): AnswerFacts | null {
  // Octokit calls a failed connection a 500, so only an error with a response is an answer.
  const { status, response } = (error ?? {}) as { status?: unknown; response?: Partial<AnswerFacts> };
  if (typeof status !== "number" || response === undefined) return null;
  return { status, headers: response.headers ?? {}, data: response.data };
}

/** GitHub gave no token to ask with; so its answer says nothing about what was to be asked for. */
export function isTokenRefusal(error: unknown): boolean {
  const asked = (error as { request?: { url?: unknown } } | null)?.request?.url;
  return statusOf(error) !== null && `${asked}`.endsWith("/access_tokens");
}

/** The answer, or null where GitHub says that there is no such thing (any more). */
export async function unlessGone<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    const status = isTokenRefusal(error) ? null : statusOf(error);
    if (status === 404 || status === 410) return null;
    throw error;
  }
}

/** The same where GitHub says that nobody may write there now: the conversation is locked, or everything archived. */
export async function unlessClosed<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    const { data } = answerOf(error) ?? {};
    const said = `${(data as { message?: unknown } | undefined)?.message ?? ""}`;
    if (statusOf(error) === 410 || (statusOf(error) === 403 && /\b(locked|archived)\b/i.test(said)))
      return null;
    throw error;
  }
}
