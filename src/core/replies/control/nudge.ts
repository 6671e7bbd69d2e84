import { plainText } from "../../../lib/plain-text.js";

/** What an agent finds in its inbox: whose word it is, and all of it as a quotation. */
export function operatorWord(actor: string, text: string): string {
  const lines = text.trim().split(/\r?\n/);
  return [`The operator ${plainText(actor)} says:`, ...lines.map((line) => `> ${line}`)].join("\n");
}
