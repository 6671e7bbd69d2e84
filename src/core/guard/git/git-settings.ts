import { denied, type GuardFinding, undecided } from "../guard-verdict.js";
import { isKnown, UNKNOWN } from "../shell/open-text.js";
import { readOptions, textsOf } from "../shell/read-options.js";
import type { Situation } from "../situation.js";

/** What these name is run, as a shell runs it. */
const COMMANDS = /^(core\.(editor|pager)|sequence\.editor|pager\..*)$/;

/** Settings that decide who signs, what runs beside git, and where it goes. */
const GUARDED =
  /^(core\.(hookspath|sshcommand|askpass|fsmonitor|gitproxy|attributesfile|worktree|alternaterefscommand)|credential\..*|filter\..*|diff\.external|diff\..*\.(command|textconv)|merge\..*\.driver|gpg\..*|user\.signingkey|(commit|tag|push)\.gpgsign|include\.path|includeif\..*|url\..*|remote\..*\.(url|pushurl|proxy|receivepack|uploadpack|mirror|push|vcs)|remote\.pushdefault|branch\..*\.pushremote|push\..*|https?\..*|protocol\.(?!file\.).*|ssh\..*|sendemail\..*|uploadpack\..*|receive\..*|init\.templatedir|extensions\..*|submodule\..*\.(update|url)|trailer\..*\.(command|cmd)|interactive\.difffilter|(man|browser|difftool|mergetool|guitool|hook|lfs|tar)\..*|web\.browser)$/;

const OFF = /^(false|no|off|0|)$/i;

/** What follows from a setting of git's, given for one call or written down. */
export function judgeSetting(key: string, value: string, situation: Situation): GuardFinding[] {
  const name = key.toLowerCase();
  if (!isKnown(name)) return undecided("unknown-words");
  const [, alias] = /^alias\.(.*)$/.exec(name) ?? [];
  if (alias !== undefined)
    return value.startsWith("!") ? situation.text(value.slice(1)) : situation.run(["git", ...blanks(value)]);
  if (COMMANDS.test(name)) return situation.text(value);
  if (/^(commit|tag)\.gpgsign$|^core\.fsmonitor$/.test(name) && OFF.test(value)) return [];
  return GUARDED.test(name) ? denied("git-settings", `git config ${name}`) : [];
}

/** Words of a text without quotes, as git parts an alias. */
export function blanks(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

const VALUED = ["-f", "--file", "--blob", "--type", "-t", "--default", "--value", "--comment", "--url"];
const READING = /^--(get.*|list|name-only|show-.*|includes|no-includes)$|^-[lz]$/;

/** `git config`, in the form of before 2.46 and the one with verbs. */
export function judgeConfig(args: readonly string[], situation: Situation): GuardFinding[] {
  const options = readOptions(args, VALUED);
  const [verb = "", ...rest] = options.operands;
  const files = textsOf(options, "-f", "--file").flatMap((file) => situation.path(file, "read"));
  if (options.given.some(({ name }) => READING.test(name)) || ["get", "list"].includes(verb)) return files;
  if (verb === "edit" || options.given.some(({ name }) => name === "-e" || name === "--edit"))
    return denied("git-settings", "git config --edit");
  const written = textsOf(options, "-f", "--file").flatMap((file) => situation.path(file, "write"));
  const [key = "", value] = ["set", "unset", "rename-section", "remove-section"].includes(verb)
    ? rest
    : [verb, ...rest];
  const removes =
    options.given.some(({ name }) => /^--(unset|remove|rename)/.test(name)) || /^(un|re)/.test(verb);
  // One word alone reads.
  if (value === undefined && !removes) return [...files, ...(isKnown(key) ? [] : undecided("unknown-words"))];
  return [
    ...written,
    ...judgeSetting(key.includes(".") ? key : `${key}.x`, removes ? UNKNOWN : (value ?? ""), situation),
  ];
}
