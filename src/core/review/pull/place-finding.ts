import { cleanPath } from "../../../lib/paths/clean-path.js";
import type { Finding } from "../verdict.js";
import type { ChangedLines } from "./changed-lines.js";

/** A line of the change that a comment can stand on. */
export interface LinePlace {
  readonly path: string;
  readonly line: number;
  /** What stands on the line. */
  readonly code: string;
}

/** Null when the finding names no line, or one that the change does not show: GitHub takes no comment there. */
export function placeFinding(
  { file, line }: Pick<Finding, "file" | "line">,
  changed: ChangedLines,
): LinePlace | null {
  if (line === null) return null;
  // Reviewers also write `./src/a.ts`.
  for (const path of new Set([file, cleanPath(file)?.join("/") ?? ""])) {
    const code = changed.get(path)?.get(line);
    if (code !== undefined) return { path, line, code };
  }
  return null;
}
