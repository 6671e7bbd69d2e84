import { expect, test } from "vitest";
import { agentEventText } from "../../../../src/core/replies/run/agent-event-text.js";
import type { AgentEvent } from "../../../../src/core/runtimes/agent-outcome.js";

const flood = "x".repeat(100_000);

const floods: readonly AgentEvent[] = [
  { kind: "text", text: flood },
  { kind: "session", id: flood, model: flood, version: null },
  { kind: "tool", name: flood, phase: "start", ok: null, subject: flood },
  { kind: "denied", tool: flood },
  { kind: "retry", attempt: 1, delayMs: null, status: null, reason: flood },
];

test.each(floods.map((event) => ({ event })))(
  "however long an agent's line is, a screen gets 2,000 characters of it: $event.kind",
  ({ event }) => {
    const text = agentEventText(event);
    expect(text).toHaveLength(2_000);
    expect(text).toMatch(/x…$/);
  },
);

test("a tool is shown with what it is used on", () => {
  const tool: AgentEvent = { kind: "tool", name: "Bash", phase: "start", ok: null };
  expect(agentEventText({ ...tool, subject: "npm test" })).toBe("→ Bash: npm test");
  expect(agentEventText(tool)).toBe("→ Bash");
});
