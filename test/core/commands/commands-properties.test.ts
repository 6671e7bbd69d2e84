import fc from "fast-check";
import { expect, test } from "vitest";
import type { Command } from "../../../src/core/commands/command.js";
import { readCommands } from "../../../src/core/commands/read-commands.js";
import { VERB_NAMES, VERBS } from "../../../src/core/commands/verbs.js";
import { LONG } from "../../support/long.js";

const numRuns = LONG ? 10_000 : 300;

const PIECES = [
  ..."/koryph,land, ,\n,\r\n,\r,\t,\u00a0,\u200b,\ufeff,`,```,~~~,> ,- ,1. ,# ,===,---,*,_,[,](x),<!--,-->,<details>,</details>,<b>,\\,&#47;,\",',“,”,--dry-run,bead=,=,x".split(
    ",",
  ),
];
const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(""));
const anything = fc.oneof(soup, fc.string({ unit: "binary", maxLength: 200 }), fc.string({ maxLength: 200 }));

const examples = VERB_NAMES.flatMap((verb) => VERBS[verb].examples.map((example) => `/koryph ${example}`));
const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const call = fc.oneof(
  fc.constantFrom(...examples),
  fc.array(word, { maxLength: 5 }).map((words) => ["/koryph", ...words].join(" ")),
);

test("no text makes it throw, and at most five lines are read", () => {
  fc.assert(
    fc.property(anything, (text) => {
      const { lines, left } = readCommands(text);
      expect(lines.length).toBeLessThanOrEqual(5);
      expect(left === 0 || lines.length === 5).toBe(true);
    }),
    { numRuns },
  );
});

test("no text behind the word makes it throw, and there is one answer", () => {
  fc.assert(
    fc.property(fc.constantFrom(...VERB_NAMES), fc.string({ unit: "grapheme" }), (verb, rest) => {
      const line = `/koryph ${verb} ${rest.replace(/[\r\n<`*_[\]\\]/g, "")}`;
      expect(readCommands(line).lines).toHaveLength(1);
    }),
    { numRuns },
  );
});

test("it is the same with either end of line", () => {
  fc.assert(
    fc.property(anything, (text) => {
      const plain = text.replace(/\r\n?/g, "\n");
      expect(readCommands(plain.replaceAll("\n", "\r\n"))).toEqual(readCommands(plain));
    }),
    { numRuns },
  );
});

const prose = fc.constantFrom(
  "",
  "Looks good.\n\n",
  "a *b* c\n\n",
  "> no\n\n",
  "- one\n\ntext\n\n",
  "`x`\n\n",
);

test.each<{ place: string; wrap: (line: string) => string }>([
  { place: "a fence", wrap: (line) => `\`\`\`\n${line}\n\`\`\`` },
  { place: "an open fence", wrap: (line) => `~~~~ text\nlog\n\n${line}` },
  {
    place: "a fence in a longer one",
    wrap: (line) => `\`\`\`\`\n\`\`\`\n${line}\n\`\`\`\n${line}\n\`\`\`\``,
  },
  { place: "indented code", wrap: (line) => `    ${line}` },
  { place: "a quote", wrap: (line) => `> ${line}` },
  { place: "a lazy line of a quote", wrap: (line) => `> text\n${line}` },
  { place: "an HTML comment", wrap: (line) => `<!-- ${line} -->` },
  { place: "an HTML comment over lines", wrap: (line) => `<!--\n\n${line}\n\n-->` },
  { place: "details", wrap: (line) => `<details>\n\n${line}\n\n</details>` },
  { place: "a link", wrap: (line) => `[${line}](https://x.test)` },
  { place: "a link over lines", wrap: (line) => `[see\n${line}\nnow](https://x.test)` },
  { place: "a heading", wrap: (line) => `## ${line}` },
  { place: "an underlined heading", wrap: (line) => `${line}\n---` },
  { place: "a list", wrap: (line) => `- ${line}` },
  { place: "a numbered list", wrap: (line) => `3) ${line}` },
  { place: "a list's second paragraph", wrap: (line) => `- text\n\n  ${line}` },
  { place: "inline code", wrap: (line) => `\`${line}\`` },
  { place: "inline code over lines", wrap: (line) => `\`\`a\n${line}\nb\`\`` },
  { place: "struck text over lines", wrap: (line) => `~~a\n${line}\nb~~` },
  { place: "a table", wrap: (line) => `a | b\n--|--\n${line} | x` },
  { place: "the head of a table", wrap: (line) => `${line} | x\n--|--` },
  { place: "mathematics", wrap: (line) => `$$\n${line}\n$$` },
  { place: "a footnote", wrap: (line) => `[^1]: see\n${line}` },
  { place: "a signature", wrap: (line) => `text\n\n-- \n${line}` },
  { place: "a template", wrap: (line) => `<template>\n\n${line}\n\n</template>` },
  { place: "a tag that does not end", wrap: (line) => `<a href="\n${line}\n` },
  { place: "emphasis over lines", wrap: (line) => `*a\n${line}\nb*` },
])("in $place nothing is a command", ({ wrap }) => {
  fc.assert(
    fc.property(prose, call, (before, line) => {
      expect(readCommands(before + wrap(line))).toEqual({ lines: [], left: 0 });
    }),
    { numRuns: Math.ceil(numRuns / 10) },
  );
});

