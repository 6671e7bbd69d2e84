import type { GuardFacts } from "../guard-facts.js";
import { denied, type GuardFinding, undecided } from "../guard-verdict.js";
import { isKnown, UNKNOWN } from "../shell/open-text.js";
import { guardedPaths } from "./guarded-paths.js";
import { isSure, isWithin, mayHold, mayMatch, type OpenPath, openPath, shownPath } from "./open-path.js";

export type PathUse = "read" | "write";

/** Anybody may write here, and nothing that is written counts. */
const FREE_FILES: readonly string[] = [
  "null",
  "zero",
  "stdout",
  "stderr",
  "tty",
  "full",
  "random",
  "urandom",
];
const FREE_FOLDERS: readonly string[] = ["/tmp", "/var/tmp", "/dev/shm", "/dev/fd"];

/** Links of the system: what lies above where they lead is another folder than their names say. */
const ABOVE_A_LINK =
  /\/(?:dev\/fd|proc\/+[^/]+\/+(?:task\/+[^/]+\/+)?(?:cwd|root|fd\/+[^/.][^/]*))\/+(?:\.\/+)*\.\./;

/** What follows from touching a path as it is typed. `cwd` is null when the shell's folder is not known. */
export function judgePath(
  typed: string,
  use: PathUse,
  facts: GuardFacts,
  cwd: string | null,
): GuardFinding[] {
  if (ABOVE_A_LINK.test(typed)) return denied("credentials", typed);
  const path = openPath(typed, cwd);
  return path === null ? judgeEnd(typed, use, facts) : judgeOpen(path, use, facts);
}

function judgeOpen(path: OpenPath, use: PathUse, facts: GuardFacts): GuardFinding[] {
  const rules = guardedPaths(facts);
  const shown = shownPath(path);
  const hits = (list: readonly OpenPath[]) => list.some((rule) => mayMatch(path, rule));
  const guess = (code: Parameters<typeof denied>[0]) =>
    path.some((step) => step.includes(UNKNOWN)) ? undecided("unknown-words") : denied(code, shown);
  if (use === "read" && hits(rules.readable) && isSure(path)) return [];
  const inWorktree = isWithin(path, facts.worktree);
  if (!inWorktree && hits(rules.secrets)) return guess("credentials");
  if (hits(rules.sockets)) return guess("agent-socket");
  if (use === "write" && hits(rules.settings)) return guess("enforcement");
  if (isOwn(path, facts)) return [];
  if (facts.engine.some((folder) => isWithin(path, folder))) return denied("engine-files", shown);
  if (use === "read" || isFree(path)) return [];
  return denied("outside", shown);
}

/** Of a path whose beginning is open, the end may still say that it leads to a secret. */
function judgeEnd(typed: string, use: PathUse, facts: GuardFacts): GuardFinding[] {
  const steps = typed.split("/").filter((step) => step !== "" && step !== "." && step !== UNKNOWN);
  const rules = guardedPaths(facts);
  const named = steps.flatMap((_, from) =>
    rules.secretEnds.filter((rule) => mayMatch(steps.slice(from), rule)),
  );
  if (named.length > 0 && steps.every(isKnown)) return denied("credentials", typed);
  return use === "write" || !isKnown(typed) ? undecided("unknown-words") : undecided("unknown-folder");
}

/** Reading everything below it would read secrets, too. */
export function holdsSecrets(typed: string, facts: GuardFacts, cwd: string | null): boolean {
  const path = openPath(typed, cwd);
  if (path === null || isOwn(path, facts)) return false;
  const { secrets, sockets } = guardedPaths(facts);
  return (
    [...secrets, ...sockets].some((rule) => mayHold(path, rule)) ||
    facts.engine.some((folder) => mayHold(path, [...folder.split("/").filter((step) => step !== ""), "**"]))
  );
}

function isOwn(path: OpenPath, { worktree, home, writable }: GuardFacts): boolean {
  return [worktree, home, ...writable].some((folder) => isWithin(path, folder));
}

function isFree(path: OpenPath): boolean {
  const [top, name = ""] = path;
  if (top === "dev" && path.length === 2 && FREE_FILES.includes(name)) return true;
  return FREE_FOLDERS.some((folder) => isWithin(path, folder));
}
