import { expect, test } from "vitest";
import { isUnread, readCommands } from "../../../src/core/commands/read-commands.js";
import { problemText } from "../../../src/core/replies/commands/commands.js";

const SECRET = `ghp_${"s3cret".repeat(6)}`;

test.each<{ name: string; call: string; text?: string; found?: string }>([
  { name: "a reason", call: `hold the key is ${SECRET}`, text: "hold the key is [redacted]" },
  { name: "what is cut in its middle", call: `hold ${"x".repeat(95)} ${SECRET}` },
  { name: "a command", call: SECRET, text: "[redacted]", found: "[redacted]" },
  { name: "a command to explain", call: `help ${SECRET}`, found: "[redacted]" },
  { name: "a value", call: `resize ${SECRET}`, text: "resize [redacted]", found: "[redacted]" },
  { name: "a quoted value", call: `resize "${SECRET}"`, found: "[redacted]" },
  { name: "a value by its name", call: `resize --max ${SECRET}`, found: "--max [redacted]" },
  { name: "an argument that is not known", call: `drain ${SECRET}`, found: "[redacted]" },
  { name: "one with a secret's name", call: "drain token=s3crets3cret", found: "token=[redacted]" },
  { name: "one given twice", call: `hold bead=gh-1 bead=${SECRET}`, found: "bead=[redacted]" },
  { name: "a long one", call: `resize ${"x,".repeat(46)}${SECRET}`, found: `${"x,".repeat(46)}[redact…` },
  { name: "a bead", call: `status ${SECRET}`, found: "[redacted]" },
  { name: "what is one by the word before it", call: "status password =s3crets3cret", found: "[redacted]" },
])("a secret is not shown as $name", ({ call, text, found }) => {
  const [line] = readCommands(`/koryph ${call}`).lines;
  expect(JSON.stringify({ ...line, command: null })).not.toContain("s3cret");
  if (text !== undefined) expect(line?.text).toBe(`/koryph ${text}`);
  const problem = line?.kind === "wrong" ? line.problem : null;
  if (problem !== null) expect(problemText(problem)).not.toContain("s3cret");
  expect(problem !== null && "found" in problem ? problem.found : undefined).toBe(found);
});

test("commits and beads are no secrets", () => {
  const sha = "0123456789abcdef0123456789abcdef01234567";
  for (const call of [
    `approve ${sha}`,
    "status gh-12",
    "stop bd-a3f8e9",
    "retry koryph-01JCXV9Y3E8N5Q2R7T4W6Z0ABC",
  ])
    expect(readCommands(`/koryph ${call}`).lines).toMatchObject([
      { kind: "command", text: `/koryph ${call}` },
    ]);
});

const costly = "[a](".repeat(3_000);

test.each<{ name: string; body: string; unread: boolean }>([
  { name: "a command before too much markup", body: `/koryph status\n${costly}`, unread: true },
  { name: "a command after it", body: `${costly}\n  /koryph status`, unread: true },
  { name: "a command in too long a text", body: `/koryph status\n${"a ".repeat(10_000)}`, unread: true },
  { name: "too much markup and no command", body: costly, unread: false },
  { name: "too much markup and another word", body: `/koryphs\n${costly}`, unread: false },
  { name: "a command", body: "/koryph status", unread: false },
  {
    name: "a long log in a fence",
    body: `/koryph status\n\n\`\`\`\n${"a ".repeat(10_000)}\n\`\`\``,
    unread: false,
  },
])("$name: nobody can tell what it asks for: $unread", ({ body, unread }) => {
  expect(isUnread(body)).toBe(unread);
  if (unread) expect(readCommands(body)).toEqual({ lines: [], left: 0 });
});
