/** Ends a sentence about a name that nobody knows; empty when no other comes near it. */
export function didYouMean(near: readonly string[]): string {
  return near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`;
}
