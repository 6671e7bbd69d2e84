import { expect, test } from "vitest";
import { agentEventText } from "../../../src/core/replies/run/agent-event-text.js";
import { ClaudeStream } from "../../../src/core/runtimes/claude/claude-stream.js";
import { CodexStream } from "../../../src/core/runtimes/codex/codex-stream.js";
import { OpencodeStream } from "../../../src/core/runtimes/opencode/opencode-stream.js";
import { toolSubject } from "../../../src/core/runtimes/tool-subject.js";
import { recordedStream } from "../../support/core/replay-stream.js";

test.each<{ name: string; input: unknown; says: string }>([
  { name: "a command", input: { command: "npm test", description: "Runs tests" }, says: "npm test" },
  { name: "a file", input: { file_path: "/a/b.ts", content: "x" }, says: "/a/b.ts" },
  { name: "a pattern", input: { pattern: "TODO", path: "" }, says: "TODO" },
  { name: "several lines as one", input: { command: "a\n\u001b[2Jb" }, says: "a \u{FFFD}[2Jb" },
  { name: "a long one up to an ellipsis", input: { command: "x".repeat(900) }, says: `${"x".repeat(199)}…` },
  { name: "what tells nothing", input: { todos: [] }, says: "" },
  { name: "no input at all", input: undefined, says: "" },
])("a tool is used on $name", ({ input, says }) => expect(toolSubject(input)).toBe(says));

test.each([
  {
    stream: "claude-2.1.325/work",
    parser: new ClaudeStream({ version: "2.1.325", costBaselineUsd: 0 }),
    says: /^→ Bash: .*git commit/,
  },
  {
    stream: "codex-0.166.0/work",
    parser: new CodexStream({ model: "gpt-5.5", prices: {}, costBaselineUsd: 0, structured: false }),
    says: /^✓ [\w ]+: .*git (add|commit)/,
  },
  {
    stream: "opencode-1.18.33/work",
    parser: new OpencodeStream({ model: "mock/mock-model", prices: {}, structured: false }),
    says: /^✓ bash: .*git commit/,
  },
])("the tools of $stream say what they are used on", ({ stream, parser, says }) => {
  const lines = recordedStream(stream).flatMap((line) => parser.push(line).map(agentEventText));
  expect(lines).toContainEqual(expect.stringMatching(says));
});

test("a page that an agent prints is cut, and shows one line", () => {
  const said = agentEventText({ kind: "text", text: `one\ntwo ${"x".repeat(1_000_000)}` });
  expect(said).toHaveLength(2_000);
  expect(said.startsWith("one two xxx")).toBe(true);
});
