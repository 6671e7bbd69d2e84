/** Labels by which an issue shows what koryph does with it. */
export const STATE_LABELS = { inProgress: "koryph:in-progress", blocked: "koryph:blocked" } as const;

/** Of work that nobody has ranked. */
const UNRANKED = 2;

/** Words of the grammar; GitHub keeps the spelling of whoever made the label, and takes no second one. */
const WORDS: ReadonlySet<string> = new Set(["no-dispatch", "refactor-core", "no-validate"]);
const PREFIXES: ReadonlySet<string> = new Set([
  ...["area", "fp", "res", "model", "effort", "runtime", "timeout", "rt", "merge", "gt"],
]);

export function isLabel(label: string, name: string): boolean {
  return label.toLowerCase() === name.toLowerCase();
}

export function hasLabel(labels: readonly string[], name: string): boolean {
  return labels.some((label) => isLabel(label, name));
}

/** The same labels, the words of the grammar as koryph writes them. */
export function grammarLabels(labels: readonly string[]): string[] {
  return labels.map((each) => {
    const label = each.trim();
    const lower = label.toLowerCase();
    if (WORDS.has(lower)) return lower;
    const [prefix = ""] = lower.split(":", 1);
    if (!label.includes(":") || !PREFIXES.has(prefix)) return label;
    return prefix + label.slice(prefix.length);
  });
}

/** The most urgent of `P0` to `P4`. */
export function priorityOf(labels: readonly string[]): number {
  const ranks = labels.flatMap((label) => {
    const [, digit] = /^p([0-4])$/i.exec(label.trim()) ?? [];
    return digit === undefined ? [] : [Number(digit)];
  });
  return ranks.length === 0 ? UNRANKED : Math.min(...ranks);
}

/** Types that a label can give, where the organisation has no issue types. */
const TYPE_LABELS: ReadonlySet<string> = new Set(["bug", "chore", "decision", "epic", "task"]);

/**
 * What kind of work it is. An issue with parts is an epic. GitHub's `Feature` is ordinary work as long as it has none:
 * whoever releases it wants it done.
 */
export function typeOf({
  type,
  labels,
  hasParts,
}: {
  readonly type: string | null;
  readonly labels: readonly string[];
  readonly hasParts: boolean;
}): string {
  if (hasParts) return "epic";
  const given = type?.trim().toLowerCase();
  if (given) return given === "feature" ? "task" : given;
  const names = labels.map((label) =>
    label
      .trim()
      .toLowerCase()
      .replace(/^type:\s*/, ""),
  );
  return names.find((name) => TYPE_LABELS.has(name)) ?? "task";
}
