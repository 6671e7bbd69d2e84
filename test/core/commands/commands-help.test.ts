import { describe, expect, test } from "vitest";
import type { CommandProblem, Verb } from "../../../src/core/commands/command.js";
import { readCommands } from "../../../src/core/commands/read-commands.js";
import { usageOf } from "../../../src/core/commands/usage.js";
import { OTHER_WORDS, VERB_NAMES, VERBS } from "../../../src/core/commands/verbs.js";
import { helpText } from "../../../src/core/replies/commands/command-help.js";
import { problemCode, problemText } from "../../../src/core/replies/commands/commands.js";

describe("the table", () => {
  test.each<{ role: string; verbs: Verb[] }>([
    { role: "read", verbs: ["help", "status", "why", "link", "unlink"] },
    { role: "triage", verbs: ["review", "comment", "sync", "retry", "nudge"] },
    { role: "write", verbs: ["approve", "close", "land", "hold", "unhold"] },
    { role: "maintain", verbs: ["stop", "drain", "resize"] },
  ])("$role may use $verbs", ({ role, verbs }) => {
    expect(VERB_NAMES.filter((verb) => VERBS[verb].needs === role)).toEqual(verbs);
  });

  test.each(VERB_NAMES.flatMap((verb) => VERBS[verb].examples.map((example) => ({ verb, example }))))(
    "the example $example is right",
    ({ verb, example }) => {
      const { lines } = readCommands(`/koryph ${example}`);
      expect(lines).toMatchObject([{ kind: "command", command: { verb } }]);
    },
  );

  test.each(VERB_NAMES)("%s takes --dry-run exactly when it changes something", (verb) => {
    const [example = ""] = VERBS[verb].examples;
    const { lines } = readCommands(`/koryph ${example} --dry-run`);
    expect(lines[0]?.kind).toBe(VERBS[verb].mutating ? "command" : "wrong");
    expect(usageOf(verb).includes("[--dry-run]")).toBe(VERBS[verb].mutating);
  });

  test("no other word is a command", () => {
    expect(Object.keys(OTHER_WORDS).filter((word) => VERB_NAMES.some((verb) => verb === word))).toEqual([]);
  });
});

test.each<{ verb: Verb; usage: string }>([
  { verb: "help", usage: "/koryph help [<verb>]" },
  { verb: "review", usage: "/koryph review [full] [--dry-run]" },
  { verb: "comment", usage: "/koryph comment <path>:<line> <text…> [--dry-run]" },
  { verb: "land", usage: "/koryph land [<sha>] [--method ff|squash] [--cancel] [--dry-run]" },
  { verb: "hold", usage: "/koryph hold [<reason…>] [bead=<id>] [--dry-run]" },
  { verb: "stop", usage: "/koryph stop [<bead>] [--run] [--hold] [--drain] [--force] [--dry-run]" },
  { verb: "resize", usage: "/koryph resize <n>|clear [--force] [--dry-run]" },
])("$verb is used as $usage", ({ verb, usage }) => expect(usageOf(verb)).toBe(usage));

describe("help", () => {
  test("has a row for every command with who may use it", () => {
    const rows = helpText(null).split("\n").slice(2);
    expect(rows).toHaveLength(VERB_NAMES.length);
    for (const [index, verb] of VERB_NAMES.entries()) {
      expect(rows[index]).toContain(`koryph ${verb}`);
      expect(rows[index]).toMatch(new RegExp(`\\| ${VERBS[verb].needs} \\|$`));
    }
  });

  test("keeps three cells to a row, whatever the usage holds", () => {
    for (const row of helpText(null).split("\n")) expect(row.match(/(?<!\\)\|/g)).toHaveLength(4);
  });

  test("on one command shows what it takes and examples that are commands", () => {
    expect(helpText("resize")).toMatchInlineSnapshot(`
      "\`/koryph resize <n>|clear [--force] [--dry-run]\`

      Change how many agents may work at once in the run that is under way. It takes the maintain role.

      | argument | meaning |
      | --- | --- |
      | \`<n>\\|clear\` | the new width; clear goes back to what the run was started with |
      | \`[--force]\` | also above max_concurrent_slots |
      | \`[--dry-run]\` | say what would be done, and do nothing |

      \`\`\`
      /koryph resize 3
      /koryph resize max=3
      /koryph resize clear
      \`\`\`"
    `);
  });

  test("never holds a command that would count if it were sent back", () => {
    for (const topic of [null, ...VERB_NAMES]) expect(readCommands(helpText(topic)).lines).toEqual([]);
  });
});

test.each<{ problem: CommandProblem; code: string; text: string }>([
  {
    problem: { kind: "no-verb" },
    code: "no_verb",
    text: "a command has to follow `/koryph`; `/koryph help` lists them",
  },
  {
    problem: { kind: "unknown-verb", found: "cancel", nearest: "stop" },
    code: "unknown_verb",
    text: "there is no command `cancel` (did you mean `/koryph stop`?); `/koryph help` lists them",
  },
  {
    problem: { kind: "unknown-verb", found: "xyz", nearest: null },
    code: "unknown_verb",
    text: "there is no command `xyz`; `/koryph help` lists them",
  },
  {
    problem: { kind: "unknown-argument", verb: "drain", found: "--dryrun", nearest: "--dry-run" },
    code: "unknown_argument",
    text: "`drain` takes no `--dryrun` (did you mean `--dry-run`?); it is used as `/koryph drain [--dry-run]`",
  },
  {
    problem: { kind: "repeated-argument", verb: "why", found: "bead=a" },
    code: "repeated_argument",
    text: "`bead=a` is given a second time; it is used as `/koryph why [<bead>]`",
  },
  {
    problem: { kind: "missing-argument", verb: "nudge", needed: "<text…>" },
    code: "missing_argument",
    text: "`nudge` needs `<text…>`; it is used as `/koryph nudge <text…> [bead=<id>] [--dry-run]`",
  },
  {
    problem: { kind: "bad-argument", verb: "why", found: "#12", needed: "the id of a bead" },
    code: "bad_argument",
    text: "found `#12`, needed is the id of a bead; it is used as `/koryph why [<bead>]`",
  },
  {
    problem: { kind: "open-quote", verb: "why" },
    code: "open_quote",
    text: "a quotation does not end on its line, so close it or leave the quotes out; it is used as `/koryph why [<bead>]`",
  },
])("$code: $text", ({ problem, code, text }) => {
  expect(problemCode(problem)).toBe(code);
  expect(unescaped(problemText(problem))).toBe(text);
});

test("what was found cannot mark up, mention or leave its table cell", () => {
  const text = problemText({ kind: "unknown-verb", found: "@all|<img src=x>`**", nearest: null });
  expect(text.replace(/<\/?code>/g, "")).not.toMatch(/[@|<>`*]/);
});

/** As GitHub shows it. */
function unescaped(markdown: string): string {
  return markdown
    .replace(/<\/?code>/g, "`")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
