/** Longer than what people write by hand, so that a fence is seen as one. */
const SHORTEST_FENCE = 6;

/**
 * Text from a stranger between two fences that it cannot close: they are longer than any run of the fence's
 * character inside it. What a reader of the raw text would not see is made visible.
 */
export function fenced(text: string): string {
  const body = visible(text).trimEnd();
  const runs = [...body.matchAll(/~+/g)].map(([run]) => run.length);
  const fence = "~".repeat(runs.reduce((longest, run) => Math.max(longest, run + 1), SHORTEST_FENCE));
  return `${fence}\n${body}\n${fence}`;
}

/** As much of a text as fits, with a line that says how much was left out. */
export function capped(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, characters)}\n[cut off: ${text.length - characters} more characters]`;
}

/** Line breaks of all kinds become plain ones; characters that hide or reorder text become a visible mark. */
function visible(text: string): string {
  return text.replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n").replace(HIDDEN, "\u{FFFD}");
}

// Controls but tab and line feed, soft hyphen, bidirectional marks, zero-width spaces, tags. The two joiners
// stay: some scripts cannot be written without them.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu;
