/** What came of one command. */
export type RowResult =
  /** It has been done. */
  | "done"
  /** It is on record, and the engine acts on it. */
  | "queued"
  /** What would have been done; nothing was. */
  | "dry-run"
  | "refused"
  /** Not understood. */
  | "wrong"
  /** One before it failed. */
  | "skipped";

/** A row of the reply to a comment: one command, and what came of it. */
export interface ReplyRow {
  /** The command as it was typed. */
  readonly text: string;
  /** Empty for a line that was not understood. */
  readonly verb: string;
  readonly result: RowResult;
  /** Stable, for tools; empty when there is nothing to tell apart. */
  readonly code: string;
  /** One sentence, in markdown. */
  readonly said: string;
  /** What to do next; empty when there is nothing to do. */
  readonly next: string;
  /** The event an engine has to act on, where somebody looks later what became of it. */
  readonly request?: string;
  /** A longer text for below the table, in markdown; empty when there is none. */
  readonly more: string;
}

/** Why a command is not carried out: a stable code, and sentences in markdown. */
export interface Refused {
  readonly kind: "refuse";
  readonly code: string;
  readonly said: string;
  /** Empty when there is nothing to do about it. */
  readonly next: string;
}

/** The reaction that tells the worst of what came of a comment. */
export function reactionFor(rows: readonly ReplyRow[]): "rocket" | "+1" | "-1" | "confused" {
  if (rows.some(({ result }) => result === "refused")) return "-1";
  if (rows.some(({ result }) => result === "wrong")) return "confused";
  return rows.some(({ result }) => result === "queued") ? "rocket" : "+1";
}

/** A row that says nothing yet. */
export function rowOf(text: string): ReplyRow {
  return { text, verb: "", result: "done", code: "", said: "", next: "", more: "" };
}

export function refusedRow(text: string, { code, said, next }: Omit<Refused, "kind">): ReplyRow {
  return { ...rowOf(text), result: "refused", code, said, next };
}
