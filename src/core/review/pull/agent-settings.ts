/** Files that agents take for orders wherever they lie, in lower case. */
const FILES: ReadonlySet<string> = new Set([
  ...[
    "agents.md",
    "agents.override.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "copilot-instructions.md",
  ],
  ...[".mcp.json", ".claude.json", "opencode.json", "opencode.jsonc", ".cursorrules", ".windsurfrules"],
  ...[".aider.conf.yml", ".ripgreprc"],
]);

/** Folders of settings, hooks and skills. */
const FOLDERS: ReadonlySet<string> = new Set([
  ...[".agents", ".claude", ".codex", ".cursor", ".gemini", ".husky", ".opencode", ".windsurf"],
]);

/** Whether agents would read a path of a repository as settings or orders, and so must not take it from a stranger. */
export function isAgentSetting(path: string): boolean {
  const segments = path.toLowerCase().split("/");
  return FILES.has(segments.at(-1) ?? "") || segments.some((segment) => FOLDERS.has(segment));
}
