import { denied, type GuardFinding, undecided } from "../guard-verdict.js";
import type { ProgramCall } from "../situation.js";

/** Words by which a program that is otherwise known starts another one, or runs text of its own. */
const STARTS: Readonly<Record<string, RegExp>> = {
  ack: /^--pager/,
  bun: /^(-e|-p|--eval|--print|run|.*\.[cm]?[jt]sx?)$/,
  cargo: /^(run|publish|login|--config.*)$/,
  clang: /^-(fplugin|Xclang|B)/,
  deno: /^(eval|run|serve|.*\.[cm]?[jt]sx?)$/,
  fc: /./,
  fd: /^(-[a-zA-Z]*[xX]|--exec.*)$/,
  gcc: /^-(wrapper|fplugin|specs|B)/,
  "g++": /^-(wrapper|fplugin|specs|B)/,
  cc: /^-(wrapper|fplugin|specs|B)/,
  gmake: /^(--eval|-E|SHELL=|MAKEFLAGS=)/,
  go: /^(run|-exec.*|-toolexec.*|--exec.*|generate|install)$/,
  hash: /^-p/,
  jobs: /^-x/,
  less: /^\+/,
  make: /^(--eval|-E|SHELL=|MAKEFLAGS=)/,
  more: /^\+/,
  rg: /^--(pre|hostname-bin)/,
  sort: /^--compress/,
  tar: /^(--(to-command|checkpoint-action|use-compress|rsh-command|info-script|new-volume-script)|-?[a-zA-Z]*[IF])/,
  terraform: /^(apply|destroy|import|state|login|console)$/,
  test: /\[.*[$`]/,
  wget: /^(-i|--input-file|--use-askpass|-e|--execute)/,
  zip: /^(-TT|--unzip-command)/,
};

/** Filters that can show the environment. */
const SHOWS_VARIABLES: Readonly<Record<string, RegExp>> = {
  jq: /\$ENV\b|(^|[^.\w"])env\b/,
  yq: /\b(str)?env\(|\$ENV\b/,
  npm: /_auth|_password|token/i,
};

/** What is not seen in the words of a program that is known. */
export function opaqueOptions({ name, args }: ProgramCall): GuardFinding[] {
  const shows = Object.hasOwn(SHOWS_VARIABLES, name) ? SHOWS_VARIABLES[name] : undefined;
  if (shows && args.some((word) => shows.test(word))) return denied("token", [name, ...args].join(" "));
  const starts = Object.hasOwn(STARTS, name) ? STARTS[name] : undefined;
  return starts && args.some((word) => starts.test(word)) ? undecided("unknown-program") : [];
}
