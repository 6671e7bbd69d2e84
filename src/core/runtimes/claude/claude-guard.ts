import { shellWord } from "../../../lib/shell-word.js";
import type { GuardSettings } from "../../guard/guard-settings.js";
import { GUARDED_TOOLS } from "../../guard/guarded-tools.js";
import type { LaunchSpec } from "../launch-spec.js";
import type { GuardProgram } from "../runtime-descriptor.js";

/** Long enough for a machine on its knees: a hook that takes longer is passed over. */
const SECONDS = 120;

interface ClaudeGuard {
  readonly arguments: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** A file of settings with the guard as hook, beside the clone and not in it; nothing where there is no guard. */
export function claudeGuard(spec: LaunchSpec, program: GuardProgram | undefined): ClaudeGuard {
  const { guard, cwd, home, agentFolder } = spec;
  if (guard === undefined || program === undefined) return { arguments: [], files: {} };
  const path = `${guard.folder}/guard-settings.json`;
  const settings: GuardSettings = {
    worktree: cwd,
    home,
    writable: [agentFolder],
    engine: guard.engine,
    secret: program.secret,
    defaultBranch: guard.defaultBranch,
    log: `${guard.folder}/denials.jsonl`,
  };
  // A hook that cannot start ends with another code, and would be passed over.
  const command = `${[...program.argv, JSON.stringify(settings)].map(shellWord).join(" ")} || exit 2`;
  const hooks = {
    PreToolUse: [
      { matcher: GUARDED_TOOLS.join("|"), hooks: [{ type: "command", command, timeout: SECONDS }] },
    ],
  };
  return { arguments: ["--settings", path], files: { [path]: `${JSON.stringify({ hooks }, null, 2)}\n` } };
}
