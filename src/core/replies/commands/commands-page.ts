import { MOST_READ } from "../../../lib/markdown-cost.js";
import type { CommandProblem } from "../../commands/command.js";
import { THREAD_CAP, USER_CAP } from "../../commands/rate.js";
import { MOST_COMMANDS } from "../../commands/read-commands.js";
import { VERB_NAMES } from "../../commands/verbs.js";
import { MOST_WATCHED, TAKEN_WITHIN_MS, WATCHED_MS } from "../../control/watch-request.js";
import { verbHelp, verbTable } from "./command-help.js";
import { PROBLEM_MEANINGS, problemCode } from "./commands.js";

/** The text of `docs/commands.md`. */
export function commandsPage(): string {
  return `${[INTRO, WHERE, GRAMMAR, section("The commands", verbTable()), ...VERB_NAMES.map(verbSection), limits(), REPLIES, REACTIONS, codes()].join("\n\n")}\n`;
}

const INTRO = `# Commands

People talk to koryph by comment, on an issue or a pull request: \`/koryph status\`. This page is made from the table
that the parser, the permissions and \`/koryph help\` are made from.`;

const WHERE = `## Where a command counts

A command stands at the start of a line, at most three spaces in, in a paragraph of its own or among other lines of
text. \`/koryph\` and the command may be written in capitals. Several commands in one comment are done in order.

Nothing is a command that stands in a quote, a list, a heading, code of any kind, a link, emphasis or an HTML element
(\`<details>\` and its like hold what follows until they are closed), or that is written with a backslash or a character
reference in place of the slash. The same goes for struck text, tables, footnotes, what is between \`$$\` and \`$$\`, what
is below a signature (a line of \`-- \`), and the lines after a tag that does not end. Only a comment as it was first
written counts; an edit starts nothing.

A comment with more than ${MOST_READ.characters} characters is not read, and neither is one that has, outside of fenced code that stands
by itself, more than ${MOST_READ.read} characters, ${MOST_READ.items} list items and underlined headings, or ${MOST_READ.marks} marks: ends of lines, tabs, and
characters such as stars and brackets that can mean something to markdown. One with long paragraphs full of tags,
backticks or links is not read either. Where a line of such a comment begins with \`/koryph\`, it gets a 😕 and no
words. A long log belongs in a fence, or in a comment of its own.`;

const GRAMMAR = `## How it is written

\`\`\`
/koryph <command> [value…] [name=value] [--flag]
\`\`\`

- A value with a name may be written \`name=value\`, \`--name=value\` or \`--name value\`.
- A value with spaces goes in quotes, straight or curved, single or double. Inside them a backslash stands before a
  quote or a backslash that is meant as such.
- White space of any kind separates, a no-break space too. Characters without width separate nothing and are never
  left out, so a word that has one is not known.
- An argument that is not known or given twice is refused, and so is the command.
- A text, such as a reason, is the rest of the line as typed, code and all. Quotes around the whole of it are taken
  off. Options count before it and after it, but not in the middle; in quotes nothing is an option.
- \`--dry-run\` goes with every command that changes something: it says what would be done.`;

const REPLIES = `## Replies

A comment gets one reply: a sentence for one command, a table with a row for each of several. A refusal names its reason
code, for tools, and what to do next.

An engine shares what its agents do every half minute or so. An answer that goes by it says how old that is, once it is
more than two seconds: "how gh-12 stands, as of 15:11:12 UTC".

What an engine has to act on (\`retry\`, \`nudge\`, \`stop\`, \`drain\`, \`resize\`) is 🚀 at first. When the engine has taken
or refused it, koryph edits that into the reply, with the time. If no engine has taken it within ${TAKEN_WITHIN_MS / 60_000} minutes, the reply
says so; after ${WATCHED_MS / 60_000} minutes it is left as it is. At most ${MOST_WATCHED.repository} replies of a repository wait like this at once; one more is
not edited.`;

const REACTIONS = `## Reactions

| reaction | meaning |
| --- | --- |
| 👀 | seen |
| 🚀 | queued: somebody else, such as a running engine, does it |
| 👍 | done |
| 👎 | refused |
| 😕 | not understood, or too much to read |`;

function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`;
}

function verbSection(verb: (typeof VERB_NAMES)[number]): string {
  return `### ${verb}\n\n${verbHelp(verb)}`;
}

function limits(): string {
  return section(
    "Limits",
    `- ${MOST_COMMANDS} commands in one comment; the others are not read, and the reply says how many.
- ${USER_CAP.most} comments with commands by one person in one repository within ${minutes(USER_CAP)} minutes.
- ${THREAD_CAP.most} comments with commands on one issue or pull request within ${minutes(THREAD_CAP)} minutes;
  above that, ${THREAD_CAP.each} of each person, so that nobody can talk the others out of it.
- What comes above these limits is not carried out. The first such comment of a person, or on a thread, gets a reply
  that says so and from when on commands are read again; later ones within those minutes are not answered at all, not
  even with a reaction.
- Who lacks the permission is told so once, with the role that it takes. More of these by the same person within an hour
  get a 👎 alone, and no words: the first answer says so.`,
  );
}

function minutes({ windowMs }: { readonly windowMs: number }): number {
  return windowMs / 60_000;
}

function codes(): string {
  const rows = Object.entries(PROBLEM_MEANINGS).map(
    ([kind, meaning]) => `| \`${problemCode({ kind: kind as CommandProblem["kind"] })}\` | ${meaning} |`,
  );
  return section(
    "When a command is not understood",
    [
      "The reply names one of these as `reason_code`.",
      "",
      "| code | meaning |",
      "| --- | --- |",
      ...rows,
    ].join("\n"),
  );
}
