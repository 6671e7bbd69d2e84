import { fromMarkdown } from "mdast-util-from-markdown";
import { isTooCostly, isTooLong } from "../markdown-cost.js";

type Root = ReturnType<typeof fromMarkdown>;
type Block = Root["children"][number];
type Node = Root | Block | Extract<Block, { type: "paragraph" }>["children"][number];

/** A piece of the source and what stands in its place. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * A text in Markdown with only that in it which a reader of the page sees: without comments, attributes of elements,
 * titles of links, texts of images that are shown, and definitions. Code stays as it is. Whoever released an issue for
 * work has looked at the page.
 */
export function shownMarkdown(markdown: string): string {
  // Code loses its comments, too, where telling it from prose would take too long.
  if (isTooLong(markdown) || isTooCostly(markdown)) return withoutHtml(markdown).replace(IMAGE, "![]");
  const changes: Change[] = [];
  collect(fromMarkdown(markdown.replace(/^\ufeff/, " ")), markdown, changes);
  let result = "";
  let done = 0;
  for (const { from, to, text } of changes) {
    result += markdown.slice(done, from) + text;
    done = to;
  }
  return result + markdown.slice(done);
}

const IMAGE = /!\[[^\]]{0,2000}\]/g;

/** In the order of the text; nothing inside a piece that is changed as a whole. */
function collect(node: Node, source: string, changes: Change[]): void {
  const text = shownOf(node, source);
  const { start, end } = node.position ?? {};
  if (text !== null) {
    changes.push({ from: start?.offset ?? 0, to: end?.offset ?? 0, text });
    return;
  }
  if (!("children" in node)) return;
  for (const child of node.children) collect(child, source, changes);
  if (node.type !== "link" || !node.title) return;
  const last = node.children.at(-1)?.position?.end.offset ?? (start?.offset ?? 0) + 1;
  changes.push({ from: last, to: end?.offset ?? last, text: `](${node.url})` });
}

/** Null where it stays, or its parts are looked at one by one. */
function shownOf(node: Node, source: string): string | null {
  switch (node.type) {
    case "html":
      return withoutHtml(node.value);
    case "image":
      return `![](${node.url})`;
    case "imageReference":
      return `![][${node.identifier}]`;
    case "definition":
      // Used or not, nobody sees more of it than where it leads.
      return isComment(node) ? "" : `[${node.identifier}]: ${node.url}`;
    case "code":
      return node.meta
        ? withoutMeta(source.slice(node.position?.start.offset, node.position?.end.offset))
        : null;
    case "text":
      return source
        .slice(node.position?.start.offset, node.position?.end.offset)
        .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hex, ten) => characterOf(hex, ten));
    default:
      return null;
  }
}

/** As in `[//]: # (nobody sees this)`: it leads nowhere. */
function isComment({ url, identifier }: { readonly url: string; readonly identifier: string }): boolean {
  return url === "" || url.startsWith("#") || /^[^\p{L}\p{N}]*$|^comment/iu.test(identifier);
}

/** What stands behind the language of a fence is not shown. */
function withoutMeta(code: string): string {
  return code.replace(/^([`~]{3,}[ \t]*[^\s`]*)[^\n]*/, "$1");
}

function characterOf(hex: string | undefined, ten: string | undefined): string {
  const code = hex === undefined ? Number(ten) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\u{FFFD}";
}

const UNSEEN =
  /<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|<![A-Z][\s\S]*?(?:>|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/gi;
const TAG = /<(\/?[a-z][a-z0-9-]*)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'<>])*)>?/gi;
const KEPT = /\b(href|src)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/gi;

/** Tags with where they lead, and no other attribute. */
function withoutHtml(html: string): string {
  return html.replace(UNSEEN, "").replace(TAG, (_, name: string, attributes: string) => {
    const kept = [...attributes.matchAll(KEPT)].map(([attribute]) => ` ${attribute}`);
    return `<${name}${kept.join("")}>`;
  });
}
