import { denied, type GuardFinding, undecided } from "../guard-verdict.js";
import { isKnown, UNKNOWN } from "../shell/open-text.js";
import { readOptions } from "../shell/read-options.js";
import type { ProgramRule } from "../situation.js";

/** `bash -lc '…'`, `sh script`, and what a shell reads from a pipe. */
const shell: ProgramRule = ({ args, input }, situation) => {
  let code = false;
  const scripts: GuardFinding[] = [];
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      at += 1;
      break;
    }
    if (!/^[-+]./.test(arg)) break;
    if (arg === "--rcfile" || arg === "--init-file") {
      at += 1;
      scripts.push(...situation.script(args[at] ?? ""));
      continue;
    }
    if (arg.startsWith("--")) continue;
    if (arg.includes("c")) code = true;
    if (/[oO]$/.test(arg)) at += 1;
  }
  const word = args[at];
  if (code) return [...scripts, ...(word === undefined ? [] : situation.text(word))];
  if (word !== undefined && word !== "-") return [...scripts, ...situation.script(word)];
  if (input === undefined) return scripts;
  return [...scripts, ...(input === null ? undecided("unknown-words") : situation.text(input))];
};

const sourced: ProgramRule = ({ args: [path = ""] }, situation) => situation.script(path);

/** Removes or shows variables of the shell. */
const unset: ProgramRule = ({ args }, situation) =>
  args.filter((word) => !word.startsWith("-")).flatMap((name) => situation.variable(name, null));

/** Their operands are names, and what these come to hold is not known. */
const assigned: ProgramRule = ({ args }, situation) =>
  readOptions(args, [
    "-d",
    "-i",
    "-n",
    "-N",
    "-p",
    "-t",
    "-u",
    "-a",
    "-O",
    "-s",
    "-C",
    "-c",
  ]).operands.flatMap((name) => situation.variable(name, UNKNOWN));

const declared: ProgramRule = ({ name, args }) => {
  const names = args.filter((word) => !/^[-+]/.test(word));
  if (args.some((word) => /^-\w*[fF]/.test(word))) return [];
  if (args.some((word) => /^-\w*n/.test(word)) && name !== "export") return undecided("unknown-words");
  const secret = args.some((word) => /^-\w*p/.test(word)) && names.some(isSecretName);
  return names.length === 0 || secret ? denied("token", [name, ...args].join(" ")) : [];
};

export const SHELL_RULES: Readonly<Record<string, ProgramRule>> = {
  ...Object.fromEntries(
    ["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "rbash"].map((name) => [name, shell]),
  ),
  source: sourced,
  ".": sourced,
  eval: ({ args }, situation) => situation.text(args.join(" ")),
  trap: ({ args: [code = ""] }, situation) => (code.startsWith("-") ? [] : situation.text(code)),
  unset,
  read: assigned,
  mapfile: assigned,
  readarray: assigned,
  printf: ({ args }, situation) => {
    const [first = "", name = ""] = args;
    return first === "-v" ? situation.variable(name, UNKNOWN) : [];
  },
  export: declared,
  declare: declared,
  typeset: declared,
  readonly: declared,
  // Options alone change how the shell works; nothing at all shows every variable.
  set: ({ args }) => (args.length === 0 ? denied("token", "set") : []),
  alias: ({ args }, situation) =>
    args.flatMap((word) => (word.includes("=") ? situation.text(word.slice(word.indexOf("=") + 1)) : [])),
  printenv: ({ args }) => {
    const names = args.filter((word) => !word.startsWith("-"));
    const secret = names.some((name) => !isKnown(name) || isSecretName(name));
    return names.length === 0 || secret ? denied("token", ["printenv", ...args].join(" ")) : [];
  },
  compgen: ({ args }) => (args.some((word) => /^-[ev]/.test(word)) ? denied("token", "compgen -e") : []),
  // BSD's `e`, and the long form, show the environment of every process.
  ps: ({ args }) =>
    args.some((word) => /^[a-z]*e[a-z]*$/.test(word)) || args.join(" ").includes("environ")
      ? denied("token", "ps e")
      : [],
};

/** The name of a variable that holds a key, as people name such variables. */
export function isSecretName(name: string): boolean {
  return /(^|_)(TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SIGNING_?KEY|CREDENTIALS?|PAT)(_|$)/i.test(
    name,
  );
}
