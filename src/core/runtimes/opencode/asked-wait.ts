/** What an answer's headers say of a wait. Their names are in lower case. */
export interface WaitHeaders {
  readonly "retry-after"?: string | undefined;
  readonly "retry-after-ms"?: string | undefined;
  readonly date?: string | undefined;
}

/** No wait that anybody means has more digits. */
const COUNT = /^\d{1,9}$/;

/**
 * How long an answer asks to wait, in ms. A time of day is seen from the answer's own clock, not from ours. Null when
 * nothing readable is asked for.
 */
export function askedWaitMs(headers: WaitHeaders): number | null {
  const { "retry-after": after = "", "retry-after-ms": afterMs = "", date = "" } = headers;
  const wait = COUNT.test(afterMs)
    ? Number(afterMs)
    : COUNT.test(after)
      ? Number(after) * 1000
      : Date.parse(after) - Date.parse(date);
  return wait > 0 ? wait : null;
}
