import type { List, Nodes, Paragraph } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { Html, html, type Part } from "./html.js";

const DEEPEST = 30;
const DELIMITER_ROW = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** A comment as markup: what koryph and people commonly write, tables included. Everything else stays text. */
export function renderMarkdown(source: string): Html {
  return html`${each(fromMarkdown(source).children, source, 0)}`;
}

function each(nodes: readonly Nodes[], source: string, depth: number): Part {
  return nodes.map((node) => (depth > DEEPEST ? "…" : render(node, source, depth + 1)));
}

function render(node: Nodes, source: string, depth: number): Part {
  const inside = "children" in node ? each(node.children, source, depth) : null;
  switch (node.type) {
    case "paragraph":
      return paragraph(node, source, inside);
    case "heading":
      return html`<h4>${inside}</h4>`;
    case "thematicBreak":
      return html`<hr>`;
    case "blockquote":
      return html`<blockquote>${inside}</blockquote>`;
    case "list":
      return list(node, inside);
    case "listItem":
      return html`<li>${inside}</li>`;
    case "code":
      return html`<pre><code>${node.value}</code></pre>`;
    case "inlineCode":
      return html`<code>${node.value}</code>`;
    case "strong":
      return html`<strong>${inside}</strong>`;
    case "emphasis":
      return html`<em>${inside}</em>`;
    case "break":
      return html`<br>`;
    case "text":
      return node.value.split("\n").map((line, at) => [at > 0 && html`<br>`, withAddresses(line)]);
    case "link":
      return link(node.url, inside);
    case "image":
      return link(node.url, node.alt ?? node.url);
    case "html":
      return knownTags(node.value);
    case "definition":
      return null;
    default:
      return inside;
  }
}

function list({ ordered, start }: List, items: Part): Html {
  return ordered ? html`<ol start="${start ?? 1}">${items}</ol>` : html`<ul>${items}</ul>`;
}

function link(address: string, text: Part): Part {
  return /^https?:\/\//i.test(address) ? html`<a href="${address}" rel="noreferrer">${text}</a>` : text;
}

/** GitHub makes a link of every address that stands in the text. */
function withAddresses(text: string): Part {
  return text
    .split(/(https?:\/\/[^\s<>"'`)\]]*[^\s<>"'`)\].,;:!?])/)
    .map((piece, at) => (at % 2 === 1 ? link(piece, piece) : piece));
}

/** Comments are not shown, a few tags without attributes are let through, and the rest is text. */
function knownTags(value: string): Part {
  return value
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/(<\/?(?:details|summary|code|pre|strong|em|sub|sup|kbd|br)\s*\/?>)/)
    .map((piece, at) => (at % 2 === 1 ? new Html(piece) : withoutReferences(piece)));
}

const NAMED = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" }));

/** Inside a tag the parser leaves character references as they are, and what is shown is escaped again. */
function withoutReferences(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : "\ufffd";
  });
}

/** Tables are not part of plain markdown: to its parser they are paragraphs. */
function paragraph({ position }: Paragraph, source: string, inside: Part): Html {
  const lines = source.slice(position?.start.offset, position?.end.offset).split("\n");
  const ruler = lines.findIndex((line, at) => at > 0 && line.includes("|") && DELIMITER_ROW.test(line));
  const head = lines[ruler - 1];
  if (ruler < 1 || head === undefined || !head.includes("|")) return html`<p>${inside}</p>`;
  const before = lines.slice(0, ruler - 1).join("\n");
  return html`${before !== "" && renderMarkdown(before)}<table>
<thead><tr>${cells(head).map((cell) => html`<th>${cell}</th>`)}</tr></thead>
<tbody>${lines.slice(ruler + 1).map((line) => html`<tr>${cells(line).map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table>`;
}

function cells(row: string): Part[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => inline(cell.trim().replaceAll("\\|", "|")));
}

function inline(source: string): Part {
  const [only, ...more] = fromMarkdown(source).children;
  return only?.type === "paragraph" && more.length === 0 ? each(only.children, source, 0) : source;
}
