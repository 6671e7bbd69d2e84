import { type Argument, lowered, shownPart, VALUES } from "./argument.js";
import type { CommandProblem, Verb } from "./command.js";
import { namedBy, nearestOption, type Option, readOption } from "./option.js";
import { argumentsOf, OTHER_OPTIONS } from "./verbs.js";
import { lastWord, startsQuoted, unquoted, type Word, wordAt } from "./words.js";

/** The values by the names of their arguments; a flag that was given has an empty one. */
export type Given = ReadonlyMap<string, string>;

/** What follows the verb on its line. */
export function readArguments(verb: Verb, line: string): Given | CommandProblem {
  return new ArgumentReader(verb, line).read();
}

/** Each step answers with what is wrong, or null to go on. */
type Step = CommandProblem | null;

const LONGEST_SHOWN = 100;

class ArgumentReader {
  readonly #verb: Verb;
  readonly #line: string;
  readonly #known: readonly Argument[];
  readonly #given = new Map<string, string>();
  #at = 0;

  constructor(verb: Verb, line: string) {
    this.#verb = verb;
    this.#line = line;
    this.#known = argumentsOf(verb);
  }

  read(): Given | CommandProblem {
    return this.#readWords() ?? this.#findMissing() ?? this.#given;
  }

  #readWords(): Step {
    const text = this.#known.find(({ form }) => form === "text");
    for (;;) {
      const awaited = this.#known.find(({ form, name }) => form === "word" && !this.#given.has(name));
      const mayBeText = text !== undefined && awaited === undefined;
      if (mayBeText && startsQuoted(this.#line, this.#at)) return this.#readText(text);
      const word = wordAt(this.#line, this.#at);
      if (word === null) return null;
      if (word === "open-quote") return { kind: "open-quote", verb: this.#verb };
      const option = word.quoted ? null : readOption(word.text);
      // An equals sign is nothing special in a text, so there only a name that is known makes an option.
      const counts =
        option !== null && (option.dashed || !mayBeText || namedBy(option, this.#known) !== undefined);
      if (mayBeText && !counts) return this.#readText(text);
      this.#at = word.end;
      const problem = counts ? this.#readOption(option, word.text) : this.#readWord(awaited, word);
      if (problem !== null) return problem;
    }
  }

  #readWord(awaited: Argument | undefined, { text, quoted }: Word): Step {
    const bare = !quoted && (this.#isFlag(text) || this.#otherOption(text) !== undefined);
    if (awaited === undefined || bare || (!quoted && text.startsWith("-"))) return this.#unknown(text);
    return this.#give(awaited, text, text);
  }

  #readOption(option: Option, typed: string): Step {
    const argument = namedBy(option, this.#known);
    if (argument === undefined) return this.#unknown(typed);
    if (argument.form === "flag" || option.value !== null) return this.#giveOption(argument, option, typed);
    const word = wordAt(this.#line, this.#at);
    if (word === "open-quote") return { kind: "open-quote", verb: this.#verb };
    if (word === null) return this.#missing(`a value after --${argument.name}`);
    this.#at = word.end;
    return this.#give(argument, word.text, `${typed} ${word.text}`);
  }

  /** The rest of the line. Options count before a text and after it, but not in the middle of it. */
  #readText(argument: Argument): Step {
    let rest = this.#line.slice(this.#at).trim();
    for (;;) {
      const last = lastWord(rest);
      const before = last && lastWord(rest.slice(0, last.start));
      const step = last && before && (this.#readLast(last.text) ?? this.#readLastTwo(before.text, last.text));
      if (!last || !before || !step) break;
      if (step.problem !== null) return step.problem;
      rest = rest.slice(0, step.words === 1 ? last.start : before.start).trimEnd();
    }
    const text = unquoted(rest);
    if (text === null) return { kind: "open-quote", verb: this.#verb };
    return text.trim() === "" ? null : this.#give(argument, text.trim(), text);
  }

  /** Null when the last word of a text belongs to it. One that is nearly an option is more likely a slip. */
  #readLast(word: string): { readonly words: 1; readonly problem: Step } | null {
    const option = readOption(word);
    if (option === null) return null;
    const argument = namedBy(option, this.#known);
    if (argument === undefined) {
      const slip = option.dashed && nearestOption(option.name, this.#known) !== null;
      return slip ? { words: 1, problem: this.#unknown(word) } : null;
    }
    if (argument.form !== "flag" && option.value === null)
      return { words: 1, problem: this.#missing(`a value after --${argument.name}`) };
    const value = option.value === null ? null : (unquoted(option.value) ?? option.value);
    return { words: 1, problem: this.#giveOption(argument, { ...option, value }, word) };
  }

  #readLastTwo(name: string, value: string): { readonly words: 2; readonly problem: Step } | null {
    const option = readOption(name);
    const argument = option?.dashed && option.value === null ? namedBy(option, this.#known) : undefined;
    if (argument === undefined || argument.form === "flag") return null;
    return { words: 2, problem: this.#give(argument, unquoted(value) ?? value, `${name} ${value}`) };
  }

  #giveOption(argument: Argument, { value }: Option, typed: string): Step {
    if (argument.form !== "flag") return this.#give(argument, value ?? "", typed);
    if (value !== null) return this.#bad(typed, `--${argument.name} without a value`);
    return this.#put(argument, "", typed);
  }

  #give(argument: Argument, text: string, typed: string): Step {
    const value = VALUES[argument.value].read(text);
    return value === null
      ? this.#bad(typed, VALUES[argument.value].needed)
      : this.#put(argument, value, typed);
  }

  #put({ name }: Argument, value: string, typed: string): Step {
    if (this.#given.has(name)) return { kind: "repeated-argument", verb: this.#verb, found: shown(typed) };
    this.#given.set(name, value);
    return null;
  }

  #findMissing(): Step {
    const missing = this.#known.find(({ name, required }) => required && !this.#given.has(name));
    return missing === undefined ? null : this.#missing(missing.shown);
  }

  #missing(needed: string): CommandProblem {
    return { kind: "missing-argument", verb: this.#verb, needed };
  }

  #bad(found: string, needed: string): CommandProblem {
    return { kind: "bad-argument", verb: this.#verb, found: shown(found), needed };
  }

  #unknown(found: string): CommandProblem {
    const name = readOption(found)?.name ?? found.replace(/^-+/, "");
    return {
      kind: "unknown-argument",
      verb: this.#verb,
      found: shown(found),
      nearest: this.#otherOption(name) ?? nearestOption(name.slice(0, LONGEST_SHOWN), this.#known),
    };
  }

  #isFlag(text: string): boolean {
    return this.#known.some(({ form, name }) => form === "flag" && name === lowered(text));
  }

  #otherOption(text: string): string | undefined {
    return OTHER_OPTIONS[this.#verb]?.get(lowered(text));
  }
}

function shown(text: string): string {
  return shownPart(text, LONGEST_SHOWN);
}
