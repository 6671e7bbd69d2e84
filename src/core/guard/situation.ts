import type { GuardFacts } from "./guard-facts.js";
import type { GuardFinding } from "./guard-verdict.js";
import type { PathUse } from "./paths/judge-path.js";

/** A program and its arguments, as the shell would start it. Open letters are marked. */
export interface ProgramCall {
  /** Without folders, and `git` for `git-push`. */
  readonly name: string;
  readonly args: readonly string[];
  /** What it reads, where that is known; undefined when it reads nothing that is typed. */
  readonly input: string | null | undefined;
}

/** How rules look at what a call leads to. */
export interface Situation {
  readonly facts: GuardFacts;
  /** Null when the shell's folder is not known. */
  readonly cwd: string | null;
  /** Another program that would run. */
  run(
    argv: readonly string[],
    change?: { readonly cwd?: string | null; readonly input?: string | null },
  ): GuardFinding[];
  /** A text that a shell would run. */
  text(code: string): GuardFinding[];
  /** A file with such a text. */
  script(path: string): GuardFinding[];
  path(typed: string, use: PathUse): GuardFinding[];
  /** A variable that something is set to; null where it is removed. */
  variable(name: string, value: string | null): GuardFinding[];
}

export type ProgramRule = (call: ProgramCall, situation: Situation) => GuardFinding[];
