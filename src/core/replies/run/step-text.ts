import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import type { AgentStatus } from "../../config/agent-status.js";

const LONGEST_STEP = 80;

/** What an agent says it is doing, in one short line; empty when it names no step. */
export function stepText({ step, note }: AgentStatus): string {
  return cutText([step, note].map(plainText).filter(Boolean).join(": "), LONGEST_STEP);
}
