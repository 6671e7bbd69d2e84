import { expect, test } from "vitest";
import type { Command, CommandProblem } from "../../../src/core/commands/command.js";
import { MOST_COMMANDS, readCommands } from "../../../src/core/commands/read-commands.js";
import { verbsUsed } from "../../../src/core/commands/verbs-used.js";
import { splitFirstWord } from "../../../src/core/commands/words.js";

function readOne(call: string): Command | CommandProblem | undefined {
  const [line] = readCommands(`/koryph ${call}`).lines;
  return line?.kind === "command" ? line.command : line?.problem;
}

const SHA = "1a2b3c4d5e6f";
const dryRun = false;
const stop = { verb: "stop", run: false, force: false, hold: false, drain: false, dryRun } as const;

test.each<{ call: string; command: Command }>([
  { call: "help", command: { verb: "help", topic: null } },
  { call: "help LAND", command: { verb: "help", topic: "land" } },
  { call: "status", command: { verb: "status", bead: null } },
  { call: "status gh-12", command: { verb: "status", bead: "gh-12" } },
  { call: "why bead=gh-12", command: { verb: "why", bead: "gh-12" } },
  { call: "why --bead gh-12", command: { verb: "why", bead: "gh-12" } },
  { call: "why --bead=gh-12", command: { verb: "why", bead: "gh-12" } },
  { call: 'why bead="gh-12"', command: { verb: "why", bead: "gh-12" } },
  { call: "why “gh-12”", command: { verb: "why", bead: "gh-12" } },
  { call: "link", command: { verb: "link" } },
  { call: "unlink", command: { verb: "unlink" } },
  { call: "review", command: { verb: "review", full: false, dryRun } },
  { call: "review Full", command: { verb: "review", full: true, dryRun } },
  { call: "approve", command: { verb: "approve", sha: null, dryRun } },
  { call: `approve ${SHA.toUpperCase()}`, command: { verb: "approve", sha: SHA, dryRun } },
  { call: `approve sha=${SHA}`, command: { verb: "approve", sha: SHA, dryRun } },
  { call: `approve ${"a".repeat(40)}`, command: { verb: "approve", sha: "a".repeat(40), dryRun } },
  {
    call: "comment src/a.ts:42 this `never` closes",
    command: { verb: "comment", path: "src/a.ts", line: 42, text: "this `never` closes", dryRun },
  },
  {
    call: 'comment "my file.ts:1" hm',
    command: { verb: "comment", path: "my file.ts", line: 1, text: "hm", dryRun },
  },
  { call: "comment ./a:b:3 hm", command: { verb: "comment", path: "a:b", line: 3, text: "hm", dryRun } },
  { call: "close", command: { verb: "close", reason: "", dryRun } },
  { call: "close superseded by #31", command: { verb: "close", reason: "superseded by #31", dryRun } },
  { call: "land", command: { verb: "land", sha: null, method: null, dryRun } },
  { call: `land ${SHA} --method squash`, command: { verb: "land", sha: SHA, method: "squash", dryRun } },
  { call: "land method=ff --dry-run", command: { verb: "land", sha: null, method: "ff", dryRun: true } },
  { call: "land --cancel", command: { verb: "land", sha: null, method: null, cancel: true, dryRun } },
  { call: "land —dry-run", command: { verb: "land", sha: null, method: null, dryRun: true } },
  { call: "land --DRY-RUN", command: { verb: "land", sha: null, method: null, dryRun: true } },
  { call: "hold", command: { verb: "hold", bead: null, reason: "", dryRun } },
  {
    call: "hold bead=gh-1 it's early",
    command: { verb: "hold", bead: "gh-1", reason: "it's early", dryRun },
  },
  { call: "hold too early bead=gh-1", command: { verb: "hold", bead: "gh-1", reason: "too early", dryRun } },
  {
    call: "hold too early --bead gh-1",
    command: { verb: "hold", bead: "gh-1", reason: "too early", dryRun },
  },
  {
    call: "hold too early --dry-run",
    command: { verb: "hold", bead: null, reason: "too early", dryRun: true },
  },
  { call: "unhold gh-1", command: { verb: "unhold", bead: "gh-1", dryRun } },
  { call: "sync", command: { verb: "sync", dryRun } },
  { call: "retry gh-1 --dry-run", command: { verb: "retry", bead: "gh-1", dryRun: true } },
  { call: "retry --all", command: { verb: "retry", bead: null, all: { reason: null }, dryRun } },
  {
    call: 'retry --all reason="gate failed"',
    command: { verb: "retry", bead: null, all: { reason: "gate failed" }, dryRun },
  },
  { call: 'nudge "use it"', command: { verb: "nudge", bead: null, text: "use it", dryRun } },
  { call: "nudge ‘use it’", command: { verb: "nudge", bead: null, text: "use it", dryRun } },
  {
    call: String.raw`nudge "say \"a\\b\""`,
    command: { verb: "nudge", bead: null, text: String.raw`say "a\b"`, dryRun },
  },
  { call: 'nudge "a" and "b"', command: { verb: "nudge", bead: null, text: '"a" and "b"', dryRun } },
  { call: "nudge 'tis fine", command: { verb: "nudge", bead: null, text: "'tis fine", dryRun } },
  { call: "nudge a  b\u00a0c", command: { verb: "nudge", bead: null, text: "a  b\u00a0c", dryRun } },
  { call: 'nudge gh-12 "use it"', command: { verb: "nudge", bead: null, text: 'gh-12 "use it"', dryRun } },
  {
    call: "nudge run --dry-run twice",
    command: { verb: "nudge", bead: null, text: "run --dry-run twice", dryRun },
  },
  {
    call: "nudge run it with --verbose",
    command: { verb: "nudge", bead: null, text: "run it with --verbose", dryRun },
  },
  {
    call: 'nudge "run it with --dry-run"',
    command: { verb: "nudge", bead: null, text: "run it with --dry-run", dryRun },
  },
  { call: "nudge x=1 is wrong", command: { verb: "nudge", bead: null, text: "x=1 is wrong", dryRun } },
  { call: "stop", command: { ...stop, bead: null } },
  { call: "stop gh-1 --force", command: { ...stop, bead: "gh-1", force: true } },
  { call: "stop --run", command: { ...stop, bead: null, run: true } },
  { call: "stop gh-1 --hold", command: { ...stop, bead: "gh-1", hold: true } },
  { call: "stop --run --drain", command: { ...stop, bead: null, run: true, drain: true } },
  { call: "drain", command: { verb: "drain", dryRun } },
  { call: "resize 3", command: { verb: "resize", max: 3, force: false, dryRun } },
  { call: "resize max=3 --force", command: { verb: "resize", max: 3, force: true, dryRun } },
  { call: "resize --max 3", command: { verb: "resize", max: 3, force: false, dryRun } },
  { call: "resize clear", command: { verb: "resize", max: null, force: false, dryRun } },
])("$call", ({ call, command }) => expect(readOne(call)).toEqual(command));

