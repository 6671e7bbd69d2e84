import type { ReviewComment } from "../state.js";

type Side = ReviewComment["side"];

/** Where a comment stands in the diff of a file. */
export interface Anchor {
  readonly line: number;
  readonly side: Side;
  /** Lines of the patch down to it, the first hunk's header not counted. */
  readonly position: number;
  /** The hunk down to it. */
  readonly diffHunk: string;
}

/** Every line of a patch on which a comment may stand: those of its hunks, context included. */
export function readAnchors(patch: string): Anchor[] {
  const lines = patch.split("\n");
  const anchors: Anchor[] = [];
  let header = 0;
  let next = { LEFT: 0, RIGHT: 0 };
  for (const [position, text] of lines.entries()) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (hunk !== null) {
      header = position;
      next = { LEFT: Number(hunk[1]), RIGHT: Number(hunk[2]) };
      continue;
    }
    const sides = SIDES[text.slice(0, 1)] ?? [];
    for (const side of sides) {
      const diffHunk = lines.slice(header, position + 1).join("\n");
      anchors.push({ line: next[side], side, position, diffHunk });
      next[side] += 1;
    }
  }
  return anchors;
}

/** A line that is unchanged has a number on either side. An empty one is context that lost its space. */
const SIDES: Readonly<Record<string, readonly Side[]>> = {
  "+": ["RIGHT"],
  "-": ["LEFT"],
  " ": ["RIGHT", "LEFT"],
  "": ["RIGHT", "LEFT"],
};
