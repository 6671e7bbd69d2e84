import type { ScriptWord, ShellCommand, WordPiece } from "../../../lib/shell/shell-command.js";
import { expandBraces } from "./expand-braces.js";
import { ANY, cleaned, ONE, UNKNOWN, withPatterns } from "./open-text.js";

/** What variables may hold: nothing is known of those that are not in it. */
export interface ShellVariables {
  readonly home: string;
  /** Null when there is a value that is not known. */
  valuesOf(name: string): readonly (string | null)[];
  /** What commands print, where that can be told from what is typed; null where it cannot. */
  outputOf(commands: readonly ShellCommand[]): string | null;
}

/** More ways than this to read one word are not told apart. */
const MOST = 24;

/** The words that a typed word may become, in each way in which it may turn out. */
export function expandWord(word: ScriptWord, variables: ShellVariables): string[][] {
  return expandBraces(word).reduce<string[][]>(
    (before, each) => combined(before, expandOne(each, variables)),
    [[]],
  );
}

/** The same for a place in which it stays one word, as in an assignment. */
export function expandText(word: ScriptWord, variables: ShellVariables): string[] {
  const quoted = word.map((piece): WordPiece => {
    if (piece.kind === "variable" || piece.kind === "output") return { ...piece, quoted: true };
    return piece;
  });
  return expandOne(quoted, variables).map((fields) => fields.join(" "));
}

function combined(before: readonly string[][], after: readonly string[][]): string[][] {
  const all = before.flatMap((fields) => after.map((more) => [...fields, ...more]));
  return all.length > MOST ? [...all.slice(0, MOST), [UNKNOWN]] : all;
}

/** Words that are complete, and the one that is being put together; null where none has begun. */
interface Draft {
  readonly done: readonly string[];
  readonly open: string | null;
}

function expandOne(word: ScriptWord, variables: ShellVariables): string[][] {
  let drafts: readonly Draft[] = [{ done: [], open: null }];
  for (const [index, piece] of word.entries()) {
    const readings = readingsOf(piece, variables, index === 0);
    drafts = drafts.flatMap((draft) => readings.map((reading) => added(draft, reading)));
    if (drafts.length > MOST) drafts = [...drafts.slice(0, MOST), { done: [], open: UNKNOWN }];
  }
  return drafts.map(({ done, open }) => (open === null ? [...done] : [...done, open]));
}

interface Reading {
  readonly text: string;
  /** Blanks in it part words, and without a letter it is no word. */
  readonly splits: boolean;
}

function added({ done, open }: Draft, { text, splits }: Reading): Draft {
  if (!splits) return { done, open: (open ?? "") + text };
  const [first = "", ...others] = text.split(/[ \t\n]+/);
  const last = others.pop();
  if (last === undefined) return first === "" ? { done, open } : { done, open: (open ?? "") + first };
  const begun = first === "" && open === null ? [] : [(open ?? "") + first];
  return { done: [...done, ...begun, ...others], open: last === "" ? null : last };
}

function readingsOf(piece: WordPiece, variables: ShellVariables, first: boolean): Reading[] {
  switch (piece.kind) {
    case "text": {
      const text = cleaned(piece.text);
      return [{ text: first && !piece.quoted ? atHome(text, variables.home) : text, splits: false }];
    }
    case "glob":
      return [{ text: piece.text === "?" ? ONE : ANY, splits: false }];
    case "braces":
    case "unknown":
      return [{ text: UNKNOWN, splits: false }];
    case "output": {
      const text = variables.outputOf(piece.commands);
      return inWord(text === null ? null : text.replace(/\n+$/, ""), piece.quoted);
    }
    case "variable":
      return valuesOf(piece, variables).flatMap((value) => inWord(value, piece.quoted));
  }
}

function inWord(value: string | null, quoted: boolean): Reading[] {
  if (value !== null) return [{ text: quoted ? cleaned(value) : withPatterns(value), splits: !quoted }];
  // It may be nothing at all, and then the words around it count alone.
  return [{ text: UNKNOWN, splits: false }, ...(quoted ? [] : [{ text: "", splits: true }])];
}

function valuesOf(
  piece: Extract<WordPiece, { kind: "variable" }>,
  variables: ShellVariables,
): (string | null)[] {
  if (piece.changed) return [null];
  const values = variables.valuesOf(piece.name);
  if (piece.fallback === null) return [...values];
  return [...values, ...expandText(piece.fallback, variables)];
}

/** Where a tilde at the start leads. */
function atHome(text: string, home: string): string {
  const [, user, rest = ""] = /^~([\w.+-]*)(\/.*)?$/s.exec(text) ?? [];
  if (user === undefined) return text;
  if (user === "") return home + rest;
  if (/^[+\-\d]/.test(user)) return UNKNOWN + rest;
  return (user === "root" ? "/root" : `/home/${user}`) + rest;
}
