/** Below this many items, walking a list beats building a set of it. */
export const HANDFUL = 16;

/** A test for being in the list, quick for the usual few items and for the unusual many. */
export function memberOf<T>(items: readonly T[]): (item: T) => boolean {
  if (items.length <= HANDFUL) return (item) => items.includes(item);
  const set = new Set(items);
  return (item) => set.has(item);
}
