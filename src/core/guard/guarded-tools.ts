import type { PathUse } from "./paths/judge-path.js";

/** A tool's call as its program tells of it. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Where links lead that the named files are reached by: path as named → path. */
  readonly real?: Readonly<Record<string, string>>;
}

/** Tools that name a file, the field in which they do, and what they do with it. */
export const FILE_TOOLS: Readonly<Record<string, readonly [field: string, use: PathUse, needed: boolean]>> = {
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

/** The tools that the guard is asked about. */
export const GUARDED_TOOLS: readonly string[] = ["Bash", ...Object.keys(FILE_TOOLS)];

/** The file that a call names as such; null when it names none. */
export function namedFile({ tool, input }: ToolCall): string | null {
  const [field = ""] = (Object.hasOwn(FILE_TOOLS, tool) ? FILE_TOOLS[tool] : undefined) ?? [];
  const path = input[field];
  return typeof path === "string" ? path : null;
}
