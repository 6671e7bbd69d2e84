/** How long a text is in UTF-8, which is what GitHub counts. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

/** As much of a text as fits into so many bytes, without half a character at its end. */
export function cutBytes(text: string, most: number): string {
  // Every character of the text takes at least one byte, so the rest of a very long one is never looked at.
  const { read } = new TextEncoder().encodeInto(text.slice(0, most), new Uint8Array(Math.max(0, most)));
  return text.slice(0, read);
}