test.each<{ call: string; problem: Partial<CommandProblem> }>([
  { call: "", problem: { kind: "no-verb" } },
  { call: "drian", problem: { kind: "unknown-verb", found: "drian", nearest: "drain" } },
  // A verb that cannot be used yet is not suggested, and no farther one in its place.
  { call: "lnad", problem: { kind: "unknown-verb", found: "lnad", nearest: "land" } },
  { call: "merge", problem: { kind: "unknown-verb", nearest: "land" } },
  { call: "cancel", problem: { kind: "unknown-verb", nearest: "stop" } },
  { call: "continue", problem: { kind: "unknown-verb", nearest: "retry" } },
  { call: "resume", problem: { kind: "unknown-verb", nearest: "retry" } },
  { call: "pause", problem: { kind: "unknown-verb", nearest: "hold" } },
  { call: "LGTM", problem: { kind: "unknown-verb", nearest: "approve" } },
  { call: "constructor", problem: { kind: "unknown-verb", nearest: null } },
  { call: "__proto__", problem: { kind: "unknown-verb", nearest: null } },
  { call: "lin\u212a", problem: { kind: "unknown-verb" } },
  { call: '"nudge" x', problem: { kind: "unknown-verb" } },
  { call: "help drian", problem: { kind: "unknown-verb", nearest: "drain" } },
  { call: "status a b", problem: { kind: "unknown-argument", found: "b", nearest: null } },
  { call: "status --dry-run", problem: { kind: "unknown-argument", found: "--dry-run" } },
  { call: "drain --dryrun", problem: { kind: "unknown-argument", nearest: "--dry-run" } },
  { call: "drain dry-run", problem: { kind: "unknown-argument", nearest: "--dry-run" } },
  { call: "drain -n", problem: { kind: "unknown-argument", found: "-n" } },
  { call: "stop all", problem: { kind: "unknown-argument", found: "all", nearest: "--run" } },
  { call: "stop --all", problem: { kind: "unknown-argument", found: "--all", nearest: "--run" } },
  { call: "why baed=gh-1", problem: { kind: "unknown-argument", nearest: "bead=" } },
  { call: "hold --foo", problem: { kind: "unknown-argument", found: "--foo" } },
  { call: "hold too early --dryrun", problem: { kind: "unknown-argument", nearest: "--dry-run" } },
  { call: `approve ${SHA} sha=${SHA}`, problem: { kind: "repeated-argument", found: `sha=${SHA}` } },
  { call: "drain --dry-run --dry-run", problem: { kind: "repeated-argument" } },
  { call: "hold bead=a x bead=b", problem: { kind: "repeated-argument" } },
  { call: "nudge", problem: { kind: "missing-argument", needed: "<text…>" } },
  { call: 'nudge ""', problem: { kind: "missing-argument" } },
  { call: "nudge --dry-run", problem: { kind: "missing-argument" } },
  { call: "comment a.ts:1", problem: { kind: "missing-argument", needed: "<text…>" } },
  { call: "comment", problem: { kind: "missing-argument", needed: "<path>:<line>" } },
  { call: "resize", problem: { kind: "missing-argument" } },
  { call: "land --method", problem: { kind: "missing-argument" } },
  { call: "hold too early --bead", problem: { kind: "missing-argument" } },
  { call: "approve 1a2b3c4d5e6", problem: { kind: "bad-argument", found: "1a2b3c4d5e6" } },
  { call: `approve ${"a".repeat(41)}`, problem: { kind: "bad-argument" } },
  { call: "land --method rebase", problem: { kind: "bad-argument", needed: "ff or squash" } },
  { call: "review all", problem: { kind: "bad-argument" } },
  { call: "status #12", problem: { kind: "bad-argument", found: "#12" } },
  { call: "status ../x", problem: { kind: "bad-argument" } },
  { call: "status bead=", problem: { kind: "bad-argument" } },
  { call: "comment a.ts:0 x", problem: { kind: "bad-argument" } },
  { call: "comment ../a.ts:1 x", problem: { kind: "bad-argument" } },
  { call: "comment /etc/passwd:1 x", problem: { kind: "bad-argument" } },
  { call: "resize 0", problem: { kind: "bad-argument" } },
  { call: "resize 1.5", problem: { kind: "bad-argument" } },
  { call: "drain --dry-run=yes", problem: { kind: "bad-argument" } },
  { call: "stop gh-1 --run", problem: { kind: "bad-argument", found: "gh-1" } },
  { call: 'status "gh-1', problem: { kind: "open-quote" } },
  { call: 'nudge "use it', problem: { kind: "open-quote" } },
  { call: 'hold bead="gh-1 too early', problem: { kind: "open-quote" } },
])("$call is wrong", ({ call, problem }) => expect(readOne(call)).toMatchObject(problem));

