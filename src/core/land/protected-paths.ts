import { cleanPath } from "../../lib/clean-path.js";

/**
 * What steers agents, gates, hooks or trust. An agent's branch that touches one of these is never
 * landed by itself. A project can add to the list and cannot take from it.
 */
export const PROTECTED_PATHS: readonly string[] = [
  "CLAUDE.md",
  "MEMORY.md",
  "AGENTS.md",
  "CLAUDE-ACCOUNTS.md",
  "koryph.project.json",
  ".claude/",
  ".beads/",
  "hooks/",
  "agents/",
  ".github/",
  "Makefile",
  "scripts/lib/",
  ".pre-commit-config.yaml",
  ".gitignore",
  ".envrc",
  ".allowed_signers",
];

/**
 * Whether a path (relative to the repository's root, as git prints it unquoted) is on the built-in list
 * or below an entry of `extra`. Letter case never matters: on some machines `.GitHub` is `.github`.
 * A path that leaves the repository is protected.
 */
export function isProtected(path: string, extra: readonly string[] = []): boolean {
  const segments = folded(path);
  if (segments === null || segments.length === 0) return true;
  return (
    PROTECTED_PATHS.some((entry) => isBelow(segments, entry)) ||
    extra.some((entry) => isBelow(segments, entry))
  );
}

function isBelow(segments: readonly string[], entry: string): boolean {
  const prefix = folded(entry);
  if (prefix === null || prefix.length === 0) return false;
  return prefix.every((segment, index) => segments[index] === segment);
}

/** Upper case first: it joins letters that lower case alone keeps apart, such as the long s. */
function folded(path: string): string[] | null {
  return cleanPath(path.normalize("NFKC").toUpperCase().toLowerCase());
}
