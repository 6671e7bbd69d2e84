const ESCAPES: Readonly<Record<string, number>> = {
  ...{ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 },
  ...{ '"': 34, "\\": 92 },
};

/** A path that git wrote between quotes, as in C; null where it is none, or is no UTF-8. */
export function unquotePath(text: string): string | null {
  if (!/^".*"$/s.test(text)) return null;
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  for (const [piece, octal, letter] of text
    .slice(1, -1)
    .matchAll(/\\([0-7]{3})|\\([abtnvfr"\\])|[^\\]+|\\/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? 0);
    else if (piece === "\\") return null;
    else bytes.push(...encoder.encode(piece));
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}
