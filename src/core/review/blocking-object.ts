import type { JsonPlace } from "./find-json-objects.js";
import { jsonTokenAt } from "./json-token.js";

const YES = /^"?\s*true\s*"?$/i;

/**
 * The object in a JSON text whose `blocking` says yes in any of its repeats: the outermost, and of several beside one
 * another the last. Null when there is none. The text is read once, however deep it goes.
 */
export function blockingObject(text: string, { start, end }: JsonPlace): JsonPlace | null {
  const open: { readonly start: number; blocks: boolean }[] = [];
  let found: JsonPlace | null = null;
  for (let at = start; at < end; ) {
    const token = jsonTokenAt(text, at);
    at = token.end;
    if (token.kind === "{" || token.kind === "[") open.push({ start: token.start, blocks: false });
    if (token.kind === "}" || token.kind === "]") {
      const closed = open.pop();
      if (closed?.blocks) found = { start: closed.start, end: token.end };
    }
    const inner = open.at(-1);
    if (token.kind !== "string" || inner === undefined) continue;
    const colon = jsonTokenAt(text, at);
    if (colon.kind !== ":") continue;
    const value = jsonTokenAt(text, colon.end);
    // Spelt otherwise it is the same key: "\u0062locking".
    const isKey = JSON.parse(text.slice(token.start, token.end)) === "blocking";
    inner.blocks ||= isKey && YES.test(text.slice(value.start, value.end));
  }
  return found;
}

/** Such an object in a value that the runtime has read already; null when there is none. */
export function blockingValue(value: unknown): object | null {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const each = waiting.pop();
    if (typeof each !== "object" || each === null) continue;
    const said = "blocking" in each ? each.blocking : null;
    if (said === true || (typeof said === "string" && YES.test(said))) return each;
    for (const member of Object.values(each)) waiting.push(member);
  }
  return null;
}
