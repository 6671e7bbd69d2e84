interface Version {
  readonly numbers: readonly [number, number, number];
  /** Null for a release. A pre-release comes before the release it leads to. */
  readonly pre: string | null;
}

/** Whether the version is the floor or a later one; null when either text cannot be read. */
export function isVersionAtLeast(version: string, floor: string): boolean | null {
  const [a, b] = [parseVersion(version), parseVersion(floor)];
  return a === null || b === null ? null : compare(a, b) >= 0;
}

/** `1`, `v1.2` and `1.2.3-rc.1+build` can be read. */
export function isVersion(text: string): boolean {
  return parseVersion(text) !== null;
}

function parseVersion(text: string): Version | null {
  const match =
    /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(
      text.trim(),
    );
  if (!match) return null;
  return {
    numbers: [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)],
    pre: match[4] ?? null,
  };
}

function compare(a: Version, b: Version): number {
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.pre === b.pre) return 0;
  if (a.pre === null) return 1;
  if (b.pre === null) return -1;
  return comparePre(a.pre.split("."), b.pre.split("."));
}

/** Numbers by value and before words, words by their letters, the shorter list first. */
function comparePre(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    if (left === right) continue;
    const numeric = [left, right].map((part) => /^\d+$/.test(part));
    if (numeric[0] && numeric[1]) return Number(left) - Number(right);
    if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