const bead = fc.option(fc.stringMatching(/^[a-z]{1,3}-[0-9]{1,4}$/));
const sha = fc.option(fc.stringMatching(/^[0-9a-f]{12,40}$/));
const text = fc
  .array(fc.stringMatching(/^[A-Za-z0-9."'=,;-]{1,9}$/), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(" "));
const yes = fc.boolean();
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ verb: fc.constant("help" as const), topic: fc.option(fc.constantFrom(...VERB_NAMES)) }),
  fc.record({ verb: fc.constant("status" as const), bead }),
  fc.record({ verb: fc.constant("why" as const), bead }),
  fc.record({ verb: fc.constant("review" as const), full: yes, dryRun: yes }),
  fc.record({ verb: fc.constant("approve" as const), sha, dryRun: yes }),
  fc.record({
    verb: fc.constant("comment" as const),
    path: fc.stringMatching(/^[a-z]{1,9}(\/[a-z .]{0,5}[a-z]){0,2}$/),
    line: fc.integer({ min: 1, max: 9_999_999 }),
    text,
    dryRun: yes,
  }),
  fc.record({ verb: fc.constant("close" as const), reason: text, dryRun: yes }),
  fc.record({
    verb: fc.constant("land" as const),
    sha,
    method: fc.constantFrom("ff" as const, "squash" as const, null),
    dryRun: yes,
  }),
  fc.record({ verb: fc.constant("hold" as const), bead, reason: text, dryRun: yes }),
  fc.record({ verb: fc.constant("unhold" as const), bead, dryRun: yes }),
  fc.record({ verb: fc.constant("retry" as const), bead, dryRun: yes }),
  fc.record({ verb: fc.constant("nudge" as const), bead, text, dryRun: yes }),
  fc
    .record({
      verb: fc.constant("stop" as const),
      bead,
      run: yes,
      force: yes,
      hold: yes,
      drain: yes,
      dryRun: yes,
    })
    .map((stop) => (stop.bead === null ? stop : { ...stop, run: false })),
  fc.record({ verb: fc.constantFrom("sync" as const, "drain" as const), dryRun: yes }),
  fc.record({
    verb: fc.constant("resize" as const),
    max: fc.option(fc.integer({ min: 1, max: 999_999_999 })),
    force: yes,
    dryRun: yes,
  }),
);

/** The same command as somebody would type it, with options first or last. */
function printed(given: Command, optionsFirst: boolean): string {
  const quoted = (said: string) => `"${said.replace(/["\\]/g, "\\$&")}"`;
  const field = (name: string) =>
    name in given ? (given as unknown as Record<string, unknown>)[name] : undefined;
  const said = field("text") ?? field("reason");
  const words = [
    "path" in given ? quoted(`${given.path}:${given.line}`) : "",
    "max" in given ? `${given.max ?? "clear"}` : "",
    "topic" in given ? (given.topic ?? "") : "",
    field("full") === true ? "full" : "",
  ];
  const options = [
    ...["bead", "sha", "method"].map((name) =>
      typeof field(name) === "string" ? `${name}=${field(name)}` : "",
    ),
    ...["run", "force", "hold", "drain"].map((name) => (field(name) === true ? `--${name}` : "")),
    field("dryRun") === true ? "--dry-run" : "",
  ];
  const rest = typeof said === "string" ? [quoted(said)] : [];
  const parts = optionsFirst ? [...options, ...words, ...rest] : [...words, ...rest, ...options];
  return ["/koryph", given.verb, ...parts].filter((part) => part !== "").join(" ");
}

test("a command that is typed out again reads the same", () => {
  fc.assert(
    fc.property(command, yes, (given, optionsFirst) => {
      const [line] = readCommands(printed(given, optionsFirst)).lines;
      expect(line).toMatchObject({ kind: "command", command: given });
    }),
    { numRuns },
  );
});

test("behind a long log in a fence nothing is a command that would not be one otherwise", () => {
  const fence = (inside: string) => `~~~~~~~\n${inside}\n~~~~~~~\n\n`;
  const log = fence("[_ ".repeat(1_001));
  const calls = fc.array(fc.oneof(soup, fc.constant("\n/koryph status\n")), { maxLength: 8 });
  fc.assert(
    fc.property(calls, (pieces) => {
      const body = pieces.join("");
      const count = ({ lines, left }: ReturnType<typeof readCommands>) => lines.length + left;
      expect(count(readCommands(log + body))).toBeLessThanOrEqual(count(readCommands(fence("x") + body)));
    }),
    { numRuns: Math.ceil(numRuns / 10) },
  );
});
