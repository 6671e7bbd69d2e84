import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** Elements that koryph itself writes. */
export const OWN_ELEMENT = /^<(?:\/?(?:code|sub|span|details|summary|pre)|br)>$/;
export const OWN_MARK = /^<!-- koryph:[a-z]+ [\w:. =,-]*-->/;
/** What would call somebody, name another issue, or lead to a stranger's page. */
export const REFERENCE = /(?<![\w`])@\w|(?<![\w&])#\d|\bGH-\d|https?:\/\/evil/;

/** GitHub looks for addresses in what was typed, where none of ours stands; this parser would in what came of it. */
const DIALECT = {
  extensions: [gfm()],
  mdastExtensions: gfmFromMarkdown().map((each) => ({ ...each, transforms: [] })),
};

/** As GitHub reads it: mentions and references count in text, not in code. */
export function seenMarkdown(markdown: string) {
  const found = { text: "", elements: [] as string[], kinds: new Set<string>(), links: [] as string[] };
  const visit = (node: Nodes, inCode: boolean): boolean => {
    found.kinds.add(node.type);
    if (node.type === "link" || node.type === "image") found.links.push(node.url);
    if (node.type === "html") {
      for (const part of node.value.match(/<!--[\s\S]*?-->|<[^>]*>/g) ?? []) found.elements.push(part);
      if (/<(code|pre)>/.test(node.value)) return !/<\/(code|pre)>/.test(node.value);
      if (/<\/(code|pre)>/.test(node.value)) return false;
      return inCode;
    }
    if (node.type === "text" && !inCode) found.text += node.value;
    let coded = inCode;
    if ("children" in node) for (const child of node.children) coded = visit(child, coded);
    return coded;
  };
  visit(fromMarkdown(markdown, DIALECT), false);
  return found;
}
