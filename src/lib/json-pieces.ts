const PIECE = 64 * 1024;

/**
 * What `JSON.stringify(value, null, 2)` gives, in pieces of whole lines: a text has a greatest length, and a
 * long list may pass it.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece: string[] = [];
  let length = 0;
  for (const line of jsonLines(value, { indent: "", before: "", after: "" })) {
    piece.push(line);
    length += line.length;
    if (length < PIECE) continue;
    yield piece.join("\n");
    piece = [];
    length = 0;
  }
  if (piece.length > 0) yield piece.join("\n");
}

interface Place {
  readonly indent: string;
  /** What stands on the value's first line before it: its key. */
  readonly before: string;
  /** What stands on its last line after it: a comma. */
  readonly after: string;
}

function* jsonLines(value: unknown, { indent, before, after }: Place): Generator<string> {
  const isList = Array.isArray(value);
  const members =
    typeof value === "object" && value !== null
      ? Object.entries(value).filter(([, member]) => isList || member !== undefined)
      : [];
  const last = members.pop();
  if (last === undefined) {
    yield `${indent}${before}${JSON.stringify(value)}${after}`;
    return;
  }
  const inner = `${indent}  `;
  const key = (name: string) => (isList ? "" : `${JSON.stringify(name)}: `);
  yield `${indent}${before}${isList ? "[" : "{"}`;
  for (const [name, member] of members)
    yield* jsonLines(member ?? null, { indent: inner, before: key(name), after: "," });
  yield* jsonLines(last[1] ?? null, { indent: inner, before: key(last[0]), after: "" });
  yield `${indent}${isList ? "]" : "}"}${after}`;
}
