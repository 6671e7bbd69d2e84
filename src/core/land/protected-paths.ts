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
  const entries = [...PROTECTED_PATHS, ...extra].map((entry) => segmentsOf(folded(entry)));
  // Machines disagree about what a backslash or a two-dot leader in a file name is, so the path is
  // protected if either reading of it is: as git on Linux sees it, or with everything folded first.
  return [segmentsOf(path).map(folded), cleanPath(folded(path).replaceAll("\\", "/"))].some(
    (segments) =>
      segments === null || segments.length === 0 || entries.some((entry) => isBelow(segments, entry)),
  );
}

function isBelow(segments: readonly string[], entry: readonly string[]): boolean {
  return entry.length > 0 && entry.every((segment, index) => segments[index] === segment);
}

/** A path that leaves the repository has no segments. */
function segmentsOf(path: string): string[] {
  return cleanPath(path) ?? [];
}

/** Upper case first: it joins letters that lower case alone keeps apart, such as the sharp s. */
function folded(path: string): string {
  return path.normalize("NFKC").toUpperCase().toLowerCase();
}
