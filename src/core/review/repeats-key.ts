import type { JsonPlace } from "./find-json-objects.js";
import { jsonTokenAt } from "./json-token.js";

/**
 * Whether an object names one of its own keys twice. JSON allows it and readers disagree on which one counts, so
 * nobody can tell what was meant.
 */
export function repeatsKey(text: string, { start, end }: JsonPlace): boolean {
  const keys = new Set<string>();
  let depth = 0;
  for (let at = start; at < end; ) {
    const token = jsonTokenAt(text, at);
    at = token.end;
    if (token.kind === "{" || token.kind === "[") depth += 1;
    if (token.kind === "}" || token.kind === "]") depth -= 1;
    if (depth !== 1 || token.kind !== "string" || jsonTokenAt(text, at).kind !== ":") continue;
    // Spelt otherwise it is the same key: "\u0062locking".
    const key = JSON.parse(text.slice(token.start, token.end)) as string;
    if (keys.has(key)) return true;
    keys.add(key);
  }
  return false;
}
