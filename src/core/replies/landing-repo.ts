import { cutText } from "../../lib/cut-text.js";
import { plainText } from "../../lib/plain-text.js";
import type { Advice } from "../../lib/user-error.js";
import { redactText, withoutCredentials } from "../redact.js";

const LONGEST = 400;

export const landingAdvice = {
  notSigned: (problem: string): Advice => ({
    message: `the commits could not be signed: ${firstComplaint(problem)}`,
    hint: "check the key with `koryph signing status`; nothing was changed",
  }),
  otherTarget: (): Advice => ({
    message: "the repository's remotes changed while koryph was at work, so it is not clear where to land",
    hint: "start koryph again; nothing was pushed",
  }),
};

/** What git calls a refusal by the operator's own checkout, and what to do about it. */
const CHECKOUT: readonly (readonly [RegExp, string])[] = [
  [
    /Working directory has unstaged changes/,
    "the checkout has uncommitted changes; commit or stash them, then land again",
  ],
  [
    /Working directory has staged changes/,
    "the checkout has staged changes that are in no commit; commit or stash them, then land again",
  ],
  [
    /Could not update working tree/,
    "the checkout has files in the way that git does not track; move them aside, then land again",
  ],
  [
    /Up-to-date check failed|index\.lock/,
    "another git is at work in the checkout, or a killed one left .git/index.lock; land again once that is gone",
  ],
];

export function wouldOverwrite(path: string): string {
  return `the checkout has a file ${plainText(path)} that git does not track and that would be lost; move it aside, then land again`;
}

/** Why a push did not move the branch: what the remote's own rules say comes first. */
export function pushRefusal(output: string): string {
  const known = CHECKOUT.find(([pattern]) => pattern.test(output));
  const named = /^error: Untracked working tree file '(.*)' would/m.exec(output)?.[1];
  if (known !== undefined) return named === undefined ? known[1] : `${known[1]} (${clean(named)})`;
  const verdict = /^!\t[^\t]*\t\[[^\]]*\] \((.*)\)$/m.exec(output)?.[1];
  const said = [...output.matchAll(/^remote: (.*)$/gm)].map(([, text = ""]) => text.trim());
  const words = said.filter((text) => text !== "").join(" ");
  if (verdict === undefined) return words === "" ? firstComplaint(output) : clean(words);
  return clean(words === "" ? verdict : `${verdict}: ${words}`);
}

function firstComplaint(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const named = lines.find((line) => /^(fatal|error):/.test(line) && !/failed to push some refs/.test(line));
  return clean(named ?? lines[0] ?? "git gave no reason");
}

/** Hooks and servers say what they like, and an address may carry a password. */
function clean(text: string): string {
  return cutText(redactText(withoutCredentials(plainText(text))), LONGEST);
}
