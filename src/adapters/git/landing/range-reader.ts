import { COMMIT_LINE, type FoundSecret, MESSAGE_INDENT, SecretScan } from "../../../core/land/secret-scan.js";
import type { RangeCommit } from "../../../ports/repo.js";
import { changeIn, commitIn, MOST_COMMITS, type PathChange, type RangeLog } from "./range-log.js";

/** More text than anybody reads. Binary files are not in it. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** What stands in one line is looked at in pieces from there on, each with the end of the one before. */
const LONGEST_LINE = 1024 * 1024;
const OVERLAP = 1024;

/** The mode of a path that a commit takes away. */
const GONE = "000000";

/** Names, two addresses and the subject; who made it and the message come behind. */
const HEADER_LINES = 4;

/**
 * Takes `git log -z --raw --patch` apart, whose records are `<mark>header<mark>`, the changed paths and the patch. Only
 * the mark ends a patch, and only what comes before the patch is believed to be a path.
 */
export class RangeReader {
  readonly #mark: string;
  readonly #scan = new SecretScan();
  readonly #commits: RangeCommit[] = [];
  readonly #changes: PathChange[] = [];
  #state: "header" | "paths" | "patch" = "patch";
  #rest = "";
  #length = 0;

  constructor(mark: string) {
    this.#mark = mark;
  }

  read(piece: string): void {
    this.#length += piece.length;
    this.#rest += piece;
    while (this.#step());
  }

  /** There is more than is looked through: the rest need not be read. */
  get isTooMuch(): boolean {
    return this.#length > MOST_CHARACTERS;
  }

  /** Without a log where there are too many commits. */
  end(): {
    readonly log: RangeLog | null;
    readonly secrets: readonly FoundSecret[];
    readonly bidi: readonly string[];
  } {
    for (const line of this.#rest.split("\n")) this.#scan.read(line);
    const isHeld = this.#commits.length <= MOST_COMMITS;
    return {
      log: isHeld ? { commits: this.#commits, changes: this.#changes } : null,
      secrets: this.#scan.found,
      bidi: this.#scan.reordered,
    };
  }

  /** False when more has to be read first. */
  #step(): boolean {
    switch (this.#state) {
      case "header":
        return this.#header();
      case "paths":
        return this.#paths();
      case "patch":
        return this.#patch();
    }
  }

  #header(): boolean {
    const end = this.#rest.indexOf(this.#mark);
    if (end === -1) return false;
    const lines = this.#take(end).split("\n");
    const commit = commitIn(lines.slice(0, HEADER_LINES).join("\n"));
    if (this.#commits.length <= MOST_COMMITS) this.#commits.push(commit);
    this.#scan.read(`${COMMIT_LINE}${commit.sha}`);
    for (const line of [...lines.slice(1, 3), ...lines.slice(HEADER_LINES)])
      this.#scan.read(`${MESSAGE_INDENT}${line}`);
    this.#state = "paths";
    return true;
  }

  #paths(): boolean {
    // What ends a header, or the list of paths. A commit that changes nothing has neither paths nor a patch.
    let at = 0;
    for (const ending of ["\0", "\n"]) if (this.#rest[at] === ending) at += 1;
    if (at === this.#rest.length) return false;
    if (this.#rest[at] !== ":") {
      this.#state = "patch";
      return true;
    }
    const path = this.#rest.indexOf("\0", at);
    const end = path === -1 ? -1 : this.#rest.indexOf("\0", path + 1);
    if (end === -1) return false;
    const change = changeIn(this.#rest.slice(at, path), this.#rest.slice(path + 1, end));
    this.#changes.push(change);
    if (change.mode !== GONE) this.#scan.readPath(change.path);
    this.#rest = this.#rest.slice(end + 1);
    return true;
  }

  #patch(): boolean {
    const next = this.#rest.indexOf(this.#mark);
    const text = next === -1 ? null : this.#take(next);
    const lines = (text ?? this.#rest).split("\n");
    // The last line goes on with the next piece, or it is what ends a record.
    const last = lines.pop() ?? "";
    for (const line of lines) this.#scan.read(line);
    if (text !== null) {
      this.#scan.read(last);
      this.#state = "header";
      return true;
    }
    this.#rest = last;
    if (last.length > LONGEST_LINE) {
      this.#scan.read(last);
      this.#rest = last.slice(0, 1) + last.slice(-OVERLAP);
    }
    return false;
  }

  /** What stands before a mark, which goes with it. */
  #take(end: number): string {
    const taken = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + this.#mark.length);
    return taken;
  }
}
