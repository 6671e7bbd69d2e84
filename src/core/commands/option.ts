import { nearest } from "../../lib/nearest.js";
import { type Argument, lowered } from "./argument.js";

export interface Option {
  readonly name: string;
  /** Null when there is no equals sign. */
  readonly value: string | null;
  readonly dashed: boolean;
}

// Phones turn two hyphens into a dash.
const DASHED = /^(?:--|[—–])([a-z][a-z-]*)(?:=([\s\S]*))?$/i;
const NAMED = /^([a-z][a-z-]*)=([\s\S]*)$/i;

/** Null when the word is no option by its looks. */
export function readOption(word: string): Option | null {
  const dashed = DASHED.exec(word);
  const [, name, value] = dashed ?? NAMED.exec(word) ?? [];
  return name === undefined ? null : { name: lowered(name), value: value ?? null, dashed: dashed !== null };
}

/** The argument an option names; undefined when there is none. */
export function namedBy(option: Option, known: readonly Argument[]): Argument | undefined {
  return known.find(({ form, name }) => form !== "text" && name === option.name);
}

/** The option that was probably meant, as it would be typed. */
export function nearestOption(name: string, known: readonly Argument[]): string | null {
  const names = known.filter(({ form }) => form !== "text").map((argument) => argument.name);
  const meant = known.find((argument) => argument.name === nearest(name, names));
  if (meant === undefined) return null;
  return meant.form === "flag" ? `--${meant.name}` : `${meant.name}=`;
}
