import { plainText } from "../../../lib/plain-text.js";
import type { Slot } from "../../run/ledger/slot.js";
import { whoMends } from "../land/pull/pull-words.js";

/** A word and what is known besides, which may begin with the same word. */
export function saidOnce(word: string, joint: string, rest: string): string {
  if (rest === "") return word;
  return rest === word || (/^[ :,]/.test(rest.slice(word.length)) && rest.startsWith(word))
    ? rest
    : `${word}${joint}${rest}`;
}

/** Why a bead is queued or blocked, as one line. */
export function reasonText(reason: string): string {
  const text = plainText(reason);
  const [, word, rest] = /^([\w-]+): (.*)$/.exec(text) ?? [];
  return word === undefined || rest === undefined ? text : saidOnce(word, ": ", rest);
}

/** Why a slot stands as it does. An open pull request that lacks something is no error: it waits for who can bring that. */
export function standsText({ status, note, refusal }: Pick<Slot, "status" | "note" | "refusal">): string {
  const who = status === "pr-opened" && refusal !== null ? whoMends(refusal.code) : null;
  if (refusal === null || who === null) return reasonText(note);
  return `waits${who === "" ? "" : ` for ${who}`}: ${plainText(refusal.detail)}`;
}
