import { isKnown } from "./open-text.js";

interface GivenOption {
  readonly name: string;
  readonly value: string | null;
}

export interface ReadOptions {
  readonly given: readonly GivenOption[];
  readonly operands: readonly string[];
  /** Where `--` stood, as a count of the operands before it; null without one. */
  readonly split: number | null;
}

/**
 * Arguments as most programs read them. `valued` names the options whose next word is their value. With `first`, everything
 * from the first operand on is operands.
 */
export function readOptions(args: readonly string[], valued: readonly string[], first = false): ReadOptions {
  const given: GivenOption[] = [];
  const operands: string[] = [];
  let split: number | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      split = operands.length;
      operands.push(...args.slice(at + 1));
      break;
    }
    const take = (): string | null => {
      at += 1;
      return args[at] ?? null;
    };
    if (/^--./.test(arg)) {
      const [name = "", ...value] = arg.split("=");
      if (value.length > 0) given.push({ name, value: value.join("=") });
      else given.push({ name, value: valued.includes(name) ? take() : null });
    } else if (/^-./.test(arg)) given.push(...shortOptions(arg, valued, take));
    else if (first) {
      operands.push(...args.slice(at));
      break;
    } else operands.push(arg);
  }
  return { given, operands, split };
}

/** `-xvf file`: letters without values, until one takes the rest or the next word. */
function shortOptions(arg: string, valued: readonly string[], take: () => string | null): GivenOption[] {
  const found: GivenOption[] = [];
  for (let at = 1; at < arg.length; at += 1) {
    const name = `-${arg[at]}`;
    if (!valued.includes(name)) {
      found.push({ name, value: null });
      continue;
    }
    const rest = arg.slice(at + 1);
    found.push({ name, value: rest === "" ? take() : rest });
    break;
  }
  return found;
}

/** Long names may be cut as long as they are clear; an open word may be any of them. */
function valuesOf({ given }: ReadOptions, names: readonly string[]): readonly (string | null)[] {
  return given.filter(({ name }) => names.some((wanted) => isSame(name, wanted))).map(({ value }) => value);
}

export function has(options: ReadOptions, ...names: readonly string[]): boolean {
  return valuesOf(options, names).length > 0;
}

/** The values that are there, of all these options. */
export function textsOf(options: ReadOptions, ...names: readonly string[]): string[] {
  return valuesOf(options, names).filter((value) => value !== null);
}

function isSame(name: string, wanted: string): boolean {
  if (name === wanted) return true;
  return wanted.startsWith("--") && name.length > 4 && isKnown(name) && wanted.startsWith(name);
}
