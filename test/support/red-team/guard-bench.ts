import type { GuardFacts } from "../../../src/core/guard/guard-facts.js";
import type { GuardVerdict } from "../../../src/core/guard/guard-verdict.js";
import { judgeCall } from "../../../src/core/guard/judge-call.js";
import type { Places } from "./spelling.js";

const ENGINE = "/home/op/.koryph";
export const PLACES: Places = {
  operator: "/home/op",
  engine: ENGINE,
  other: `${ENGINE}/projects/p/worktrees/other`,
  home: `${ENGINE}/projects/p/homes/gh-1`,
};
const WORKTREE = `${ENGINE}/projects/p/worktrees/gh-1`;

/** An agent's facts, as an engine gives them. */
const FACTS: GuardFacts = {
  cwd: WORKTREE,
  worktree: WORKTREE,
  home: PLACES.home,
  writable: [`${ENGINE}/projects/p/runs/r/gh-1/agent`],
  engine: [ENGINE, "/home/op/checkout"],
  secret: [],
  defaultBranch: "main",
  files: {},
};

export function judged(command: string, files: GuardFacts["files"] = {}): GuardVerdict {
  return judgeCall({ tool: "Bash", input: { command } }, { ...FACTS, files });
}

/** What the guard says to a line in the end; a script that the line does not write is not there. */
export function answered(line: string): GuardVerdict {
  const first = judged(line);
  if (first.kind !== "needs") return first;
  return judged(line, Object.fromEntries(first.paths.map((path) => [path, null])));
}
