import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { redactText } from "../../redact.js";

const MOST_NAMED = 3;
const LONGEST_NAME = 200;
const LONGEST = 1_000;

/** Agents, their files and remotes say what they like, and what is said here is recorded for everybody. */
export function quote(text: string, most = LONGEST): string {
  return cutText(redactText(plainText(text)), most);
}

/** The first few, and how many more there are. */
export function quoteFew(items: readonly string[]): string {
  const named = items
    .slice(0, MOST_NAMED)
    .map((item) => inSight(item))
    .join(", ");
  return items.length > MOST_NAMED ? `${named} and ${items.length - MOST_NAMED} more` : named;
}

/** A file may be called by a blank, and nobody would see that something is named. */
function inSight(item: string): string {
  const name = quote(item, LONGEST_NAME);
  return name === "" ? `"${" ".repeat(item.length)}"` : name;
}

export function shortSha(sha: string): string {
  return sha.slice(0, 12);
}
