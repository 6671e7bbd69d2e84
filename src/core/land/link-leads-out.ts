import { cleanPath } from "../../lib/paths/clean-path.js";

/** Whether a link at `path` leads out of the repository, or to git's own files, wherever it is checked out. */
export function linkLeadsOut(path: string, target: string): boolean {
  if (/^(?:[/\\]|[A-Za-z]:)/.test(target)) return true;
  const folder = path.split("/").slice(0, -1).join("/");
  const place = cleanPath(`${folder}/${target.replaceAll("\\", "/")}`);
  return place === null || place[0]?.toLowerCase() === ".git";
}
