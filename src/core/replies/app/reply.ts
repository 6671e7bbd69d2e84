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

/** The one reply to a comment: a sentence for one command, a table with a row for each of several. */
export function replyText({ source, url, rows }: ReplyFacts): string {
  const [only, ...others] = rows;
  const more = rows.filter((row) => row.more !== "").flatMap((row) => ["", row.more]);
  const answer =
    only !== undefined && others.length === 0
      ? [
          `${SIGNS[only.result]} [${shownCode(only.text, 120)}](${encodeURI(url)}): ${sentences(only).join(" ")}`,
        ]
      : [`To [this comment](${encodeURI(url)}):`, "", table(rows)];
  return [replyMarker(source), ...answer, ...more].join("\n");
}

function table(rows: readonly ReplyRow[]): string {
  return markdownTable({
    head: ["", "command", "result"],
    items: rows,
    row: (each) => [SIGNS[each.result], shownCode(each.text, 120), sentences(each).join("<br>")],
  });
}

/** Tools read the code of a refusal; whatever else came of a command is told by its sign. */
function sentences({ result, code, said, next }: ReplyRow): string[] {
  const refused = code !== "" && (result === "refused" || result === "wrong");
  const first = refused ? `${said} (${shownCode(code)})` : said;
  return [ended(first), ...(next === "" ? [] : [ended(`Next: ${next}`)])];
}

function ended(sentence: string): string {
  return /[.?!…]$/u.test(sentence) ? sentence : `${sentence}.`;
}
