import { judgeGit } from "./git/judge-git.js";
import { type GuardFinding, undecided } from "./guard-verdict.js";
import { holdsSecrets } from "./paths/judge-path.js";
import { GITHUB_RULES } from "./programs/github.js";
import {
  INTERPRETERS,
  PLAIN_PROGRAMS,
  PROJECT_TOOLS,
  SEARCHERS,
  SHALLOW,
  SPEAKERS,
  TALKERS,
} from "./programs/known-programs.js";
import { opaqueOptions } from "./programs/opaque-options.js";
import { PROCESS_RULES } from "./programs/processes.js";
import { TOOL_RULES } from "./programs/project-tools.js";
import { SHELL_RULES } from "./programs/shells.js";
import { WRAPPER_RULES } from "./programs/wrappers.js";
import { WRITES } from "./programs/written-paths.js";
import { isKnown, isPattern, mayBe } from "./shell/open-text.js";
import type { ProgramCall, ProgramRule, Situation } from "./situation.js";

const RULES: Readonly<Record<string, ProgramRule>> = {
  ...TOOL_RULES,
  ...PROCESS_RULES,
  ...GITHUB_RULES,
  ...SHELL_RULES,
  ...WRAPPER_RULES,
  git: judgeGit,
};
/** Folders of the machine's own programs, and those of installed tools. */
const PROGRAM_FOLDER = /(^|\/)(s?bin|\.bin|libexec)\/[^/]*$/;

/** What a program with these words would do. */
export function judgeArgv(
  argv: readonly string[],
  input: ProgramCall["input"],
  situation: Situation,
): GuardFinding[] {
  const [typed = "", ...words] = argv;
  if (argv.length === 0 || typed === "") return [];
  const base = typed.split("/").at(-1) ?? typed;
  if (!isKnown(base)) return openProgram(base, words, situation);
  const [, verb] = /^git-(.+)$/.exec(base) ?? [];
  const name = verb === undefined ? base : "git";
  const call: ProgramCall = { name, args: verb === undefined ? words : [verb, ...words], input };
  return [...judgeProgram(typed, call, situation), ...opaqueOptions(call), ...judgeWords(call, situation)];
}

function judgeProgram(typed: string, call: ProgramCall, situation: Situation): GuardFinding[] {
  const rule = Object.hasOwn(RULES, call.name) ? RULES[call.name] : undefined;
  if (rule) return rule(call, situation);
  if (TALKERS.has(call.name)) return undecided("network");
  if (INTERPRETERS.has(call.name)) return undecided("other-language");
  const known = PLAIN_PROGRAMS.has(call.name) || PROJECT_TOOLS.has(call.name);
  if (known && (!typed.includes("/") || PROGRAM_FOLDER.test(typed) || /^\.\/(gradlew|mvnw)$/.test(typed)))
    return [];
  return typed.includes("/") ? situation.script(typed) : undecided("unknown-program");
}

/** Files that are named, whatever is done with them, and those that are written. */
function judgeWords({ name, args }: ProgramCall, situation: Situation): GuardFinding[] {
  const written = (Object.hasOwn(WRITES, name) ? WRITES[name] : undefined)?.(args) ?? [];
  const writes = written.flatMap((path) => situation.path(path, "write"));
  if (SPEAKERS.has(name) || name === "cd" || (name in WRAPPER_RULES && name !== "find")) return writes;
  const named = namedPaths(name, args);
  const reads = named.flatMap((path) => situation.path(path, "read")).filter(({ kind }) => kind === "deny");
  const open =
    PLAIN_PROGRAMS.has(name) && named.some((path) => !isKnown(path)) ? openNames(named, situation) : [];
  const wide =
    !isShallow(name, args) &&
    named.some((path) => isFolder(path) && holdsSecrets(path, situation.facts, situation.cwd));
  return [...writes, ...reads, ...open, ...(wide ? undecided("wide-read") : [])];
}

/** Patterns and unknown words may name a secret without saying so. */
function openNames(named: readonly string[], situation: Situation): GuardFinding[] {
  return named.filter((path) => !isKnown(path)).flatMap((path) => situation.path(path, "read"));
}

function isShallow(name: string, args: readonly string[]): boolean {
  if (name === "ls") return !args.some((word) => /^(-\w*R|--recursive)/.test(word));
  return SHALLOW.has(name) || name === "git" || name === "gh";
}

function isFolder(path: string): boolean {
  return path.startsWith("/") || path.startsWith("..") || path === "." || !isKnown(path);
}

/** Everything that may be the name of a file: words, and what stands behind `=`, `@`, `:` or an option's letter. */
function namedPaths(name: string, args: readonly string[]): string[] {
  const at = SEARCHERS.has(name) ? args.findIndex((word) => !word.startsWith("-")) : -1;
  const scripted = args.some((word) => /^(-e|-f|--regexp|--file|--expression)/.test(word));
  return args.flatMap((word, index) => {
    if (index === at && !scripted) return [];
    if (name === "git" && /\s/.test(word)) return [];
    const option = /^-\w?([~/.].*)$/.exec(word)?.[1];
    const parts = word
      .split(/[=@:,]|file:\/\//)
      .slice(1)
      .filter((part) => /^(\/|~|\.\.?\/)/.test(part));
    return [
      ...(word.startsWith("-") || /^\w+:\/\//.test(word) ? [] : [word]),
      ...(option === undefined ? [] : [option]),
      ...parts,
    ];
  });
}

/** A program whose name only shows when it runs. One that is hidden in a pattern is judged as what it may be. */
function openProgram(base: string, words: readonly string[], situation: Situation): GuardFinding[] {
  const denials = isPattern(base)
    ? ["git", "gh", "bd", "env", "printenv", "ssh-add", "sh", "bash"]
        .filter((name) => mayBe(base, name))
        .flatMap((name) => situation.run([name, ...words]))
        .filter(({ kind }) => kind === "deny")
    : [];
  return denials.length > 0 ? denials : undecided("unknown-words");
}
