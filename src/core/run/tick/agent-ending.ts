import type { AgentEnding } from "../../govern/report-rate-limit.js";
import type { AgentEnd } from "../../model/agent-end.js";
import { ANSWERED, isPauseKind } from "./pause-runtime.js";

/** What an agent's end tells of its account: that it answers, that its limit was met, or nothing. */
export function agentEnding({ kind, answered }: Pick<AgentEnd, "kind" | "answered">): AgentEnding {
  if (kind === "limited") return "limited";
  return ANSWERED.has(kind) || (answered === true && !isPauseKind(kind)) ? "clean" : "failed";
}
