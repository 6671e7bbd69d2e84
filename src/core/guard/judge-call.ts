import type { GuardFacts } from "./guard-facts.js";
import { denied, type GuardFinding, type GuardVerdict, undecided, verdictOf } from "./guard-verdict.js";
import { judgeShell } from "./judge-shell.js";
import { judgePath, type PathUse } from "./paths/judge-path.js";
import { cleaned } from "./shell/open-text.js";

/** A tool's call as its program tells of it. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Where links lead that the named files are reached by: path as named → path. */
  readonly real?: Readonly<Record<string, string>>;
}

/** Tools that name a file, the field in which they do, and what they do with it. */
const FILE_TOOLS: Readonly<Record<string, readonly [field: string, use: PathUse, needed: boolean]>> = {
  Read: ["file_path", "read", true],
  NotebookRead: ["notebook_path", "read", true],
  Edit: ["file_path", "write", true],
  MultiEdit: ["file_path", "write", true],
  Write: ["file_path", "write", true],
  NotebookEdit: ["notebook_path", "write", true],
  Glob: ["path", "read", false],
  Grep: ["path", "read", false],
  LS: ["path", "read", false],
};

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

/** The tools that the guard is asked about. */
export const GUARDED_TOOLS: readonly string[] = ["Bash", ...Object.keys(FILE_TOOLS)];

/** The file that a call names as such; null when it names none. */
export function namedFile({ tool, input }: ToolCall): string | null {
  const [field = ""] = (Object.hasOwn(FILE_TOOLS, tool) ? FILE_TOOLS[tool] : undefined) ?? [];
  const path = input[field];
  return typeof path === "string" ? path : null;
}

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
