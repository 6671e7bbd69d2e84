import type { ReplyRow, RowResult } from "../commands/reply-row.js";
import { markdownTable, shownCode } from "../markdown.js";

const SIGNS: Readonly<Record<RowResult, string>> = {
  done: "✅",
  queued: "🚀",
  "dry-run": "🔎",
  refused: "❌",
  wrong: "😕",
  skipped: "⏭️",
};

/** A hidden line by which we find our reply to a comment again. We never decide by it. */
export function replyMarker(source: string): string {
  return `<!-- koryph:reply ${source} -->`;
}

export interface ReplyFacts {
  /** Which comment it answers: `comment 123`. */
  readonly source: string;
  readonly url: string;
  readonly rows: readonly ReplyRow[];
}

/** The one reply to a comment: a row for each command in it. */
export function replyText({ source, url, rows }: ReplyFacts): string {
  const table = markdownTable({
    head: ["", "command", "result"],
    items: rows,
    row: ({ result, text, code, said, next }) => [
      SIGNS[result],
      shownCode(text, 120),
      [code === "" ? said : `${said} (${shownCode(code)})`, ...(next === "" ? [] : [`Next: ${next}.`])].join(
        "<br>",
      ),
    ],
  });
  const more = rows.filter((row) => row.more !== "").flatMap((row) => ["", row.more]);
  return [replyMarker(source), `To [this comment](${encodeURI(url)}):`, "", table, ...more].join("\n");
}
