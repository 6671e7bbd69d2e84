import { type Command, forEachChild, parse, type Redirection, type SyntaxNode } from "unbash";
import { WordReader } from "./read-words.js";
import type {
  ScriptWord,
  ShellAssignment,
  ShellCommand,
  ShellReading,
  ShellRedirection,
} from "./shell-command.js";

/** Longer texts are not read: they would have no commands, and not be whole. */
const LETTERS = 256 * 1024;

/** Every command that would run in a shell's text, read as bash reads it. Nothing is expanded yet. */
export function readShell(text: string): ShellReading {
  if (text.length > LETTERS) return { commands: [], functions: [], whole: false };
  const reader = new ScriptReader();
  reader.read(parse(text), { scope: [0], maybe: false, afterSuccess: false });
  return { commands: reader.commands, functions: reader.functions, whole: reader.whole };
}

interface Where {
  readonly scope: readonly number[];
  readonly maybe: boolean;
  readonly afterSuccess: boolean;
}

class ScriptReader {
  readonly commands: ShellCommand[] = [];
  readonly functions: string[] = [];
  whole = true;
  #scopes = 0;

  read(node: SyntaxNode, where: Where): void {
    switch (node.type) {
      case "Script":
        if ("errors" in node && node.errors && node.errors.length > 0) this.whole = false;
        break;
      case "Statement":
        this.read(node.command, node.background ? this.#inside(where) : where);
        return;
      case "Command":
        this.#command(node, where, []);
        return;
      case "Pipeline":
        this.#pipeline(node.commands, where);
        return;
      case "AndOr":
        node.commands.forEach((command, index) => {
          const operator = node.operators[index - 1];
          this.read(command, {
            ...where,
            maybe: where.maybe || operator === "||",
            afterSuccess: operator === "&&",
          });
        });
        return;
      case "Subshell":
      case "Coproc":
        this.#children(node, this.#inside(where));
        return;
      case "Function":
        this.functions.push(node.name.value);
        this.#children(node, { ...where, maybe: true });
        return;
      case "For":
      case "Select":
        this.#loop(node.name.value, node.wordlist, where);
        this.#children(node.body, { ...where, maybe: true });
        return;
      case "If":
      case "While":
      case "Case":
      case "ArithmeticFor":
        this.#children(node, { ...where, maybe: true });
        return;
      case "Redirected": {
        const words = this.#words(where);
        this.read(node.command, where);
        this.#push({ ...EMPTY, ...this.#streams(node.redirects, words), ...where });
        return;
      }
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion":
        if (node.script) this.read(node.script, this.#inside(where));
        return;
      default:
        break;
    }
    this.#children(node, where);
  }

  #children(node: SyntaxNode, where: Where): void {
    forEachChild(node, (child) => this.read(child, where));
  }

  #inside(where: Where): Where {
    this.#scopes += 1;
    return { ...where, scope: [...where.scope, this.#scopes] };
  }

  #words(where: Where): WordReader {
    return new WordReader((node) => {
      const from = this.commands.length;
      this.read(node, this.#inside(where));
      return this.commands.slice(from);
    });
  }

  /** What each command prints, the next one reads. */
  #pipeline(nodes: readonly SyntaxNode[], where: Where): void {
    let before: readonly ShellCommand[] = [];
    for (const node of nodes) {
      const from = this.commands.length;
      const inside = this.#inside(where);
      if (node.type === "Command") this.#command(node, inside, before);
      else this.read(node, inside);
      // What a group reads, any of its commands may read.
      if (node.type !== "Command")
        for (let at = from; at < this.commands.length; at += 1) {
          const command = this.commands[at];
          if (command) this.commands[at] = { ...command, pipedFrom: [...command.pipedFrom, ...before] };
        }
      before = this.commands.slice(from);
    }
  }

  #command(node: Command, where: Where, pipedFrom: readonly ShellCommand[]): void {
    const reader = this.#words(where);
    const assignments = node.prefix.flatMap((each) =>
      each.type === "Assignment" ? [this.#assigned(each, reader)] : [],
    );
    const name = node.name ? [reader.word(node.name)] : [];
    const args = node.args.map((arg): ScriptWord => {
      if (arg.type === "Word") return reader.word(arg);
      const value = arg.value.type === "Word" ? reader.word(arg.value) : [{ kind: "unknown" } as const];
      return [{ kind: "text", text: `${arg.name}${arg.append ? "+" : ""}=`, quoted: false }, ...value];
    });
    // `export X=…` sets as `X=…` does.
    const declared = node.args.flatMap((arg) =>
      arg.type === "Assignment" ? [this.#assigned(arg, reader)] : [],
    );
    this.#push({
      ...EMPTY,
      ...where,
      words: [...name, ...args],
      assignments: [...assignments, ...declared],
      ...this.#streams(node.redirects, reader),
      pipedFrom,
    });
  }

  #assigned(node: Extract<SyntaxNode, { type: "Assignment" }>, reader: WordReader): ShellAssignment {
    const words = node.value.type === "Word" ? [node.value] : node.value.elements;
    const values = words.map((word) => reader.word(word));
    return { name: node.name, values: node.append || node.index ? null : values };
  }

  #loop(name: string, words: readonly Parameters<WordReader["word"]>[0][] | undefined, where: Where): void {
    const reader = this.#words(where);
    const values = words?.map((word) => reader.word(word)) ?? null;
    this.#push({ ...EMPTY, ...where, assignments: [{ name, values }] });
  }

  #streams(
    redirects: readonly Redirection[],
    reader: WordReader,
  ): Pick<ShellCommand, "redirections" | "input"> {
    const redirections: ShellRedirection[] = [];
    let input: ScriptWord | null = null;
    for (const each of redirects) {
      if (each.type === "HereString") input = reader.word(each.target);
      else if (each.type === "HereDoc")
        input = each.body.parts
          ? reader.parts(each.body.parts, true)
          : [{ kind: "text", text: each.body.text, quoted: true }];
      else if (!isDescriptor(each)) {
        const way = each.operator === "<" ? "read" : each.operator === "<>" ? "both" : "write";
        redirections.push({ way, target: reader.word(each.target) });
      }
    }
    return { redirections, input };
  }

  #push(command: ShellCommand): void {
    this.commands.push(command);
  }
}

/** `2>&1` and `>&-` name no file. */
function isDescriptor({ operator, target }: Extract<Redirection, { type: "Redirect" }>): boolean {
  return (operator === ">&" || operator === "<&") && /^(\d+|-|\d+-)$/.test(target?.value ?? "");
}

const EMPTY: ShellCommand = {
  words: [],
  assignments: [],
  redirections: [],
  input: null,
  pipedFrom: [],
  scope: [],
  maybe: false,
  afterSuccess: false,
};
