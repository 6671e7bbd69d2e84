import type { SyntaxNode, Word, WordPart } from "unbash";
import type { ScriptWord, ShellCommand, WordPiece } from "./shell-command.js";

type Nested = (node: SyntaxNode) => ShellCommand[];

/** Reads words into pieces; `nested` reads the commands inside one. */
export class WordReader {
  readonly #nested: Nested;

  constructor(nested: Nested) {
    this.#nested = nested;
  }

  word(word: Word | undefined): ScriptWord {
    if (word === undefined) return [];
    // Without parts nothing of it is quoted by marks; a backslash before the first letter quotes that one.
    if (word.parts === undefined)
      return [{ kind: "text", text: word.value, quoted: word.text.startsWith("\\") }];
    return this.parts(word.parts);
  }

  parts(parts: readonly WordPart[], quoted = false): WordPiece[] {
    return parts.flatMap((part) => this.#part(part, quoted));
  }

  #part(part: WordPart, quoted: boolean): WordPiece[] {
    switch (part.type) {
      case "Literal":
        return [{ kind: "text", text: part.value, quoted: quoted || part.text.startsWith("\\") }];
      case "SingleQuoted":
      case "AnsiCQuoted":
        return [{ kind: "text", text: part.value, quoted: true }];
      case "DoubleQuoted":
      case "LocaleString":
        // Quotes around nothing make a word all the same.
        return [{ kind: "text", text: "", quoted: true }, ...this.parts(part.parts, true)];
      case "Glob":
      case "ExtendedGlob":
        this.#run(part);
        return [{ kind: "glob", text: part.text }];
      case "BraceExpansion":
        this.#run(part);
        return [{ kind: "braces", text: part.text }];
      case "SimpleExpansion":
        return [variable(part.text.slice(1), quoted)];
      case "ParameterExpansion":
        return [this.#expansion(part, quoted)];
      case "CommandExpansion":
        return [{ kind: "output", commands: part.script ? this.#nested(part.script) : [], quoted }];
      case "ProcessSubstitution":
        if (part.script) this.#nested(part.script);
        return [{ kind: "text", text: "/dev/fd/63", quoted: true }];
      case "ArithmeticExpansion":
        this.#nested(part);
        return [{ kind: "unknown" }];
    }
  }

  /** Commands inside a pattern run; the text they make is the pattern's. */
  #run({ parts = [] }: { readonly parts?: readonly WordPart[] | undefined }): void {
    for (const part of parts) this.#nested(part);
  }

  #expansion(part: Extract<WordPart, { type: "ParameterExpansion" }>, quoted: boolean): WordPiece {
    const { parameter, prefix, index, operation } = part;
    const plain = { ...variable(parameter, quoted), indirect: prefix === "!" };
    if (operation?.type === "Default" && index === undefined)
      return { ...plain, fallback: this.word(operation.operand), changed: prefix !== undefined };
    this.#nested(part);
    return { ...plain, changed: (prefix ?? index ?? operation) !== undefined };
  }
}

function variable(name: string, quoted: boolean): Extract<WordPiece, { kind: "variable" }> {
  return { kind: "variable", name, quoted, fallback: null, indirect: false, changed: false };
}
