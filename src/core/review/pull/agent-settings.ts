import { pathReadings } from "../../../lib/paths/path-readings.js";
import { RUNTIMES } from "../../runtimes/runtimes.js";

/** What steers the built-in runtimes, and what is known of others. A name that ends with a slash is a folder. */
const STEERING: readonly string[] = [
  ...RUNTIMES.flatMap(({ protectedPaths }) => protectedPaths),
  ...["AGENTS.md", "AGENTS.override.md", "GEMINI.md", "copilot-instructions.md", ".claude.json"],
  ...[".cursorrules", ".windsurfrules", ".aider.conf.yml", ".ripgreprc"],
  ...[".agents/", ".cursor/", ".gemini/", ".husky/", ".windsurf/"],
].map((path) => path.toLowerCase());

/** Files that agents take for orders wherever they lie. */
const FILES: ReadonlySet<string> = new Set(STEERING.filter((path) => !path.endsWith("/")));

/** Folders of settings, hooks and skills. */
const FOLDERS: ReadonlySet<string> = new Set(
  STEERING.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1)),
);

/** Whether agents would read a path of a repository as settings or orders, and so must not take it from a stranger. */
export function isAgentSetting(path: string): boolean {
  return pathReadings(path).some((segments) => {
    const name = segments.at(-1);
    return name === undefined || FILES.has(name) || segments.some((segment) => FOLDERS.has(segment));
  });
}
