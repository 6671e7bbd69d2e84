import { ANY, isKnown, mayBe, UNKNOWN } from "../shell/open-text.js";

/** A path from the root, in pieces. Any of them may have open letters in it. */
export type OpenPath = readonly string[];

/** Null when nothing tells where it begins; then only its end is known. */
export function openPath(typed: string, cwd: string | null): OpenPath | null {
  if (typed.startsWith(UNKNOWN)) return null;
  if (!typed.startsWith("/") && cwd === null) return null;
  const steps = (typed.startsWith("/") ? typed : `${cwd}/${typed}`).split("/");
  const path: string[] = [];
  for (const step of steps) {
    if (step === "" || step === ".") continue;
    if (step === "..") path.pop();
    else path.push(step);
  }
  return path;
}

export function shownPath(path: OpenPath): string {
  return `/${path.join("/")}`;
}

/** Whether all of it is known. */
export function isSure(path: OpenPath): boolean {
  return path.every(isKnown);
}

/** Whether it is the folder or surely lies below it. */
export function isWithin(path: OpenPath, folder: string): boolean {
  const steps = folder.split("/").filter((step) => step !== "");
  return steps.every((step, index) => path[index] === step);
}

/**
 * Whether it can come to what a rule names: piece by piece, where a rule's `*` is any one piece, a `*` at the end of a
 * piece any letters, and `**` at the end everything below as well.
 */
export function mayMatch(path: OpenPath, rule: OpenPath): boolean {
  const below = rule.at(-1) === "**";
  const steps = below ? rule.slice(0, -1) : rule;
  const open = path.findIndex((step) => step.includes(UNKNOWN));
  // From an unknown piece on, any number of pieces may follow.
  if (open !== -1 && open < steps.length)
    return (
      steps.slice(0, open).every((step, index) => meets(path[index] ?? "", step)) &&
      endsLike(path.slice(open + 1), below ? null : steps)
    );
  if (below ? path.length < steps.length : path.length !== steps.length) return false;
  return steps.every((step, index) => meets(path[index] ?? "", step));
}

/** After an unknown piece: known pieces at the end must be those of the rule; a rule for all below takes any. */
function endsLike(end: OpenPath, steps: OpenPath | null): boolean {
  if (steps === null) return true;
  const last = steps.slice(steps.length - end.length);
  return end.every((step, index) => meets(step, last[index] ?? ""));
}

/** Whether it is a folder in which the rule has something. */
export function mayHold(path: OpenPath, rule: OpenPath): boolean {
  const steps = rule.at(-1) === "**" ? rule.slice(0, -1) : rule;
  return path.length < steps.length && path.every((step, index) => meets(step, steps[index] ?? ""));
}

function meets(step: string, rule: string): boolean {
  // A pattern passes over names that begin with a dot unless it says so.
  if (step.startsWith(ANY) && rule.startsWith(".")) return false;
  if (rule === "*") return true;
  if (!rule.endsWith("*")) return mayBe(step, rule);
  const start = rule.slice(0, -1);
  return isKnown(step)
    ? step.startsWith(start)
    : mayBe(step.slice(0, start.length), start) || step.length < 2;
}
