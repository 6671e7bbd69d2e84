import type { ScriptWord, WordPiece } from "../../../lib/shell/shell-command.js";

const MOST = 16;

/** `pu{sh,ll}` is two words. What stands in braces with anything else to be expanded stays unknown. */
export function expandBraces(word: ScriptWord): readonly ScriptWord[] {
  const at = word.findIndex(({ kind }) => kind === "braces");
  const piece = word[at];
  if (piece?.kind !== "braces") return [word];
  const around = (middle: WordPiece): ScriptWord => [...word.slice(0, at), middle, ...word.slice(at + 1)];
  const choices = choicesOf(piece.text);
  if (choices === null) return expandBraces(around({ kind: "unknown" }));
  return choices
    .flatMap((text) => expandBraces(around({ kind: "text", text, quoted: false })))
    .slice(0, MOST);
}

function choicesOf(text: string): readonly string[] | null {
  const inner = text.slice(1, -1);
  return /[{}$`'"\\]/.test(inner) || !inner.includes(",") ? null : inner.split(",");
}
