/** What GitHub takes at once, and what we send at most: a request that is too large is refused as a whole. */
export const COMMENTS_AT_ONCE = 30;
export const ANNOTATIONS_AT_ONCE = 50;
/** GitHub takes 65,536 characters; so many bytes are fewer. */
export const BODY_BYTES = 60_000;
/** Reviews that only carry findings of no line; what does not fit into these is listed without its words. */
export const MOST_FINDING_REVIEWS = 10;
/** Of a check run's summary and of its text, each by itself. */
export const CHECK_BYTES = 65_535;
/** Findings of one analysis; more than that is no review. */
export const MOST_PULL_FINDINGS = 1_000;
