import { cutText } from "../../lib/cut-text.js";
import { proseLines } from "../../lib/markdown.js";
import { nearest } from "../../lib/nearest.js";
import { plainText } from "../../lib/plain-text.js";
import { lowered } from "./argument.js";
import { buildCommand } from "./build-command.js";
import type { Command, CommandLine, CommandProblem, CommentReading, Verb } from "./command.js";
import { readArguments } from "./read-arguments.js";
import { OTHER_WORDS, VERB_NAMES } from "./verbs.js";

export const MOST_COMMANDS = 5;

const LONGEST_LINE = 120;
const LONGEST_VERB = 40;

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

function readLine(line: string): CommandLine {
  const text = cutText(plainText(line), LONGEST_LINE);
  const found = readCall(line.replace(CALL, "").trim());
  return "kind" in found
    ? { kind: "wrong", text, problem: found }
    : { kind: "command", text, command: found };
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
  const meant = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : nearest(word, VERB_NAMES);
  return { kind: "unknown-verb", found: cutText(found, LONGEST_VERB), nearest: meant ?? null };
}
