export interface FoldedText {
  readonly text: string;
  /** The lines, counted from 1, on which the folded fences open. */
  readonly openings: readonly number[];
}

const OPENING = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/**
 * A text without what is inside its fences, so that a long log in one is not parsed. It goes by lines alone and takes
 * for a fence what may be none, such as a line of an HTML comment. Where the parser finds an empty block of code at each
 * of the openings, the whole text has the same blocks: nothing inside a fence matters but the line that closes it.
 */
export function foldFences(source: string): FoldedText {
  const kept: string[] = [];
  const openings: number[] = [];
  let fence = "";
  for (const line of source.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? []) {
    if (fence !== "") {
      if (!closes(line, fence)) continue;
      fence = "";
    } else {
      fence = OPENING.exec(line)?.[1] ?? "";
      if (fence !== "") openings.push(kept.length + 1);
    }
    kept.push(line);
  }
  return { text: kept.join(""), openings };
}

/** Whether a line, where it may open a fence at all, does so. */
export function isFence(line: string): boolean {
  return OPENING.test(line);
}

/** Indented by any width: a line that is wrongly kept shows in the parsed block, one that is wrongly left out does not. */
function closes(line: string, fence: string): boolean {
  const bare = line.trim();
  return bare.startsWith(fence) && bare === fence.charAt(0).repeat(bare.length);
}
