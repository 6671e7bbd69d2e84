import { UserError } from "../lib/user-error.js";
import type { Surface } from "./program.js";

/** Verbs of the design that are still to come, and what they come with. */
const LATER: Readonly<Record<string, string>> = {
  doctor: "the App",
  drain: "the wave engine",
  gc: "the wave engine",
  inbox: "the App",
  inject: "the wave engine",
  land: "landing",
  ledger: "the wave engine",
  log: "the wave engine",
  merge: "landing",
  nudge: "the wave engine",
  "pr-sync": "the App",
  resize: "the wave engine",
  retry: "the wave engine",
  "review-pr": "the App",
  sandbox: "the App",
  serve: "the App",
  signing: "landing",
  status: "the wave engine",
  stop: "the wave engine",
  tail: "the wave engine",
};

/** Someone who has read about a verb learns that it is missing, not that it was misspelt. */
export function addLater({ program }: Surface): void {
  for (const [verb, arrival] of Object.entries(LATER)) {
    program
      .command(verb, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => {
        throw notBuiltYet(`koryph ${verb}`, arrival);
      });
  }
}

export function notBuiltYet(what: string, arrival: string): UserError {
  return new UserError(
    `${what} is not built yet: it comes with ${arrival}`,
    "koryph --help shows what works today",
  );
}
