export interface RepeatedKey {
  /** Names and positions that lead to it. */
  readonly path: readonly (string | number)[];
  /** Where it stands again, counted from one. */
  readonly line: number;
  readonly column: number;
}

interface Frame {
  /** Null in a list. */
  readonly keys: Set<string> | null;
  /** Null in an object until its next name is read. */
  at: string | number | null;
}

const PIECE = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

/** Names that an object of this JSON text has more than once, which JSON.parse passes over in silence. */
export function repeatedKeys(text: string): RepeatedKey[] {
  const found: RepeatedKey[] = [];
  const frames: Frame[] = [];
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const frame = frames.at(-1);
    if (piece === "{") frames.push({ keys: new Set(), at: null });
    else if (piece === "[") frames.push({ keys: null, at: 0 });
    else if (piece === "}" || piece === "]") frames.pop();
    else if (piece === ",") {
      if (frame !== undefined) frame.at = typeof frame.at === "number" ? frame.at + 1 : null;
    } else if (frame?.keys && frame.at === null) {
      const key = JSON.parse(piece) as string;
      frame.at = key;
      if (frame.keys.has(key))
        found.push({ path: frames.map(({ at }) => at ?? ""), ...placeOf(text, index) });
      frame.keys.add(key);
    }
  }
  return found;
}

function placeOf(text: string, index: number): Pick<RepeatedKey, "line" | "column"> {
  const before = text.slice(0, index).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
