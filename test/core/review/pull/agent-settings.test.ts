import { expect, test } from "vitest";
import { isProtected } from "../../../../src/core/land/protected-paths.js";
import { isAgentSetting } from "../../../../src/core/review/pull/agent-settings.js";

test.each([
  { path: "CLAUDE.md", setting: true },
  { path: "deep/down/agents.MD", setting: true },
  { path: ".claude/hooks/x.sh", setting: true },
  { path: "a/.codex/config.toml", setting: true },
  { path: ".github/copilot-instructions.md", setting: true },
  { path: "src/claude.ts", setting: false },
  { path: "docs/agents.md.txt", setting: false },
  { path: ".github/workflows/ci.yml", setting: false },
])("$path counts as agent settings: $setting", ({ path, setting }) =>
  expect(isAgentSetting(path)).toBe(setting),
);

/** Names that some machine takes for one of an agent's. */
test.each([
  { name: "fullwidth letters", path: "ＣＬＡＵＤＥ.md" },
  { name: "a long s, which has an s for its capital", path: "agentſ.md" },
  { name: "the Kelvin sign, below a folder", path: "a/.husKy/pre-commit" },
  { name: "a character that nobody sees", path: "CLAUDE\u200b.md" },
  { name: "one inside a folder's name", path: "x/.cla\u200dude/settings.json" },
  { name: "a byte order mark before the name", path: "\ufeffAGENTS.md" },
  { name: "a dot at the end of the name", path: "CLAUDE.md." },
  { name: "a space at the end of a folder's name", path: ".claude /settings.json" },
  { name: "a backslash between the folders", path: "docs\\.claude\\settings.json" },
  { name: "a fullwidth backslash between them", path: "docs＼.claude＼settings.json" },
  { name: "a two-dot leader that leads back", path: "docs/x/‥/AGENTS.md" },
  { name: "a way out of the repository", path: "‥/‥/x" },
])("$name hides no agent settings, and nothing that is protected", ({ path }) => {
  expect(isProtected(path)).toBe(true);
  expect(isAgentSetting(path)).toBe(true);
});

test.each(["CLAUDE.mdx", "src/.claudette/x", "docs/‥.md", "claude .md"])("%s is neither", (path) => {
  expect(isProtected(path)).toBe(false);
  expect(isAgentSetting(path)).toBe(false);
});
