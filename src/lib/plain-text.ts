/**
 * Text from outside made safe for one line of a terminal or log: white space of any kind becomes a space,
 * and control characters and characters that reorder or hide what follows are shown as a visible mark.
 */
export function plainText(text: string): string {
  return text.replace(/\s+/g, " ").replace(UNSAFE, "\u{FFFD}").trim();
}

/** The same for a text whose line breaks and indentation are our own. */
export function plainLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replaceAll("\t", " ").replace(UNSAFE, "\u{FFFD}"))
    .join("\n");
}

// C0 and C1 controls, soft hyphen, zero-width and bidirectional marks, line separators, byte-order mark, tags.
export const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}]/gu;
