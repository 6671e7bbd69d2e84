import { foldedSegments } from "../../../lib/paths/path-readings.js";

/** Whether a link at this path leads out of the repository, or to where git keeps its own files. */
export function leadsOutside(path: string, target: string): boolean {
  if (target === "" || /^[/\\]|^[A-Za-z]:/.test(target)) return true;
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  const steps = [...folder.split("/"), ...target.replaceAll("\\", "/").split("/")];
  const reached: string[] = [];
  for (const step of steps) {
    if (step === "" || step === ".") continue;
    if (step !== "..") reached.push(step);
    else if (reached.pop() === undefined) return true;
  }
  return reached.some((step) => foldedSegments(step)[0] === ".git");
}
