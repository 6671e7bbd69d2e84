import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import type { SteeringWord } from "../../run/ledger/steering.js";

/** What the engine heard, or what it made of a request about a bead. */
export type SteeredWord =
  | Exclude<SteeringWord, { kind: "hold" }>
  | { readonly kind: "hold"; readonly bead: string; readonly reason: string }
  | {
      readonly kind: "answer";
      readonly verb: "nudge" | "inject";
      readonly bead: string;
      readonly note: string;
    };

/** A line for whoever watches the run. */
export function steeredLine(actor: string, word: SteeredWord): string {
  const who = plainText(actor);
  switch (word.kind) {
    case "drain":
      return `draining, asked for by ${who}`;
    case "width":
      return `width ${word.max ?? "as the run was started with"}, asked for by ${who}`;
    case "hold":
      return `${plainText(word.bead)}  held by ${because(actor, word.reason)}`;
    case "unhold":
      return `${plainText(word.bead)}  hold lifted by ${who}`;
    case "answer":
      return `${plainText(word.bead)}  ${word.verb} by ${who}: ${plainText(word.note)}`;
  }
}

const LONGEST_REASON = 300;

/** Who said it, and why where a reason was given. */
function because(actor: string, reason: string): string {
  return cutText(plainText(reason === "" ? actor : `${actor}: ${reason}`), LONGEST_REASON);
}

/** What an agent finds in its inbox: whose word it is, and all of it as a quotation. */
export function operatorWord(actor: string, text: string): string {
  const lines = text.trim().split(/\r?\n/);
  return [`The operator ${plainText(actor)} says:`, ...lines.map((line) => `> ${line}`)].join("\n");
}
