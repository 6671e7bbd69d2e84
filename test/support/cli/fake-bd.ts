import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { vi } from "vitest";
import { tempFolder } from "../temp-folder.js";

/** Ways in which versions of bd differ, and faults of theirs that were seen. */
export interface BdManner {
  /** Ends with 0 although it refused. */
  readonly refusesQuietly?: boolean;
  /** Does what it was asked and then ends with 1. */
  readonly failsAfterwards?: boolean;
  /** Fails every write and changes nothing. */
  readonly broken?: boolean;
  /** Says yes and changes nothing. */
  readonly idle?: boolean;
  /** Never answers a write. */
  readonly hangs?: boolean;
}

export interface FakeBd {
  readonly folder: string;
  beads(): Record<string, unknown>[];
  /** The arguments of every call. */
  calls(): string[][];
  /** The arguments of every call that writes. */
  writes(): string[][];
}

/**
 * A bd that keeps its beads in a file and knows the options the real one documents for the commands used
 * here: any other option, or a bead named before `--`, is an error. Put first on the path.
 */
export function fakeBd(beads: readonly object[], manner: BdManner = {}): FakeBd {
  const folder = tempFolder();
  const state = join(folder, "state.json");
  const calls = join(folder, "calls.jsonl");
  writeFileSync(state, JSON.stringify(beads));
  writeFileSync(calls, "");
  const program = join(folder, "bd");
  const settings = JSON.stringify({ state, calls, manner });
  writeFileSync(program, `#!${process.execPath}\nconst { state, calls, manner } = ${settings};\n${BD}`);
  chmodSync(program, 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  const called = () =>
    readFileSync(calls, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as string[]);
  return {
    folder,
    calls: called,
    beads: () => JSON.parse(readFileSync(state, "utf8")) as Record<string, unknown>[],
    writes: () => called().filter(([verb, more]) => verb === "update" || verb === "close" || more === "add"),
  };
}

const BD = String.raw`
const fs = require("node:fs");
const argv = process.argv.slice(2);
const die = (code, text) => { process.stderr.write(text + "\n"); process.exit(code); };
const say = (value) => process.stdout.write(JSON.stringify(value) + "\n");

const end = argv.indexOf("--");
const before = end < 0 ? argv : argv.slice(0, end);
const names = end < 0 ? [] : argv.slice(end + 1);
const verb = before[0] === "comments" && before[1] === "add" ? "comments add" : before[0];
const KNOWN = {
  list: ["all", "json", "limit", "id"],
  ready: ["json", "limit", "parent"],
  update: ["claim", "status", "assignee", "actor", "json"],
  close: ["reason", "actor", "json"],
  comments: ["json"],
  "comments add": ["author", "file", "json"],
};
const options = {};
for (let at = verb.split(" ").length; at < before.length; at += 1) {
  const word = /^--([a-z-]+)(?:=([\s\S]*))?$/.exec(before[at]);
  if (!word || !KNOWN[verb]?.includes(word[1])) die(1, "Error: unknown argument: " + before[at]);
  options[word[1]] = word[2] ?? (word[1] === "limit" ? before[++at] : true);
}

fs.appendFileSync(calls, JSON.stringify(argv) + "\n");
const beads = JSON.parse(fs.readFileSync(state, "utf8"));
if (verb === "ready") {
  const closed = (edge) => beads.find(({ id }) => id === edge.depends_on_id)?.status === "closed";
  say(beads.filter((bead) => (bead.status ?? "open") === "open" && (bead.dependencies ?? []).every(closed)));
  process.exit(0);
}
if (verb === "list") {
  say(options.id ? beads.filter((bead) => options.id.split(",").includes(bead.id)) : beads);
  process.exit(0);
}
// The real one takes an abbreviation for the one bead it fits.
const bead = beads.find((each) => each.id === names[0]) ?? beads.find((each) => each.id.startsWith(names[0]));
if (names.length !== 1 || !bead) die(1, "Error: no issue found matching " + JSON.stringify(names[0]));
if (verb === "comments") {
  say(bead.comments ?? null);
  process.exit(0);
}

if (manner.hangs) { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }
if (manner.broken) die(1, "Error: database is locked");
if (manner.idle) { say([bead]); process.exit(0); }
const refuse = (text) => die(manner.refusesQuietly ? 0 : 1, text);
const actor = options.actor ?? "somebody";
if (verb === "update" && options.claim) {
  if (bead.assignee && bead.assignee !== actor) refuse("Error claiming " + bead.id + ": already claimed by " + bead.assignee);
  if (bead.status !== "open") refuse("Error: not claimable: status " + bead.status);
  Object.assign(bead, { status: "in_progress", assignee: actor });
} else if (verb === "update") {
  if (bead.assignee && bead.assignee !== actor) refuse("cannot reassign " + bead.id + ": held by " + bead.assignee);
  if (options.status !== undefined) bead.status = options.status;
  if (options.assignee !== undefined) bead.assignee = options.assignee;
} else if (verb === "close") {
  if (bead.assignee && bead.assignee !== actor) refuse("cannot close " + bead.id + ": assignee is " + bead.assignee + ", actor is " + actor);
  if (bead.blocked) refuse("cannot close " + bead.id + ": blocked by open issues");
  if (bead.status !== "closed") Object.assign(bead, { status: "closed", close_reason: options.reason || "Closed" });
} else if (verb === "comments add") {
  bead.comments = [...(bead.comments ?? []), { author: options.author, text: fs.readFileSync(options.file, "utf8") }];
}
fs.writeFileSync(state, JSON.stringify(beads));
if (manner.failsAfterwards) die(1, "Error: failed to commit");
say([bead]);
`;
