import { SPELLINGS } from "../spellings.js";
import { ESCAPE_SPELLINGS } from "./escape-spellings.js";
import { REACH_SPELLINGS } from "./reach-spellings.js";

/** A spelling that is executed. */
export interface Deed {
  readonly family: string;
  readonly name: string;
  readonly command: string;
}

/** They need a host that is not there, or do nothing that anybody outside the clone could notice. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(["github", "tracker", "settings"]);
/** They read every file of the machine, for minutes. Others of their kind stay in a folder. */
const ENDLESS: ReadonlySet<string> = new Set([
  "everything at all",
  "names from a pipe",
  "npx -c",
  "npm exec",
]);

/** Everything that is executed, in the order of the table. */
export const DEEDS: readonly Deed[] = [
  ...SPELLINGS.filter(({ family, name }) => !WITHOUT_EFFECT.has(family) && !ENDLESS.has(name)).map(
    ({ family, name, command, guard }) => ({
      family: family === "token" ? "environment" : family,
      name: guard === "deny" ? name : `${name}, undecided`,
      command,
    }),
  ),
  ...Object.entries({ ...REACH_SPELLINGS, ...ESCAPE_SPELLINGS }).flatMap(([family, commands]) =>
    Object.entries(commands).map(([name, command]) => ({ family, name: `${name}, reached`, command })),
  ),
];

/** The command with the places of a world in it. */
export function typedIn({ command }: Deed, places: Readonly<Record<string, string>>): string {
  return command.replace(/%([a-z]+)%/g, (all, name: string) => places[name] ?? all);
}
