import { expect, test } from "vitest";
import { isSuperseded, type RepliedRow } from "../../../src/core/replies/commands/superseded-reply.js";

const row = (text: string, request?: string): RepliedRow => ({
  text: `/koryph ${text}`,
  verb: text.split(" ")[0] ?? "",
  ...(request !== undefined && { request }),
});

test.each<{ name: string; older: RepliedRow[]; newer: RepliedRow[]; hidden: boolean }>([
  { name: "the same question again", older: [row("why")], newer: [row("why")], hidden: true },
  { name: "a question about something else", older: [row("why gh-1")], newer: [row("why")], hidden: false },
  { name: "one answer of two", older: [row("why"), row("hold")], newer: [row("why")], hidden: false },
  { name: "a refused landing, and a new one", older: [row("land")], newer: [row("land", "x")], hidden: true },
  { name: "one that was over", older: [row("land", "x")], newer: [row("land 1a2b", "y")], hidden: true },
  { name: "one that still waits", older: [row("land", "x")], newer: [row("land")], hidden: false },
  {
    name: "an approval is each person's own",
    older: [row("approve")],
    newer: [row("approve")],
    hidden: false,
  },
  { name: "a decision stays", older: [row("hold")], newer: [row("hold")], hidden: false },
])("$name", ({ older, newer, hidden }) => {
  expect(isSuperseded(older, newer)).toBe(hidden);
});
