import { expect, test } from "vitest";
import { addToInbox } from "../../../src/core/prompt/inbox-file.js";

const LIMITS = { fileBytes: 2_000, messageLetters: 400 };
const NOTE = "(A message that was here is left out, because this file is full.)";

function inboxOf(texts: readonly string[], limits = LIMITS): string {
  return texts.reduce(
    (there, text, index) => addToInbox(there, { key: `k${index}`, text }, limits) ?? there,
    "",
  );
}

const bytes = (text: string) => Buffer.byteLength(text);

test("messages follow one another, each once", () => {
  const inbox = inboxOf(["first\n", "second"]);
  expect(inbox).toBe("<!-- k0 -->\nfirst\n\n<!-- k1 -->\nsecond\n\n");
  expect(addToInbox(inbox, { key: "k0", text: "again" }, LIMITS)).toBeNull();
});

test("a full inbox loses the words of its oldest long messages and says so where they were", () => {
  const long = Array.from({ length: 6 }, (_, index) => `${index}`.repeat(390));
  const inbox = inboxOf(["FIRST IMPORTANT", ...long]);
  expect(bytes(inbox)).toBeLessThanOrEqual(LIMITS.fileBytes);
  const shown = inbox.split(/<!-- k\d -->\n/).slice(1);
  expect(shown.map((text) => text.trim())).toEqual(["FIRST IMPORTANT", NOTE, NOTE, ...long.slice(2)]);
});

test("a message that was left out is not delivered again", () => {
  const inbox = inboxOf(Array.from({ length: 9 }, () => "x".repeat(400)));
  expect(inbox).toContain(NOTE);
  expect(addToInbox(inbox, { key: "k0", text: "x" }, LIMITS)).toBeNull();
});

test("a message that is too long is cut, with a note", () => {
  const inbox = inboxOf(["é".repeat(401)]);
  expect(inbox).toBe(
    `<!-- k0 -->\n${"é".repeat(399)}…\n(The rest is left out: a message has at most 400 characters.)\n\n`,
  );
});

test.each([
  { name: "more messages than marks have room for", texts: Array.from({ length: 300 }, (_, i) => `m${i}`) },
  { name: "letters of four bytes", texts: Array.from({ length: 5 }, () => "🙂".repeat(500)) },
  { name: "an agent's own words without end", texts: ["y".repeat(9_000), "last"], there: "z".repeat(9_000) },
])("$name: the newest is there, and the file within its limit", ({ texts, there = "" }) => {
  const inbox = texts.reduce((now, text, i) => addToInbox(now, { key: `k${i}`, text }, LIMITS) ?? now, there);
  expect(bytes(inbox)).toBeLessThanOrEqual(LIMITS.fileBytes);
  expect(inbox).toContain(`<!-- k${texts.length - 1} -->\n${texts.at(-1)?.slice(0, 4)}`);
});
