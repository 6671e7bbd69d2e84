import type { JsonPlace } from "./find-json-objects.js";
import { jsonTokenAt } from "./json-token.js";

/** The keys of an object itself, in order, each repeat by itself: JSON's own reader keeps only the last one. */
export function ownKeys(text: string, { start, end }: JsonPlace): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (let at = start; at < end; ) {
    const token = jsonTokenAt(text, at);
    at = token.end;
    if (token.kind === "{" || token.kind === "[") depth += 1;
    if (token.kind === "}" || token.kind === "]") depth -= 1;
    if (depth !== 1 || token.kind !== "string" || jsonTokenAt(text, at).kind !== ":") continue;
    // Spelt otherwise it is the same key: "\u0062locking".
    keys.push(JSON.parse(text.slice(token.start, token.end)) as string);
  }
  return keys;
}
