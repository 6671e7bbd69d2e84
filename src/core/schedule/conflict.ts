import { HANDFUL, memberOf } from "../../lib/member-of.js";
import type { Footprint } from "./footprint.js";

/** Two footprints conflict when they share a token that at least one of them writes. */
export function conflicts(a: Footprint, b: Footprint): boolean {
  return meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes);
}

/** How two footprints collide: on tokens both write, on tokens one of them only reads, or on both sorts. */
export type ConflictMode = "write-write" | "write-read" | "mixed";

/** The tokens two footprints collide on, sorted; null when they do not conflict. */
export function collision(a: Footprint, b: Footprint): { tokens: string[]; mode: ConflictMode } | null {
  const writtenByB = memberOf(b.writes);
  const bothWrite = a.writes.filter(writtenByB);
  const oneReads = [...a.writes.filter(memberOf(b.reads)), ...a.reads.filter(writtenByB)];
  if (bothWrite.length === 0 && oneReads.length === 0) return null;
  const mode = oneReads.length === 0 ? "write-write" : bothWrite.length === 0 ? "write-read" : "mixed";
  return { tokens: [...bothWrite, ...oneReads].sort(), mode };
}

function meet(a: readonly string[], b: readonly string[]): boolean {
  // Stryker disable next-line ConditionalExpression,LogicalOperator,EqualityOperator: only the cost differs
  if (a.length > HANDFUL && b.length > HANDFUL) return b.some(memberOf(a));
  for (const token of a) if (b.includes(token)) return true;
  return false;
}
