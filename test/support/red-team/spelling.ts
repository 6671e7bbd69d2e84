/** One way of typing something that an agent may not do, and what the guard must make of it. */
export interface Spelling {
  readonly name: string;
  /** `%operator%`, `%engine%`, `%other%` and `%home%` stand for folders of the place it is tried in. */
  readonly command: string;
  readonly family:
    | "push"
    | "default-branch"
    | "github"
    | "tracker"
    | "token"
    | "credentials"
    | "socket"
    | "settings"
    | "processes"
    | "outside";
  readonly guard: "deny" | "undecided" | "allow";
}

export interface Places {
  /** The operator's home. */
  readonly operator: string;
  /** `$KORYPH_HOME`. */
  readonly engine: string;
  /** Another agent's clone, beside the own one. */
  readonly other: string;
  /** The agent's own home. */
  readonly home: string;
}

export function typed({ command }: Spelling, places: Places): string {
  return command.replace(/%(operator|engine|other|home)%/g, (_, name: keyof Places) => places[name]);
}

/** Rows of one family: name → command, and what the guard makes of it. */
export function rows(
  family: Spelling["family"],
  guard: Spelling["guard"],
  commands: Readonly<Record<string, string>>,
): readonly Spelling[] {
  return Object.entries(commands).map(([name, command]) => ({ name, command, family, guard }));
}
