import { isAgentSetting } from "./agent-settings.js";

/** A file of a commit, as git lists it. */
export interface TreeFile {
  readonly mode: string;
  readonly sha: string;
  readonly path: string;
}

export interface TreeChange {
  readonly remove: readonly string[];
  readonly put: readonly TreeFile[];
}

const LINK = "120000";
const PLAIN = "100644";

/**
 * What turns a pull request's files into those that a reviewer reads: its agent settings are replaced by the base
 * branch's, and its links become plain files that say where they lead, since one may lead out of the checkout.
 */
export function reviewTree(head: readonly TreeFile[], base: readonly TreeFile[]): TreeChange {
  const kept = head.filter(({ path }) => !isAgentSetting(path));
  const files = new Set(kept.map(({ path }) => path));
  const settings = base.filter(({ path }) => isAgentSetting(path) && !hasFileAbove(path, files));
  return {
    remove: head.filter(({ path }) => isAgentSetting(path)).map(({ path }) => path),
    put: [...kept.filter(({ mode }) => mode === LINK), ...settings].map((file) =>
      file.mode === LINK ? { ...file, mode: PLAIN } : file,
    ),
  };
}

/** Where the pull request has a file, the base branch's folder of that name has no place. */
function hasFileAbove(path: string, files: ReadonlySet<string>): boolean {
  const segments = path.split("/");
  return segments.some((_, depth) => depth > 0 && files.has(segments.slice(0, depth).join("/")));
}
