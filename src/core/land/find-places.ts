import { cutText } from "../../lib/cut-text.js";
import { cleanPath } from "../../lib/paths/clean-path.js";
import { plainText } from "../../lib/plain-text.js";

/** A place in the code that a tool complained about. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface PlaceFacts {
  /** Where the checkout was, in all its spellings: what tools print below one of them is taken as relative. */
  readonly roots?: readonly string[];
  /** The repository's files. Other paths are then dropped, unless they are the end of exactly one of these. */
  readonly knownFiles?: ReadonlySet<string>;
}

const MOST_PLACES = 20;
const LONGEST_MESSAGE = 300;
/** A longer line is a bundle or a dump; its end says nothing about a place. */
const LONGEST_LINE = 1_000;

/** Where a shape's message is: in its own line, in the complaint above or below it, or in the very next line. */
type MessageAt = "own" | "above" | "below" | "next";

/**
 * First match wins, on the trimmed line. Groups: file, line, own message. Every repetition is bounded or
 * cannot overlap its neighbour, so that no line takes longer than its length.
 */
const SHAPES: readonly (readonly [RegExp, MessageAt])[] = [
  // tsc, msbuild: a.ts(1,2): error TS1: …
  [/^(.{1,400}?)\((\d{1,7})(?:,\d{1,7}){0,3}\): +((?:fatal )?(?:error|warning)\b.*)$/, "own"],
  // rustc:  --> src/main.rs:2:5
  [/^--> ([^:]{1,400}):(\d{1,7}):\d{1,7}$/, "above"],
  // Rust tests: thread 'x' panicked at src/lib.rs:2:5:
  [/^thread .{1,300} panicked at ([^\s:]{1,400}):(\d{1,7}):\d{1,7}:$/, "next"],
  // Python: File "a.py", line 3, in f
  [/^File "([^"]{1,400})", line (\d{1,7})/, "below"],
  // node --test: location: '/a/b.js:3:1'
  [/^location: '([^']{1,400}):(\d{1,7}):\d{1,7}'$/, "below"],
  [/^test at ([^:]{1,400}):(\d{1,7}):\d{1,7}$/, "below"],
  // Stacks of Node and what runs on it; vitest's begin with another sign.
  [/^(?:at|❯) (?:.{0,300} )?\(?(?:file:\/\/)?([^\s():]{1,400}):(\d{1,7}):\d{1,7}\)?$/, "above"],
  // The rest of the world: a.c:1:2: …, a.py:1: …, a.ts:1:2 - …, a.ts:1:2 lint/x
  [/^(?:(?:error|warning): )?([^\s:()'"]{1,400}):(\d{1,7})(?::\d{1,7})?(?::| -|(?= )|$) *(.*)$/, "own"],
];

/** eslint names a file once, and the places in it below: `  1:2  error  …  rule`. */
const BELOW_ITS_FILE = /^(\d{1,7}):\d{1,7} +((?:error|warning) .*)$/;

const COMPLAINT =
  /^(?:Uncaught )?(?:[A-Za-z_$][\w$.]{0,100}?(?:Error|Exception)\b(?: \[\w{1,60}\])?(?:: |$)|[Ee]rror(?:\[\w{1,20}\])?: |panic: )/;
/** pytest begins what it found wrong with an E; the first of several such lines says it. */
const PYTEST = /^E {3,}(\S.*)$/;
const BARE_NAME = /^(?:\w{0,100}(?:Error|Exception|Failed)|\+0x[0-9a-f]{1,16})?$/;

/** Best first, each file and line once; empty when no tool that is known here printed any. */
export function findPlaces(output: string, facts: PlaceFacts = {}): Place[] {
  const resolve = pathsOf(facts.knownFiles);
  const found = new FoundPlaces();
  let heading: string | null = null;
  let inPytest = false;
  for (const raw of withoutRoots(withoutEscapes(output), facts.roots ?? []).split("\n")) {
    if (raw.length > LONGEST_LINE) continue;
    const line = raw.trim();
    found.nextLine(line);
    const said = PYTEST.exec(line)?.[1];
    if (said !== undefined ? !inPytest : COMPLAINT.test(line)) found.complain(said ?? line);
    inPytest = said !== undefined;

    const [, row, message] = BELOW_ITS_FILE.exec(line) ?? [];
    if (heading !== null && row !== undefined) {
      found.add(heading, row, "own", message);
      continue;
    }
    const shown = shapeOf(line);
    const file = shown && resolve(shown.file);
    if (file) found.add(file, shown.row, shown.at, shown.message);
    if (raw !== "" && !/^\s/.test(raw)) heading = shown === null && raw.length <= 400 ? resolve(line) : null;
  }
  return found.best();
}

/** The text without what colours it and moves the cursor. A line that was written over counts as lines. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, "").replace(/\r\n?/g, "\n");
}

const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

function shapeOf(line: string) {
  for (const [pattern, at] of SHAPES) {
    const [, file, row = "", message] = pattern.exec(line) ?? [];
    if (file !== undefined) return { file, row, at, message };
  }
  return null;
}

interface Finding {
  readonly file: string;
  readonly line: number;
  message: string;
  rank: number;
}

class FoundPlaces {
  readonly #byKey = new Map<string, Finding>();
  #complaint = { text: "", isUsed: true };
  /** Whose message is still to come. */
  readonly #waiting: Record<"below" | "next", Finding[]> = { below: [], next: [] };

  nextLine(line: string): void {
    if (line !== "") this.#fill("next", line);
  }

  complain(text: string): void {
    this.#complaint = { text, isUsed: false };
    this.#fill("below", text);
  }

  add(file: string, row: string, at: MessageAt, own = ""): void {
    const line = Number(row);
    if (line < 1) return;
    const borrows = at === "above" || (at === "own" && BARE_NAME.test(own));
    const message = borrows && this.#complaint.text !== "" ? this.#complaint.text : own;
    // The first frame after a complaint is where to look; warnings turn no gate red.
    const rank = /^warning\b/.test(own) ? 2 : at === "below" || (borrows && this.#complaint.isUsed) ? 1 : 0;
    if (borrows) this.#complaint.isUsed = true;
    const key = `${line} ${file}`;
    const known = this.#byKey.get(key);
    if (known === undefined) {
      const finding: Finding = { file, line, message, rank };
      this.#byKey.set(key, finding);
      if (at === "below" || at === "next") this.#waiting[at].push(finding);
    } else if (known.message === "") {
      Object.assign(known, { message, rank: Math.min(rank, known.rank) });
    }
  }

  best(): Place[] {
    return [...this.#byKey.values()]
      .sort((a, b) => a.rank - b.rank)
      .slice(0, MOST_PLACES)
      .map(({ file, line, message }) => ({
        file,
        line,
        message: cutText(plainText(message), LONGEST_MESSAGE),
      }));
  }

  #fill(at: "below" | "next", message: string): void {
    for (const finding of this.#waiting[at].splice(0)) finding.message = message;
  }
}

function withoutRoots(text: string, roots: readonly string[]): string {
  const spellings = roots
    .filter((root) => root.length > 1)
    .flatMap((root) => [`file://${encodeURI(root)}/`, `file://${root}/`, `${root}/`]);
  return spellings
    .sort((a, b) => b.length - a.length)
    .reduce((rest, root) => rest.replaceAll(root, ""), text);
}

/** Among so many files of one name the end of a path tells little, and looking at all for each line takes long. */
const MOST_NAMESAKES = 50;
const FILE_NAME = /\.[A-Za-z]\w{0,9}$|^(?:Makefile|Dockerfile|Justfile|Rakefile|Gemfile)$/;
/** Not the project's own code, or not a path as git writes them. */
const ELSEWHERE = /^[/~]|[\\\u0000-\u001f]|^[A-Za-z][A-Za-z0-9+.-]*:|(?:^|\/)(?:node_modules|\.venv|\.git)\//;

/** Null for what is outside the repository or no file of it. */
function pathsOf(known: ReadonlySet<string> | undefined): (path: string) => string | null {
  let byName: ReadonlyMap<string, readonly string[]> | null = null;
  return (path) => {
    const segments = ELSEWHERE.test(path) ? null : cleanPath(path);
    if (segments === null) return null;
    const clean = segments.join("/");
    const name = nameOf(clean);
    if (known === undefined) return FILE_NAME.test(name) ? clean : null;
    if (known.has(clean)) return clean;
    // go test names files without their folder.
    byName ??= groupedByName(known);
    const named = byName.get(name) ?? [];
    const endings = named.length > MOST_NAMESAKES ? [] : named.filter((file) => file.endsWith(`/${clean}`));
    return endings.length === 1 ? (endings[0] ?? null) : null;
  };
}

function groupedByName(files: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const name = nameOf(file);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [file]);
    else group.push(file);
  }
  return groups;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
