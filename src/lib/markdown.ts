import { fromMarkdown } from "mdast-util-from-markdown";
import { COSTLY, flattened, isTangled, isTooLong, isUnderline } from "./markdown-cost.js";
import { OpenElements } from "./open-elements.js";

export interface ProseLine {
  /** As typed, without the blanks around it and without the mark of a hard line break. */
  readonly text: string;
  /** It begins as plain text, at most three spaces in: not inside code, a link, emphasis or an element. */
  readonly plain: boolean;
}

/**
 * The lines of the paragraphs that stand by themselves: in no quote, list, heading, code or element. None when the
 * text is too long to be read.
 */
export function proseLines(markdown: string): ProseLine[] {
  if (isTooLong(markdown)) return [];
  // The parser leaves a byte-order mark out of its count of characters.
  const source = flattened(markdown.replace(/^\ufeff/, ""));
  const tangled = isTangled(source);
  const { children } = fromMarkdown(source, tangled ? { extensions: [{ disable: { null: COSTLY } }] } : {});
  const open = new OpenElements();
  return children.flatMap((node, index) => {
    if (node.type === "html") open.readBlock(node.value);
    if (node.type !== "paragraph") return [];
    const lines = linesOf(node, source, open);
    return tangled ? carefully(lines, node, children[index + 1]) : lines;
  });
}

type Block = ReturnType<typeof fromMarkdown>["children"][number];
type Paragraph = Extract<Block, { type: "paragraph" }>;

function linesOf(paragraph: Paragraph, source: string, open: OpenElements): ProseLine[] {
  const pieces = piecesOf(paragraph, open);
  const breaks = new Set(paragraph.children.filter(({ type }) => type === "break").map(startOf));
  const start = startOf(paragraph);
  let at = 0;
  return [...source.slice(start, endOf(paragraph)).matchAll(/[^\r\n]+/g)].map(({ 0: line, index }) => {
    const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
    const first = start + index + indent.length;
    while ((pieces[at]?.end ?? Number.POSITIVE_INFINITY) <= first) at += 1;
    const piece = pieces[at];
    const plain = piece?.plain === true && piece.start <= first && /^ {0,3}$/.test(indent);
    const end = start + index + line.length;
    // A backslash at the end of a line is the other way to write a hard break.
    return { text: source.slice(first, breaks.has(end - 1) ? end - 1 : end).trimEnd(), plain };
  });
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly plain: boolean;
}

function piecesOf(paragraph: Paragraph, open: OpenElements): Piece[] {
  const pieces = paragraph.children.map((node) => {
    readElements(node, open);
    return { start: startOf(node), end: endOf(node), plain: node.type === "text" && !open.any };
  });
  open.endParagraph();
  return pieces;
}

function readElements(node: Paragraph["children"][number], open: OpenElements): void {
  if (node.type === "html") open.readInline(node.value);
  if ("children" in node) for (const child of node.children) readElements(child, open);
}

/** Without the costly constructs a line is plain only where none of them can have begun before it. */
function carefully(
  lines: readonly ProseLine[],
  paragraph: Paragraph,
  beneath: Block | undefined,
): ProseLine[] {
  const ruled =
    beneath?.type === "thematicBreak" &&
    lineOf(beneath.position?.start) === lineOf(paragraph.position?.end) + 1;
  const heading = ruled || lines.some(({ text }, index) => index > 0 && isUnderline(text));
  let clear = !heading;
  return lines.map(({ text, plain }) => {
    const line = { text, plain: plain && clear };
    clear = clear && !/[*_[]/.test(text);
    return line;
  });
}

interface Placed {
  readonly position?: Block["position"];
}

function startOf({ position }: Placed): number {
  return position?.start.offset ?? 0;
}

function endOf({ position }: Placed): number {
  return position?.end.offset ?? 0;
}

function lineOf(point: { readonly line: number } | undefined): number {
  return point?.line ?? 0;
}
