/**
 * Commands in sentences stand between backticks, from where they are written to where they are shown: a surface shows
 * them as what can be copied and typed as it stands.
 */
export function typed(command: string): string {
  return `\`${command}\``;
}

/** What counts as one of ours: a stray backtick in other people's words, which a space follows, opens nothing. */
export const TYPED = /`((?:\/?koryph|git|gh) [^`]*[^`\s]|https?:\/\/[^\s`]+)`/g;

/** The same sentence for a line of a terminal or for programs, where a command stands by itself. */
export function bare(sentence: string): string {
  return sentence.replace(TYPED, "$1");
}
