import { fromMarkdown } from "mdast-util-from-markdown";
import { ownLines, runningLines } from "./beyond-markdown.js";
import { foldFences, isFence } from "./fold-fences.js";
import { isTooCostly, isTooLong } from "./markdown-cost.js";
import { OpenElements } from "./open-elements.js";

export interface ProseLine {
  /** As typed, without the blanks around it and without the mark of a hard line break. */
  readonly text: string;
  /** It begins as plain text, at most three spaces in: not inside code, a link, emphasis, a table or an element. */
  readonly plain: boolean;
}

/**
 * The lines of the paragraphs that stand by themselves: in no quote, list, heading, code or element. None when the
 * text would take too long to read.
 */
export function proseLines(markdown: string): ProseLine[] {
  // The parser leaves a byte-order mark out of its count of characters.
  const parsed = isTooLong(markdown) ? null : parse(markdown.replace(/^\ufeff/, ""));
  if (parsed === null) return [];
  const { source, blocks } = parsed;
  const all = withoutFences(source, blocks);
  const own = ownLines(all);
  const open = new OpenElements();
  return blocks.flatMap((node) => {
    if (node.type === "html") open.readBlock(node.value);
    else if (node.type !== "paragraph") readNested(node, open);
    if (node.type !== "paragraph") return [];
    const lines = linesOf(node, source, open);
    const first = lineOf(node.position?.start) - 1;
    const beneath = all[first + lines.length] ?? "";
    const running = runningLines(
      lines.map(({ text }) => text),
      beneath,
    );
    return lines.map(({ text, plain }, index) => ({
      text,
      plain: plain && running[index] === true && own[first + index] === true,
    }));
  });
}

/** Whether the text is read at all. */
export function isReadable(markdown: string): boolean {
  return !isTooLong(markdown) && (!isTooCostly(markdown) || parse(markdown.replace(/^\ufeff/, "")) !== null);
}

type Block = ReturnType<typeof fromMarkdown>["children"][number];
type Paragraph = Extract<Block, { type: "paragraph" }>;

interface Parsed {
  readonly source: string;
  readonly blocks: readonly Block[];
}

/** Null when it would cost too much even without what is in fences, or cannot be read without it. */
function parse(markdown: string): Parsed | null {
  if (!isTooCostly(markdown)) return { source: markdown, blocks: fromMarkdown(markdown).children };
  const { text, openings } = foldFences(markdown);
  if (isTooCostly(text)) return null;
  const blocks = fromMarkdown(text).children;
  const empty = new Set(
    blocks
      .filter((node) => node.type === "code" && node.value === "")
      .map(({ position }) => lineOf(position?.start)),
  );
  return openings.every((line) => empty.has(line)) ? { source: text, blocks } : null;
}

/** All lines, with empty ones in the place of fenced code. */
function withoutFences(source: string, blocks: readonly Block[]): string[] {
  const lines = source.split(/\r\n|\r|\n/);
  for (const { type, position } of blocks) {
    const first = lineOf(position?.start) - 1;
    if (type === "code" && isFence(lines[first] ?? "")) lines.fill("", first, lineOf(position?.end));
  }
  return lines;
}

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

/** What a list, a quote or a heading holds is no running text, but HTML in it may reach beyond it. */
function readNested(node: object, open: OpenElements): void {
  const { type, value, children } = node as { type: string; value?: string; children?: readonly object[] };
  if (type === "html") open.readNested(value ?? "");
  for (const child of children ?? []) readNested(child, open);
}

function readElements(node: Paragraph["children"][number], open: OpenElements): void {
  if (node.type === "html") open.readInline(node.value);
  if ("children" in node) for (const child of node.children) readElements(child, open);
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
