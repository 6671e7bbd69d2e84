interface Version {
  readonly numbers: readonly [number, number, number];
  /** Null for a release. A pre-release comes before the release it leads to. */
  readonly pre: string | null;
}

/**
 * Whether the running engine is at least the required one. `0.2`, `v0.2`, `0.2+` and `>=0.2.0` are all
 * the same floor; an empty requirement is met by any engine. Throws when either text cannot be read.
 */
export function engineSatisfies(running: string, requirement: string): boolean {
  const engine = parseVersion(running);
  if (engine === null) throw new RangeError(`engine version ${JSON.stringify(running)} cannot be read`);
  if (requirement.trim() === "") return true;
  const floor = parseRequirement(requirement);
  if (floor === null) throw new RangeError(`engine_version ${JSON.stringify(requirement)} cannot be read`);
  return compare(engine, floor) >= 0;
}

export function isReadableRequirement(requirement: string): boolean {
  return requirement.trim() === "" || parseRequirement(requirement) !== null;
}

function parseRequirement(text: string): Version | null {
  return parseVersion(
    text
      .trim()
      .replace(/^>=\s*/, "")
      .replace(/\+$/, ""),
  );
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
