import { UserError } from "../../lib/user-error.js";
import type { Surface } from "../program.js";

/** Verbs of the design that are still to come, and what they come with. */
const LATER: Readonly<Record<string, string>> = {
  doctor: "pull-request support",
};

/** Someone who has read about a verb learns that it is missing, not that it was misspelt. */
export function addLater({ program }: Surface): void {
  for (const verb of Object.keys(LATER)) {
    program
      .command(verb, { hidden: true })
      // Its help would be an empty page.
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw missing(verb);
      });
  }
}

/** Null for a verb that is built. */
export function missing(verb: string): UserError | null {
  const arrival = Object.hasOwn(LATER, verb) ? LATER[verb] : undefined;
  return arrival === undefined ? null : notBuiltYet(`koryph ${verb}`, arrival);
}

function notBuiltYet(what: string, arrival: string): UserError {
  return new UserError(
    `${what} is not built yet: it comes with ${arrival}`,
    "koryph --help shows what works today",
  );
}
