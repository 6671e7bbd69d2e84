import { claude } from "./claude/claude.js";
import { codex } from "./codex/codex.js";
import { opencode } from "./opencode/opencode.js";
import type { RuntimeDescriptor } from "./runtime-descriptor.js";

/** The built-in runtimes. Whatever koryph knows about one of them is in its folder. */
export const RUNTIMES: readonly RuntimeDescriptor[] = [claude, codex, opencode];

/** The runtime whose usual account has the usual pool of places. */
export const USUAL_RUNTIME = claude.name;

/** Null for a name that needs a program of the project's own. */
export function builtInRuntime(name: string): RuntimeDescriptor | null {
  return RUNTIMES.find((runtime) => runtime.name === name) ?? null;
}

/** Files whose words every agent is given, as the default branch has them. */
export const AGENT_NOTES: readonly string[] = [
  ...new Set(["AGENTS.md", ...RUNTIMES.flatMap(({ notes }) => notes)]),
];
