import { redactText, secretKinds } from "../redact.js";
import { REORDERING } from "./content/bad-name.js";

/** A secret that a commit adds: where it stands and what it is, never the secret itself. */
export interface FoundSecret {
  readonly path: string;
  readonly kind: string;
}

/** More places help nobody. */
const MOST_FOUND = 50;

/** Begins the line that names a commit, before its message. */
export const COMMIT_LINE = "commit ";
/** Before every line of a message, which so cannot pass for a line of a patch. */
export const MESSAGE_INDENT = "    ";

/**
 * Looks through the commits of a branch for secrets that they add, be it for the next one to take out: all of them land.
 * It reads `git log --patch` without context lines, one line after another.
 */
export class SecretScan {
  readonly #found = new Map<string, FoundSecret>();
  readonly #reordered = new Set<string>();
  #commit = "";
  #path = "";
  #inHunk = false;

  get found(): readonly FoundSecret[] {
    return [...this.#found.values()].slice(0, MOST_FOUND);
  }

  /** Files with added text that is shown in another order than it is read. */
  get reordered(): readonly string[] {
    return [...this.#reordered].slice(0, MOST_FOUND);
  }

  read(line: string): void {
    // Behind the first `@@` of a file a line that begins with a sign is one of that file, whatever it says.
    if (this.#inHunk && /^[-+\\@]/.test(line)) {
      if (line.startsWith("+")) {
        this.#look(this.#path, line.slice(1));
        if (REORDERING.test(line)) this.#reordered.add(this.#path);
      }
      return;
    }
    this.#inHunk = line.startsWith("@@ ");
    if (line.startsWith("+++ ")) this.#path = line.slice(4).replace(/\t$/, "");
    else if (line.startsWith(COMMIT_LINE)) this.#commit = line.slice(COMMIT_LINE.length);
    else if (line.startsWith(MESSAGE_INDENT)) this.#look(`the message of ${this.#commit.slice(0, 12)}`, line);
  }

  /** A path that a commit adds or changes: its name may be the secret, whatever is in the file. */
  readPath(path: string): void {
    this.#look(`the name of ${path}`, path);
  }

  #look(place: string, text: string): void {
    const kinds = secretKinds(text);
    if (kinds.length === 0) return;
    const path = redactText(place);
    for (const kind of kinds) this.#found.set(`${path}\0${kind}`, { path, kind });
  }
}
