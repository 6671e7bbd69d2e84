import { redactCode } from "../redact.js";

/** Longer than what people write by hand, so that a fence is seen as one. */
const SHORTEST_FENCE = 6;

const LONGEST_SECRET = 4_000;

/**
 * Text from a stranger between two fences that it cannot close: they are longer than any run of the fence's
 * character inside it. What a reader of the raw text would not see is made visible, and secrets are taken out.
 */
export function fenced(text: string): string {
  const body = redactCode(visible(text)).trimEnd();
  const runs = [...body.matchAll(/~+/g)].map(([run]) => run.length);
  const fence = "~".repeat(runs.reduce((longest, run) => Math.max(longest, run + 1), SHORTEST_FENCE));
  return `${fence}\n${body}\n${fence}`;
}

/** As much of a text as fits, with a line that says how much was left out. */
export function capped(text: string, characters: number): string {
  if (text.length <= characters) return text;
  // A secret that the cut goes through is none to those who look for one afterwards.
  const clean = redactCode(text.slice(0, characters + LONGEST_SECRET)).slice(0, characters);
  return `${clean}\n[cut off: ${text.length - characters} more characters]`;
}

/** Line breaks of all kinds become plain ones; characters that hide or reorder text become a visible mark. */
function visible(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(HIDDEN, MARK)
    .replace(STRAY_JOINER, MARK)
    .replace(STRAY_VARIANT, MARK);
}

const MARK = "\u{FFFD}";

// Controls but tab and line feed, soft hyphen, bidirectional marks, zero-width spaces, fillers, notes for musicians and
// typesetters, tags, the variants of which there are hundreds.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb]|\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|\u180f|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e01ef}]/gu;
// Some scripts, and pictures of families, cannot be written without the two joiners; between plain letters, or in a row,
// they spell something else.
const STRAY_JOINER =
  /(?<=[\u0000-\u007f])(?:\u200c|\u200d)(?=[\u0000-\u007f])|(?<=\u200c|\u200d)(?:\u200c|\u200d)|(?:\u200c|\u200d)(?=\u200c|\u200d)/gu;
// One says whether a sign is a picture; a row of them is a message.
const STRAY_VARIANT = /[\ufe00-\ufe0d]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]/gu;
