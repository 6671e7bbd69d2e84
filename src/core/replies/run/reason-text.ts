import { plainText } from "../../../lib/plain-text.js";

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
