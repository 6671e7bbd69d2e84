import type { Argument } from "./argument.js";
import type { Verb } from "./command.js";
import { argumentsOf } from "./verbs.js";

/** `/koryph land [<sha>] [--method ff|squash] [--dry-run]` */
export function usageOf(verb: Verb): string {
  return ["/koryph", verb, ...argumentsOf(verb).map(argumentUsage)].join(" ");
}

/** One argument as the usage shows it, in brackets when it may be left out. */
export function argumentUsage(argument: Argument): string {
  return argument.required ? written(argument) : `[${written(argument)}]`;
}

function written({ form, name, shown }: Argument): string {
  switch (form) {
    case "word":
    case "text":
      return shown;
    case "key":
      return shown.startsWith("<") ? `${name}=${shown}` : `--${name} ${shown}`;
    case "flag":
      return `--${name}`;
  }
}
