import type { LaunchSpec } from "../launch-spec.js";

/** Linux takes at most 128 KiB in one argument. */
const APPEND_BYTES = 96 * 1024;

/** Without those that schedule, message, browse or make worktrees: some of them ask for no permission. */
const WORKER_TOOLS: readonly string[] = [
  "Bash",
  "Read",
  "Edit",
  "Write",
  "NotebookEdit",
  "Grep",
  "Glob",
  "Task",
  "TaskCreate",
  "TaskGet",
  "TaskList",
  "TaskUpdate",
];

/** Arguments after the program. The prompt comes on standard input, where its length has no limit. */
export function claudeArguments(spec: LaunchSpec): string[] {
  const { session, systemAppend, outputSchema } = spec;
  return [
    "-p",
    "--output-format",
    "stream-json",
    "--verbose",
    "--model",
    spec.model,
    ...(spec.effort === undefined ? [] : ["--effort", spec.effort]),
    ...sessionArguments(session),
    // Whatever is not allowed below is denied and reported; nobody is there to be asked.
    "--permission-mode",
    "dontAsk",
    ...accessArguments(spec),
    // Hooks in .claude/settings.json and servers in .mcp.json would otherwise run without a question.
    "--setting-sources",
    "",
    "--strict-mcp-config",
    ...(systemAppend ? ["--append-system-prompt", shortened(systemAppend)] : []),
    // A worker's answer is its branch; a schema would make it talk instead.
    ...(outputSchema && spec.role === "reviewer" ? ["--json-schema", JSON.stringify(outputSchema)] : []),
  ];
}

function sessionArguments({ mode, id, parent }: LaunchSpec["session"]): string[] {
  switch (mode) {
    case "new":
      return ["--session-id", id];
    case "resume":
      return ["--resume", id];
    case "fork":
      return ["--resume", parent ?? id, "--fork-session", "--session-id", id];
  }
}

/** `Edit` rules govern writing too. Two slashes make a rule's path absolute. */
function accessArguments({ role, agentFolder }: LaunchSpec): string[] {
  const own = `/${agentFolder}/**`;
  switch (role) {
    case "worker":
      return [
        "--tools",
        WORKER_TOOLS.join(","),
        "--allowedTools",
        "Read(./**)",
        "Edit(./**)",
        `Read(${own})`,
        `Edit(${own})`,
        "Grep",
        "Glob",
        "Bash",
      ];
    case "reviewer":
      return ["--tools", "Read,Grep,Glob", "--allowedTools", "Read(./**)", "Grep", "Glob"];
  }
}

/** Variables that keep Claude to itself: no telemetry, no updates, no memory shared between clones. */
export function claudeVariables(home: string): Record<string, string> {
  return {
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    // A task in the background keeps the program alive after its result, and starts turns of its own.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    // About half a minute. A wrong key is retried like an overload, and the engine has a back-off of its own.
    CLAUDE_CODE_MAX_RETRIES: "6",
    API_TIMEOUT_MS: "300000",
    // Without tasks in the background a long test suite must fit into one call.
    BASH_DEFAULT_TIMEOUT_MS: "600000",
    BASH_MAX_TIMEOUT_MS: "3600000",
  };
}

/** The start of a text that is too long for one argument, and a line that says so. */
function shortened(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= APPEND_BYTES) return text;
  const start = new TextDecoder().decode(bytes.slice(0, APPEND_BYTES), { stream: true });
  return `${start}\n\n(Cut off here: the rest is in the repository.)`;
}
