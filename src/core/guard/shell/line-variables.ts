import type { ShellCommand } from "../../../lib/shell/shell-command.js";
import { type GuardFacts, knownVariables } from "../guard-facts.js";
import { expandText, expandWord, type ShellVariables } from "./expand-word.js";
import { isKnown, UNKNOWN } from "./open-text.js";

/** More values than this of one variable are not told apart. */
const MOST = 12;
const DEPTH = 4;

/**
 * What the variables of a text may hold: every value that is given to them anywhere in it, whatever comes first. What is
 * only known when it runs is null.
 */
export class LineVariables implements ShellVariables {
  readonly home: string;
  readonly #known: Readonly<Record<string, readonly string[]>>;
  readonly #typed = new Map<string, (() => readonly (string | null)[])[]>();
  #depth = 0;

  constructor(commands: readonly ShellCommand[], facts: GuardFacts) {
    this.home = facts.home;
    this.#known = knownVariables(facts);
    for (const command of commands)
      for (const { name, values } of command.assignments)
        this.#add(name, () => (values === null ? [null] : values.flatMap((word) => this.#expanded(word))));
  }

  valuesOf(name: string): readonly (string | null)[] {
    const known = Object.hasOwn(this.#known, name) ? (this.#known[name] ?? []) : [];
    const typed = this.#typed.get(name);
    if (typed === undefined) return known.length > 0 ? known : [null];
    if (this.#depth >= DEPTH) return [null];
    this.#depth += 1;
    try {
      const values = [...new Set([...known, ...typed.flatMap((read) => read())])];
      return values.length > MOST ? [...values.slice(0, MOST), null] : values;
    } finally {
      this.#depth -= 1;
    }
  }

  isSet(name: string): boolean {
    return this.#typed.has(name);
  }

  outputOf(commands: readonly ShellCommand[]): string | null {
    const [command, ...others] = commands;
    return command === undefined || others.length > 0 ? null : printed(command, this);
  }

  #add(name: string, read: () => readonly (string | null)[]): void {
    this.#typed.set(name, [...(this.#typed.get(name) ?? []), read]);
  }

  #expanded(word: Parameters<typeof expandWord>[0]): (string | null)[] {
    return expandText(word, this).map((text) => (text === UNKNOWN ? null : text));
  }
}

/** What a command prints, where that is typed: `echo …`, `printf '…'`, `cat` of a here-document, `command -v git`. */
export function printed(command: ShellCommand, variables: ShellVariables): string | null {
  const ways = command.words.reduce<string[][]>(
    (before, word) =>
      before.flatMap((fields) => expandWord(word, variables).map((more) => [...fields, ...more])),
    [[]],
  );
  const [[name = "", ...args] = []] = ways;
  if (ways.length !== 1 || ![name, ...args].every(isKnown)) return null;
  switch (name.split("/").at(-1)) {
    case "echo":
      return /^-\w*e/.test(args[0] ?? "")
        ? escaped(args.slice(1).join(" "))
        : args.filter((word, index) => index > 0 || word !== "-n").join(" ");
    case "printf":
      return args.length === 1 && !args[0]?.includes("%") ? escaped(args[0] ?? "") : formatted(args);
    case "cat":
      return args.length === 0 && command.input !== null
        ? (expandText(command.input, variables)[0] ?? null)
        : null;
    case "which":
      return args.length === 1 ? (args[0] ?? null) : null;
    case "command":
    case "type":
      return /^-[vp]$/.test(args[0] ?? "") && args.length === 2 ? (args[1] ?? null) : null;
    default:
      return null;
  }
}

/** Only the plainest formats. */
function formatted([format = "", ...args]: readonly string[]): string | null {
  const rest = [...args];
  if (/%(?!s)/.test(format) || (format.match(/%s/g) ?? []).length < args.length) return null;
  return escaped(format.replace(/%s/g, () => rest.shift() ?? ""));
}

function escaped(text: string): string | null {
  const plain = text.replace(/\\n/g, "\n").replace(/\\t/g, "\t");
  return plain.includes("\\") ? null : plain;
}
