import type { Verb } from "../../commands/command.js";
import { argumentUsage, usageOf } from "../../commands/usage.js";
import { argumentsOf, VERB_NAMES, VERBS } from "../../commands/verbs.js";
import { markdownTable, shownCode } from "../markdown.js";
import { type ReplyRow, rowOf } from "./reply-row.js";

/** The answer to `help`. */
export function helpRow(text: string, topic: string | null): ReplyRow {
  const said = topic === null ? "what I understand" : `about ${shownCode(topic)}`;
  return { ...rowOf(text), said, more: helpText(topic) };
}

/** Markdown for a comment: all commands, or one of them. A topic that is no command gives them all. */
export function helpText(topic: string | null): string {
  const verb = VERB_NAMES.find((name) => name === topic);
  return verb === undefined ? verbTable() : verbHelp(verb);
}

/** A row for each command, with who may use it. */
export function verbTable(): string {
  return markdownTable({
    head: ["command", "what it does", "who may"],
    items: VERB_NAMES,
    row: (verb) => [cellCode(usageOf(verb)), VERBS[verb].summary, VERBS[verb].needs],
  });
}

/** What one command does, takes and looks like. */
export function verbHelp(verb: Verb): string {
  const { summary, needs, where, examples } = VERBS[verb];
  const place = where === "pull" ? " It makes sense on a pull request." : "";
  return [
    `\`${usageOf(verb)}\``,
    "",
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}. It takes the ${needs} role.${place}`,
    ...argumentRows(verb),
    "",
    "```",
    ...examples.map((example) => `/koryph ${example}`),
    "```",
  ].join("\n");
}

function argumentRows(verb: Verb): string[] {
  const known = argumentsOf(verb);
  if (known.length === 0) return [];
  const row = (argument: (typeof known)[number]) => [cellCode(argumentUsage(argument)), argument.meaning];
  return ["", markdownTable({ head: ["argument", "meaning"], items: known, row })];
}

/** Our own words as code in a table, where a bar would end the cell. */
function cellCode(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}
