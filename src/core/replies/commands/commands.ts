import type { CommandProblem } from "../../commands/command.js";
import { usageOf } from "../../commands/usage.js";
import { shownCode } from "../markdown.js";

type ProblemKind = CommandProblem["kind"];

/** What each kind of problem means, for the docs. */
export const PROBLEM_MEANINGS: Readonly<Record<ProblemKind, string>> = {
  "no-verb": "nothing follows `/koryph`",
  "unknown-verb": "there is no such command",
  "unknown-argument": "the command takes no such argument",
  "repeated-argument": "an argument is given twice",
  "missing-argument": "an argument that is needed is left out",
  "bad-argument": "a value is not of the kind that is needed",
  "open-quote": "a quotation is opened and not closed",
};

/** The `reason_code` of a problem; stable, for tools. */
export function problemCode({ kind }: { readonly kind: ProblemKind }): string {
  return kind.replaceAll("-", "_");
}

/** One sentence, in markdown: what was found, what is needed, and what to do next. */
export function problemText(problem: CommandProblem): string {
  switch (problem.kind) {
    case "no-verb":
      return `a command has to follow ${shownCode("/koryph")}; ${shownCode("/koryph help")} lists them`;
    case "unknown-verb":
      return `there is no command ${shownCode(problem.found)}${meant(problem.nearest, "/koryph ")}; ${shownCode("/koryph help")} lists them`;
    case "unknown-argument":
      return `${shownCode(problem.verb)} takes no ${shownCode(problem.found)}${meant(problem.nearest)}; ${usage(problem)}`;
    case "repeated-argument":
      return `${shownCode(problem.found)} is given a second time; ${usage(problem)}`;
    case "missing-argument":
      return `${shownCode(problem.verb)} needs ${shownCode(problem.needed)}; ${usage(problem)}`;
    case "bad-argument":
      return `found ${shownCode(problem.found)}, needed is ${problem.needed}; ${usage(problem)}`;
    case "open-quote":
      return `a quotation does not end on its line, so close it or leave the quotes out; ${usage(problem)}`;
  }
}

function meant(nearest: string | null, before = ""): string {
  return nearest === null ? "" : ` (did you mean ${shownCode(`${before}${nearest}`)}?)`;
}

function usage({ verb }: Extract<CommandProblem, { readonly verb: unknown }>): string {
  return `it is used as ${shownCode(usageOf(verb), 120)}`;
}
