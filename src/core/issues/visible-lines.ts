const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A comment that begins a block, in a list or a quote as well: it ends only where it is closed. */
const BLOCK_COMMENT = /^\s*(?:(?:[-*+>]|\d+[.)])\s*)*<!--/;
/** The address of a link, which GitHub does not show. */
const LINK_ADDRESS = /^ {0,3}\[[^\]]+\]:\s*\S/;

/** A line of markdown as people see it; `code` when it stands between fences. */
export interface VisibleLine {
  readonly text: string;
  readonly code: boolean;
}

/**
 * The text line by line, without what GitHub hides from whoever releases the issue: HTML comments and the addresses of
 * links. What they did not see is not for agents either.
 */
export function visibleLines(markdown: string): VisibleLine[] {
  const shown: VisibleLine[] = [];
  const lines = markdown.split(/\r\n|\r|\n/);
  let fence: string | null = null;
  let hidden = false;
  for (const [index, line] of lines.entries()) {
    if (fence !== null) {
      const [, mark = ""] = FENCE.exec(line) ?? [];
      if (mark.startsWith(fence) && line.trim() === mark) fence = null;
      shown.push({ text: line, code: true });
      continue;
    }
    const rest = withoutComments(line, hidden, () => isClosedBelow(lines, index + 1));
    const isCut = hidden || rest.text !== line;
    hidden = rest.hidden;
    if ((isCut && rest.text.trim() === "") || LINK_ADDRESS.test(rest.text)) continue;
    fence = FENCE.exec(rest.text)?.[1] ?? null;
    shown.push({ text: rest.text, code: fence !== null });
  }
  return shown;
}

function withoutComments(
  line: string,
  hiddenBefore: boolean,
  isClosedLater: () => boolean,
): { readonly text: string; readonly hidden: boolean } {
  let [text, rest, hidden] = ["", line, hiddenBefore];
  for (;;) {
    const at = rest.indexOf(hidden ? "-->" : "<!--");
    if (at === -1) return { text: hidden ? text : text + rest, hidden };
    if (hidden) rest = rest.slice(at + "-->".length);
    else {
      // In the middle of a sentence it is a comment only if it is closed before the next empty line.
      const isComment = rest.indexOf("-->", at) !== -1 || BLOCK_COMMENT.test(text + rest) || isClosedLater();
      if (!isComment) return { text: text + rest, hidden };
      text += rest.slice(0, at);
      rest = rest.slice(at + "<!--".length);
    }
    hidden = !hidden;
  }
}

function isClosedBelow(lines: readonly string[], from: number): boolean {
  for (const line of lines.slice(from)) {
    if (line.trim() === "") return false;
    if (line.includes("-->")) return true;
  }
  return false;
}
