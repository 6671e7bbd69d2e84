import type { List, Nodes, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { Html, html, type Part } from "../../lib/markup/html.js";

const DEEPEST = 30;
const DIALECT = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** A comment as markup, read as GitHub does: what koryph and people commonly write. Everything else stays text. */
export function renderMarkdown(source: string): Html {
  return html`${each(fromMarkdown(source, DIALECT).children, 0)}`;
}

function each(nodes: readonly Nodes[], depth: number): Part[] {
  return nodes.map((node) => (depth > DEEPEST ? "…" : render(node, depth + 1)));
}

function render(node: Nodes, depth: number): Part {
  const inside = "children" in node ? each(node.children, depth) : null;
  switch (node.type) {
    case "paragraph":
      return html`<p>${inside}</p>`;
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
    case "table":
      return table(node, depth);
    case "code":
      return html`<pre><code>${node.value}</code></pre>`;
    case "inlineCode":
      return html`<code>${node.value}</code>`;
    case "strong":
      return html`<strong>${inside}</strong>`;
    case "emphasis":
      return html`<em>${inside}</em>`;
    case "delete":
      return html`<del>${inside}</del>`;
    case "break":
      return html`<br>`;
    case "text":
      return node.value.split("\n").map((line, at) => [at > 0 && html`<br>`, line]);
    case "link":
      return link(node.url, inside);
    case "image":
      return link(node.url, node.alt ?? node.url);
    case "html":
      return knownTags(node.value);
    case "footnoteReference":
      return html`<sup>${node.identifier}</sup>`;
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

function table({ children: [head, ...rows] }: Table, depth: number): Html {
  const cells = (row: Table["children"][number]) => row.children.map(({ children }) => each(children, depth));
  return html`<table>
<thead><tr>${head === undefined ? null : cells(head).map((cell) => html`<th>${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table>`;
}

/** Comments are not shown, a few tags without attributes are let through, and the rest is text. */
function knownTags(value: string): Part {
  return value
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/(<\/?(?:details|summary|code|pre|strong|em|sub|sup|kbd|span|br)\s*\/?>)/)
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
