import { cutText } from "../../lib/cut-text.js";
import { isReadable, proseLines } from "../../lib/markdown.js";
import { nearest } from "../../lib/nearest.js";
import { plainText } from "../../lib/plain-text.js";
import { redactText } from "../redact.js";
import { lowered, shownPart } from "./argument.js";
import { buildCommand } from "./build-command.js";
import type { Command, CommandLine, CommandProblem, CommentReading, Verb } from "./command.js";
import { readArguments } from "./read-arguments.js";
import { OTHER_WORDS, VERB_NAMES } from "./verbs.js";

export const MOST_COMMANDS = 5;

const LONGEST_LINE = 120;
const LONGEST_VERB = 40;
const HIDDEN = "[redacted]";

/** The word by itself at the start of a line: `/koryphs`, `/koryph-x` and `/koryph/x` are something else. */
const CALL = /^\/koryph(?![^\s]|\ufeff)/i;

/** The commands in a comment, in the order they stand; none when it has none. */
export function readCommands(markdown: string): CommentReading {
  // Most comments have none, and are not worth a parse.
  if (!/^\ufeff? {0,3}\/koryph/im.test(markdown)) return { lines: [], left: 0 };
  const calls = proseLines(markdown).filter(({ text, plain }) => plain && CALL.test(text));
  return {
    lines: calls.slice(0, MOST_COMMANDS).map(({ text }) => readLine(text)),
    left: Math.max(0, calls.length - MOST_COMMANDS),
  };
}

/** Whether a line looks like a command and nobody can tell, because the comment would take too long to read. */
export function isUnread(markdown: string): boolean {
  return /^\ufeff? {0,3}\/koryph(?![^\s]|\ufeff)/im.test(markdown) && !isReadable(markdown);
}

function readLine(line: string): CommandLine {
  const typed = plainText(line);
  // Before it is cut: half a secret looks like none.
  const shown = redactText(typed);
  const text = cutText(shown, LONGEST_LINE);
  const found = readCall(line.replace(CALL, "").trim());
  return "kind" in found
    ? { kind: "wrong", text, problem: hiding(found, typed, shown) }
    : { kind: "command", text, command: found };
}

/** A word by itself may not look like a secret, and still be one where it stands: `password =swordfish`. */
function hiding(problem: CommandProblem, typed: string, shown: string): CommandProblem {
  if (!("found" in problem)) return problem;
  const found = problem.found.replace(/…$/, "");
  return typed.includes(found) && !shown.includes(found) ? { ...problem, found: HIDDEN } : problem;
}

function readCall(call: string): Command | CommandProblem {
  const word = /^\S*/.exec(call)?.[0] ?? "";
  if (word === "") return { kind: "no-verb" };
  const verb = asVerb(word);
  if (verb === null) return unknownVerb(word);
  const given = readArguments(verb, call.slice(word.length));
  if ("kind" in given) return given;
  const command = buildCommand(verb, given);
  if ("kind" in command || command.verb !== "help" || command.topic === null) return command;
  const topic = asVerb(command.topic);
  return topic === null ? unknownVerb(command.topic) : { verb: "help", topic };
}

function asVerb(word: string): Verb | null {
  return VERB_NAMES.find((verb) => verb === lowered(word)) ?? null;
}

function unknownVerb(found: string): CommandProblem {
  const word = lowered(found).slice(0, LONGEST_VERB);
  return { kind: "unknown-verb", found: shownPart(found, LONGEST_VERB), nearest: meantVerb(word) };
}

function meantVerb(word: string): Verb | null {
  const meant = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : nearest(word, VERB_NAMES);
  return VERB_NAMES.find((verb) => verb === meant) ?? null;
}
