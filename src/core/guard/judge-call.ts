import type { GuardFacts } from "./guard-facts.js";
import { denied, type GuardFinding, type GuardVerdict, undecided, verdictOf } from "./guard-verdict.js";
import { FILE_TOOLS, type ToolCall } from "./guarded-tools.js";
import { judgeShell } from "./judge-shell.js";
import { judgePath } from "./paths/judge-path.js";
import { cleaned } from "./shell/open-text.js";

/** They touch neither files nor programs. */
const FREE = new Set([
  "Task",
  "TaskCreate",
  "TaskGet",
  "TaskList",
  "TaskUpdate",
  "TaskOutput",
  "TodoWrite",
  "StructuredOutput",
  "ExitPlanMode",
]);

/** Whether an agent may make this call. */
export function judgeCall(call: ToolCall, facts: GuardFacts): GuardVerdict {
  return verdictOf(findingsOf(call, facts));
}

function findingsOf({ tool, input, real = {} }: ToolCall, facts: GuardFacts): GuardFinding[] {
  if (tool === "Bash") {
    const { command } = input;
    return typeof command === "string" ? judgeShell(command, facts) : denied("unreadable-call", tool);
  }
  const [field, use, needed] = (Object.hasOwn(FILE_TOOLS, tool) ? FILE_TOOLS[tool] : undefined) ?? [];
  if (field !== undefined && use !== undefined) {
    const path = input[field];
    const more = tool === "Glob" ? globbed(input, facts) : [];
    if (path === undefined && !needed) return more;
    if (typeof path !== "string") return denied("unreadable-call", tool);
    const leads = Object.hasOwn(real, path) ? real[path] : undefined;
    const paths = [path, ...(leads === undefined ? [] : [leads])];
    return [...paths.flatMap((each) => judgePath(cleaned(each), use, facts, facts.cwd)), ...more];
  }
  if (tool === "WebFetch" || tool === "WebSearch") return undecided("network");
  return FREE.has(tool) ? [] : undecided("unknown-program");
}

/** A pattern that begins outside the folder it is given. */
function globbed({ pattern }: ToolCall["input"], facts: GuardFacts): GuardFinding[] {
  if (typeof pattern !== "string" || !/^(\/|~|\.\.)/.test(pattern)) return [];
  const path = pattern.replace(/^~/, facts.home).replace(/\*+/g, "\u0001");
  return judgePath(path, "read", facts, facts.cwd);
}
