import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import { redactText } from "../../redact.js";

/** GitHub takes 65,536 characters; fewer bytes than that are fewer characters too. */
const LONGEST_COMMENT_BYTES = 60_000;

const LEFT_OUT = "*koryph left the rest out: GitHub takes no longer comments.*";

/** As much of a comment as GitHub takes, with a note about the rest. Put what must not be lost first. */
export function cutComment(body: string): string {
  const bytes = new TextEncoder().encode(body);
  if (bytes.byteLength <= LONGEST_COMMENT_BYTES) return body;
  const room = LONGEST_COMMENT_BYTES - LEFT_OUT.length - 16;
  // Drops a character that the cut falls into.
  const kept = new TextDecoder().decode(bytes.subarray(0, room)).replace(/\u{FFFD}+$/u, "");
  const fences = kept.match(/^ {0,3}```/gm)?.length ?? 0;
  return `${kept}${fences % 2 === 1 ? "\n```" : ""}\n\n${LEFT_OUT}`;
}

export function rateLimited(route: string): string {
  return `GitHub wants fewer requests (${route})`;
}

export function tooManyWrites(route: string): string {
  return `koryph writes too much for one installation (${route})`;
}

export function notAFile(repository: string, path: string, found: string): Advice {
  return {
    message: `${path} in ${repository} is not a plain file: GitHub shows ${found}`,
    hint: `make ${path} a regular file on the default branch`,
  };
}

export function fileTooLarge(repository: string, path: string, bytes: number): Advice {
  return {
    message: `${path} in ${repository} has ${bytes} bytes, which is more than koryph reads`,
    hint: `keep ${path} below 1 MiB`,
  };
}

export function recoveryFailed(what: string): string {
  return `recovery failed (${what}); the next round tries again`;
}

export function askedAgain(count: number): string {
  return `asked GitHub for ${count} lost ${count === 1 ? "delivery" : "deliveries"} again`;
}

export function foundComments(count: number): string {
  return `found ${count} ${count === 1 ? "comment" : "comments"} that no webhook told of`;
}

/** What keeps the operator's own requests from being answered. */
export const githubAdvice = {
  unreachable: (apiUrl: string, why: string): Advice => ({
    message: `GitHub does not answer at ${apiUrl}: ${plainText(redactText(why))}`,
    hint: "check the network; koryph asks again",
  }),
  notNow: (apiUrl: string, status: number): Advice => ({
    message: `GitHub cannot answer just now: ${apiUrl} says ${status}`,
    hint: "wait a little; koryph asks again",
  }),
  badToken: (apiUrl: string): Advice => ({
    message: `GitHub does not know the token that koryph has for ${apiUrl}`,
    hint: "renew GITHUB_TOKEN or GH_TOKEN, or log in again with `gh auth login`",
  }),
};
