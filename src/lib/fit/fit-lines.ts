import { byteLength, cutBytes } from "./cut-bytes.js";

export interface FittedLines {
  readonly text: string;
  /** How many of the lines are in it: the first ones. */
  readonly kept: number;
}

/**
 * As many of the lines as fit, joined, and a last one about those that do not. A first line that is too long by itself is
 * cut: something of it is better than nothing.
 */
export function fitLines(
  lines: readonly string[],
  { bytes, note }: { readonly bytes: number; readonly note: (kept: number) => string },
): FittedLines {
  const whole = lines.join("\n");
  if (byteLength(whole) <= bytes) return { text: whole, kept: lines.length };
  const room = bytes - byteLength(note(0)) - 1;
  const kept: string[] = [];
  let used = 0;
  for (const line of lines) {
    const size = byteLength(line) + 1;
    if (used + size > room) break;
    kept.push(line);
    used += size;
  }
  if (kept.length === 0) kept.push(cutBytes(lines[0] ?? "", room - 1));
  return { text: [...kept, note(kept.length)].join("\n"), kept: kept.length };
}
