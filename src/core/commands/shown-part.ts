import { cutText } from "../../lib/cut-text.js";
import { plainText } from "../../lib/plain-text.js";
import { redactText } from "../redact.js";

/** A part of a command for people to see: without secrets, and those go before it is cut, as half of one looks like none. */
export function shownPart(text: string, longest: number): string {
  return cutText(redactText(plainText(text)), longest);
}
