import type { FindingIdentity } from "./finding-identity.js";

/** What a comment of ours says of itself, unseen: the finding it is about, and whether we found it mended. */
export interface FindingMark extends FindingIdentity {
  /** The head at which it was not found any more; null while it is. */
  readonly fixed: string | null;
}

const DIGEST = "[0-9a-f]{8,64}";
const FINDING = new RegExp(
  `^<!-- koryph:finding id=(${DIGEST}) words=(${DIGEST})(?: place=(${DIGEST}))?(?: fixed=([0-9a-f]{7,64}))? -->`,
);
const REVIEW = new RegExp(`^<!-- koryph:review key=(${DIGEST})(?: told=(${DIGEST}(?:,${DIGEST})*))? -->`);

export function findingMarker({ id, words, place, fixed }: FindingMark): string {
  const rest = `${place === null ? "" : ` place=${place}`}${fixed === null ? "" : ` fixed=${fixed}`}`;
  return `<!-- koryph:finding id=${id} words=${words}${rest} -->`;
}

/** Only at the beginning: further on stand other people's words. Null for a comment that is none of ours. */
export function readFindingMarker(body: string): FindingMark | null {
  const [, id, words, place = null, fixed = null] = FINDING.exec(body) ?? [];
  return id === undefined || words === undefined ? null : { id, words, place, fixed };
}

/** The comment's text with its mark replaced, where it has one. */
export function withFindingMarker(body: string, mark: FindingMark): string {
  return body.replace(FINDING, () => findingMarker(mark));
}

/** `key` names the review among others of the same pull request; `told` are the `words` of findings in its text. */
export function reviewMarker(key: string, told: readonly string[]): string {
  return `<!-- koryph:review key=${key}${told.length === 0 ? "" : ` told=${told.join(",")}`} -->`;
}

/** Null for a review that is none of ours. */
export function readReviewMarker(
  body: string,
): { readonly key: string; readonly told: readonly string[] } | null {
  const [, key, told] = REVIEW.exec(body) ?? [];
  return key === undefined ? null : { key, told: told?.split(",") ?? [] };
}

/** Begins a review of the operator's own remarks, so that it can be found again; an analysis never reads it. */
export function remarksMarker(key: string): string {
  return `<!-- koryph:remarks key=${key} -->`;
}
