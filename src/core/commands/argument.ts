import { cutText } from "../../lib/cut-text.js";
import { cleanPath } from "../../lib/paths/clean-path.js";
import { plainText } from "../../lib/plain-text.js";
import { parseBeadId } from "../model/bead.js";
import { redactText } from "../redact.js";

/**
 * How an argument is written: `word` stands by itself in its turn or by name, `key` only by name, `flag` has no value,
 * and `text` is the rest of the line.
 */
export interface Argument {
  readonly form: "word" | "key" | "flag" | "text";
  /** What it is called in `name=value`, `--name value` and `--name`. */
  readonly name: string;
  /** The value as the usage shows it. */
  readonly shown: string;
  readonly required: boolean;
  readonly value: ValueKind;
  readonly meaning: string;
}

interface Value {
  /** What is needed, after "needed is". */
  readonly needed: string;
  /** In the one form it is stored in; null when it is not what is needed. */
  readonly read: (text: string) => string | null;
}

/** `<path>:<line>`; the path is the part before the last colon. */
export const PLACE = /^(.+):([1-9]\d{0,6})$/;

export const VALUES = {
  any: { needed: "a text", read: (text) => (text === "" ? null : text) },
  none: { needed: "no value", read: () => null },
  bead: { needed: "the id of a bead, such as gh-12", read: readBead },
  sha: {
    needed: "12 to 40 hexadecimal digits of a commit",
    read: (text) => (/^[0-9a-f]{12,40}$/i.test(text) ? text.toLowerCase() : null),
  },
  place: {
    needed: "a file of the repository and a line in it, such as src/server.ts:42",
    read: readPlace,
  },
  width: {
    needed: "a whole number of at least 1, or clear",
    read: (text) => (/^[1-9]\d{0,8}$/.test(text) ? text : oneOf(["clear"])(text)),
  },
  method: { needed: "ff or squash", read: oneOf(["ff", "squash"]) },
  scope: { needed: "full, or nothing", read: oneOf(["full"]) },
} satisfies Record<string, Value>;

type ValueKind = keyof typeof VALUES;

function oneOf(words: readonly string[]): (text: string) => string | null {
  return (text) => words.find((word) => word === lowered(text)) ?? null;
}

/** Only plain letters are the same in both cases: there are others that merely turn into them. */
export function lowered(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A part of a command for people to see: without secrets, and those go before it is cut, as half of one looks like none. */
export function shownPart(text: string, longest: number): string {
  return cutText(redactText(plainText(text)), longest);
}

/** A token has the letters of a bead's id, and would be repeated in what is said of the bead. */
function readBead(text: string): string | null {
  return redactText(text) === text ? parseBeadId(text) : null;
}

function readPlace(text: string): string | null {
  const [, path = "", line = ""] = PLACE.exec(text) ?? [];
  const segments = path.startsWith("/") ? null : cleanPath(path);
  return segments === null || segments.length === 0 || line === "" ? null : `${segments.join("/")}:${line}`;
}
