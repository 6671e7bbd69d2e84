/** A piece of a word as it is typed, before the shell makes words of it. */
export type WordPiece =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  /** `*`, `?`, `[…]` and their longer forms, outside quotes. */
  | { readonly kind: "glob"; readonly text: string }
  /** `{a,b}` as typed, outside quotes. */
  | { readonly kind: "braces"; readonly text: string }
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly quoted: boolean;
      /** What stands there when the variable is not set; null when nothing was named. */
      readonly fallback: readonly WordPiece[] | null;
      /** Its value is the name of the variable that is meant: `${!x}`. */
      readonly indirect: boolean;
      /** Cut, replaced or counted on its way, so that its value is not what stands there. */
      readonly changed: boolean;
    }
  /** `$(…)` and the like: what these commands print. */
  | { readonly kind: "output"; readonly commands: readonly ShellCommand[]; readonly quoted: boolean }
  /** Arithmetic and whatever else comes to a text that only the shell knows. */
  | { readonly kind: "unknown" };

/** One word as typed. Without pieces it is the empty text. */
export type ScriptWord = readonly WordPiece[];

export interface ShellAssignment {
  readonly name: string;
  /** More than one for a list, or for the words that a loop goes through; null when it adds to what is there. */
  readonly values: readonly ScriptWord[] | null;
}

export interface ShellRedirection {
  readonly way: "read" | "write" | "both";
  readonly target: ScriptWord;
}

/** One command that would run, wherever in the line it stands. */
export interface ShellCommand {
  /** Program and arguments; none when there are assignments or redirections alone. */
  readonly words: readonly ScriptWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly redirections: readonly ShellRedirection[];
  /** Text that it reads, from a here-document or a here-string. */
  readonly input: ScriptWord | null;
  /** The commands whose output it reads. */
  readonly pipedFrom: readonly ShellCommand[];
  /** The shells inside shells that it runs in, outermost first: a change of folder holds in the last one only. */
  readonly scope: readonly number[];
  /** Runs only if what stands before it went one way, or runs again and again. */
  readonly maybe: boolean;
  /** Runs only after the command before it succeeded. */
  readonly afterSuccess: boolean;
}

export interface ShellReading {
  /** All of them, in the order in which they are typed; those inside a word come before the command it belongs to. */
  readonly commands: readonly ShellCommand[];
  /** Names that are functions from here on. */
  readonly functions: readonly string[];
  /** False when the text is not what a shell takes; then some commands may be missing. */
  readonly whole: boolean;
}
