import { foldedSegments, pathReadings } from "../../lib/paths/path-readings.js";
import { RUNTIMES } from "../runtimes/runtimes.js";

/** What steers gates, hooks and trust, and is read at the root alone. */
const ROOT_PATHS: readonly string[] = [
  "MEMORY.md",
  "CLAUDE-ACCOUNTS.md",
  "koryph.project.json",
  ".beads/",
  ".koryph/",
  "hooks/",
  "agents/",
  ".github/",
  "Makefile",
  "scripts/lib/",
  ".pre-commit-config.yaml",
  ".gitignore",
  ".allowed_signers",
];

/** What instructs agents, or runs on a developer's machine, from whatever folder it lies in. */
const ANYWHERE_PATHS: readonly string[] = [
  ...new Set([
    // Those of agents that are no runtime of ours; a runtime's descriptor names its own.
    ...["AGENTS.md", "GEMINI.md", ".cursor/", ".husky/", ".vscode/", ".npmrc", ".envrc"],
    ...RUNTIMES.flatMap(({ protectedPaths }) => protectedPaths),
  ]),
];

/**
 * An agent's branch that touches one of these is never landed by itself. A project can add to the list and cannot take
 * from it.
 */
export const PROTECTED_PATHS: readonly string[] = [...ROOT_PATHS, ...ANYWHERE_PATHS];

/** What a person may let through by saying so; nothing else of the list can be lifted. */
export const LIFTABLE_PATHS: readonly string[] = [".github/", "Makefile"];

/**
 * Whether a path (relative to the repository's root, as git prints it unquoted) is on the built-in list
 * or below an entry of `extra`, not counting the built-in entries in `lifted`. A file, or a link, in the place of a folder
 * above an entry is protected as well: a link there would lead the entry elsewhere. Letter case never matters: on some
 * machines `.GitHub` is `.github`. A path that leaves the repository is protected.
 */
export function isProtected(
  path: string,
  extra: readonly string[] = [],
  lifted: readonly string[] = [],
): boolean {
  const atRoot = [...ROOT_PATHS.filter((entry) => !lifted.includes(entry)), ...extra].map(foldedSegments);
  return pathReadings(path).some(
    (segments) =>
      segments.length === 0 ||
      atRoot.some((entry) => isBelow(segments, entry) || isAbove(segments, entry)) ||
      segments.some((_, at) => ANYWHERE.some((entry) => isBelow(segments.slice(at), entry))),
  );
}

function isBelow(segments: readonly string[], entry: readonly string[]): boolean {
  return entry.length > 0 && entry.every((segment, index) => segments[index] === segment);
}

function isAbove(segments: readonly string[], entry: readonly string[]): boolean {
  return segments.length < entry.length && segments.every((segment, index) => segment === entry[index]);
}

const ANYWHERE: readonly (readonly string[])[] = ANYWHERE_PATHS.map(foldedSegments);
