import type { ReplyRow } from "./reply-row.js";

/** What is remembered of a row to tell whether a later one says the same anew. */
export type RepliedRow = Pick<ReplyRow, "text" | "verb" | "request">;

/** Questions: the same one, asked again, is answered with what holds now. */
const ASKED: ReadonlySet<string> = new Set(["help", "status", "why"]);

/** Whether everything that a reply says is out of date with a later reply on the same thread. */
export function isSuperseded(older: readonly RepliedRow[], newer: readonly RepliedRow[]): boolean {
  return older.every((row) => newer.some((later) => later.verb === row.verb && replaces(row, later)));
}

function replaces(older: RepliedRow, newer: RepliedRow): boolean {
  if (ASKED.has(older.verb)) return older.text === newer.text;
  // A landing that still waits is told of in the older reply; a new one is accepted only when that is over.
  return older.verb === "land" && (older.request === undefined || newer.request !== undefined);
}