test.each([
  { count: MOST_COMMANDS, read: MOST_COMMANDS, left: 0 },
  { count: MOST_COMMANDS + 1, read: MOST_COMMANDS, left: 1 },
  { count: 200, read: MOST_COMMANDS, left: 200 - MOST_COMMANDS },
])("of $count commands $left are left", ({ count, read, left }) => {
  const reading = readCommands("/koryph status\n".repeat(count));
  expect({ read: reading.lines.length, left: reading.left }).toEqual({ read, left });
});

test("a line is shown as typed, plain and not too long", () => {
  const [line] = readCommands(`/koryph nudge \u001b[31m${"x".repeat(500)}`).lines;
  expect(line?.text).toMatch(/^\/koryph nudge \ufffd\[31mx+…$/);
  expect(line?.text.length).toBeLessThanOrEqual(120);
});

test.each([
  { text: 'gh-12 "use it"', word: "gh-12", rest: "use it" },
  { text: "gh-12 use it", word: "gh-12", rest: "use it" },
  { text: 'gh-12 "use it', word: "gh-12", rest: '"use it' },
])("$text begins with a word", ({ text, word, rest }) => {
  expect(splitFirstWord(text)).toEqual({ word, rest });
});

test.each(["", "gh-12", '"gh-12 use it"', '"open'])("%j has no first word to split off", (text) => {
  expect(splitFirstWord(text)).toBeNull();
});

test.each([
  { given: { ...stop, bead: null }, verbs: ["stop"] },
  { given: { ...stop, bead: null, hold: true }, verbs: ["stop", "hold"] },
  { given: { ...stop, bead: null, drain: true }, verbs: ["stop", "drain"] },
  { given: { verb: "drain" as const, dryRun }, verbs: ["drain"] },
])("who gives $given needs the right to $verbs", ({ given, verbs }) => {
  expect(verbsUsed(given)).toEqual(verbs);
});
