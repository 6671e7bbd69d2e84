/** The known word closest to `word`, or null when none is close enough to be what was meant. */
export function nearest(word: string, known: Iterable<string>): string | null {
  return nearestFew(word, known, 1)[0] ?? null;
}

/** The closest known words, closest first; words equally close stay in their order. */
export function nearestFew(word: string, known: Iterable<string>, count: number): string[] {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const asked = word.toLowerCase();
  const close: { word: string; distance: number }[] = [];
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = editDistance(asked, candidate.toLowerCase());
    if (distance <= limit) close.push({ word: candidate, distance });
  }
  return close
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ word: meant }) => meant);
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
