import { UNSAFE } from "../../../lib/plain-text.js";

/** Facts for tools, folded away below what people read. */
export function jsonDetails(facts: object): string {
  const json = escapeHtml(JSON.stringify(facts, null, 2));
  return ["<details><summary>JSON</summary>", "", `<pre>${json}</pre>`, "", "</details>"].join("\n");
}

/** Blank lines would end the block that GitHub takes as HTML, and mentions are looked for in it. */
function escapeHtml(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line.replace(UNSAFE, "\u{FFFD}").replace(/[&<>@#]/g, (mark) => `&#${mark.codePointAt(0)};`),
    )
    .join("\n");
}
