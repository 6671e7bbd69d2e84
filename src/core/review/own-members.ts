import type { JsonPlace } from "./find-json-objects.js";
import { jsonTokenAt } from "./json-token.js";

/** A key of an object with its value as it is written; null for a value that is an object or a list. */
interface OwnMember {
  readonly key: string;
  readonly written: string | null;
}

/** The members of an object itself, in order, each repeat by itself: JSON's own reader keeps only the last one. */
export function ownMembers(text: string, { start, end }: JsonPlace): OwnMember[] {
  const members: OwnMember[] = [];
  let depth = 0;
  for (let at = start; at < end; ) {
    const token = jsonTokenAt(text, at);
    at = token.end;
    if (token.kind === "{" || token.kind === "[") depth += 1;
    if (token.kind === "}" || token.kind === "]") depth -= 1;
    const colon = jsonTokenAt(text, at);
    if (depth !== 1 || token.kind !== "string" || colon.kind !== ":") continue;
    const value = jsonTokenAt(text, colon.end);
    const isPlain = value.kind === "string" || value.kind === "literal";
    members.push({
      // Spelt otherwise it is the same key: "\u0062locking".
      key: JSON.parse(text.slice(token.start, token.end)) as string,
      written: isPlain ? text.slice(value.start, value.end) : null,
    });
  }
  return members;
}
