import { splitFirstWord } from "../commands/words.js";
import type { LedgerState } from "../run/ledger/ledger-state.js";
import type { ControlFacts } from "./control-facts.js";

interface Meant {
  /** Null when neither the command nor its thread tells. */
  readonly bead: string | null;
  readonly text: string;
}

/** Which bead a command with a text is about. In a comment people put it before the text, as on the command line. */
export function meantBead(named: string | null, text: string, { own, state }: ControlFacts): Meant {
  if (named !== null) return { bead: named, text };
  return beadFirst(text, state) ?? { bead: own, text };
}

/**
 * The first word of a text is a bead if a run knows it, or if it looks like that of an issue: `gh-12` in a text about
 * something else would be a strange beginning.
 */
function beadFirst(text: string, { slots }: LedgerState): Meant | null {
  const { word, rest } = splitFirstWord(text) ?? { word: text, rest: "" };
  const isBead = slots[word] !== undefined || /^gh-[1-9]\d*$/.test(word);
  return isBead ? { bead: word, text: rest } : null;
}
