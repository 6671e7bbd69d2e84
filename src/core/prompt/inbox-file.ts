import { cutText } from "../../lib/cut-text.js";

export interface InboxLimits {
  /** Of the whole file. Room for four times `messageLetters`, as a letter has up to four bytes. */
  readonly fileBytes: number;
  readonly messageLetters: number;
}

/** What the agent reads in the place of words that are not there. */
const DROPPED = "(A message that was here is left out, because this file is full.)";
const cutNote = (longest: number) => `(The rest is left out: a message has at most ${longest} characters.)`;

const MARK = /^(?=<!-- \S+ -->$)/m;

/**
 * The inbox with one more message; null when it is there already. Where there is no room, the oldest messages give
 * up their words, a note in the place of each. Their marks stay, so that none is delivered again.
 */
export function addToInbox(
  there: string,
  { key, text }: { readonly key: string; readonly text: string },
  { fileBytes, messageLetters }: InboxLimits,
): string | null {
  const mark = `<!-- ${key} -->`;
  if (there.includes(mark)) return null;
  const words = text.trim();
  const cut = cutText(words, messageLetters);
  const note = cut === words ? "" : `\n${cutNote(messageLetters)}`;
  const entry = `${mark}\n${cut}${note}\n\n`;
  const earlier = there.split(MARK);
  let bytes = bytesOf(there) + bytesOf(entry);
  for (const [index, old] of earlier.entries()) {
    if (bytes <= fileBytes) break;
    const short = withoutWords(old);
    if (short.length >= old.length) continue;
    bytes += bytesOf(short) - bytesOf(old);
    earlier[index] = short;
  }
  // So many that their marks alone are too much.
  while (bytes > fileBytes && earlier.length > 0) bytes -= bytesOf(earlier.shift() ?? "");
  return `${earlier.join("")}${entry}`;
}

function withoutWords(entry: string): string {
  const [mark = ""] = /^<!-- \S+ -->\n/.exec(entry) ?? [];
  return `${mark}${DROPPED}\n\n`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
