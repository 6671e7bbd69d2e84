/** The most urgent first; what has the same priority keeps its order. A backlog has few priorities, so it is dealt rather than sorted. */
export function inPriorityOrder<T>(items: readonly T[], priorityOf: (item: T) => number): T[] {
  const piles = new Map<number, T[]>();
  for (const item of items) {
    const priority = priorityOf(item);
    const pile = piles.get(priority);
    if (pile) pile.push(item);
    else piles.set(priority, [item]);
  }
  const ordered: T[] = [];
  for (const [, pile] of [...piles].sort(([a], [b]) => a - b)) for (const item of pile) ordered.push(item);
  return ordered;
}
