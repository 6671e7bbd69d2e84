import { cutText } from "../../lib/cut-text.js";
import { plainText } from "../../lib/plain-text.js";

const LONGEST = 200;
/** Names that agents' programs give to what a tool works on, the most telling first. */
const FIELDS = ["command", "file_path", "filePath", "path", "pattern", "query", "url", "description"];

/** What a tool is used on, in one line: a command, a path, a pattern. Empty when its input does not tell. */
export function toolSubject(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const given = input as Readonly<Record<string, unknown>>;
  const found = FIELDS.map((field) => given[field]).find(
    (value) => typeof value === "string" && value !== "",
  );
  return cutText(plainText(String(found ?? "").slice(0, 4 * LONGEST)), LONGEST);
}
