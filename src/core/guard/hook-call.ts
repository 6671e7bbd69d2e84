import { objectIn } from "./guard-settings.js";
import type { ToolCall } from "./guarded-tools.js";

export interface HookCall extends ToolCall {
  /** Where the tool is called. */
  readonly cwd: string;
}

/** What a `PreToolUse` hook of Claude Code is told; null when it is anything else. */
export function readHookCall(text: string): HookCall | null {
  const read = objectIn(text);
  if (read === null || read.hook_event_name !== "PreToolUse") return null;
  const { tool_name: tool, tool_input: input, cwd } = read;
  if (typeof tool !== "string" || typeof input !== "object" || input === null || Array.isArray(input))
    return null;
  if (typeof cwd !== "string" || !cwd.startsWith("/")) return null;
  return { tool, input: input as HookCall["input"], cwd };
}

/**
 * How the hook denies. There is no word for what it lets through: that would lift the program's own rules, and to say
 * nothing leaves them as they are.
 */
export function hookDenial(reason: string): string {
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  });
}
