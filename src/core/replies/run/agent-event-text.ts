import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import type { AgentEvent } from "../../runtimes/agent-outcome.js";

/** A line that is longer is a page, or a flood: it stays whole in the agent's file. */
const LONGEST = 2_000;

/** One thing an agent did, in one line. All of it is the agent's own word. */
export function agentEventText(event: AgentEvent): string {
  return cutText(wordsOf(event), LONGEST);
}

function wordsOf(event: AgentEvent): string {
  switch (event.kind) {
    case "session":
      return `session ${plain(event.id)}${event.model ? ` on ${plain(event.model)}` : ""}`;
    case "text":
      return plain(event.text);
    case "tool": {
      const mark = event.phase === "start" ? "→" : event.ok === false ? "✗" : "✓";
      const { subject = "" } = event;
      return `${mark} ${plain(event.name)}${subject === "" ? "" : `: ${plain(subject)}`}`;
    }
    case "denied":
      return `denied: ${plain(event.tool)}`;
    case "retry":
      return `retry ${event.attempt}: ${plain(event.reason)}`;
    case "limit":
      return `rate limit: ${event.state}`;
    case "usage":
      return `cost $${event.costUsd.toFixed(4)}`;
  }
}

function plain(text: string): string {
  return plainText(text.slice(0, 4 * LONGEST));
}
