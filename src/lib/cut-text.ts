/** At most so many characters, the last of them an ellipsis where something was left out. */
export function cutText(text: string, longest: number): string {
  // A character has at most two code units, so the rest of a very long text is never looked at.
  const letters = Array.from(text.slice(0, 2 * longest + 2));
  return letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : letters.join("");
}
