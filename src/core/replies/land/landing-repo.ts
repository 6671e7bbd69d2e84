import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { shellWord } from "../../../lib/shell-word.js";
import type { Advice } from "../../../lib/user-error.js";
import { redactText, withoutCredentials } from "../../redact.js";
import { quoteFew } from "./quote.js";

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
  otherBranch: (branch: string, found: string): Advice => ({
    message: `other_branch: koryph lands on ${plainText(branch)} here, and ${plainText(found)} is checked out`,
    hint: `git checkout ${shellWord(branch)}; to land on ${plainText(found)} instead, ${setBranch(found)}`,
  }),
  branchGone: (kept: string, branches: readonly string[]): Advice => ({
    message: `other_branch: koryph lands on ${plainText(kept)} here, and there is no such branch any more`,
    hint: `to land on another one, ${setBranch(null)}; there ${areBranches(branches)}`,
  }),
  noSuchBranch: (asked: string, branches: readonly string[]): Advice => ({
    message: `koryph.project.json names ${plainText(asked)} as default_branch, and there is no such branch`,
    hint: `make it, or name another one; there ${areBranches(branches)}`,
  }),
  whichBranch: (branches: readonly string[]): Advice => ({
    message:
      "it is not clear which branch to land on: there is no remote, and none of init.defaultBranch, main and master is a branch here",
    hint: `${setBranch(null)}; there ${areBranches(branches)}`,
  }),
  noHead: (url: string, branches: readonly string[]): Advice => ({
    message: `the default branch of ${plainText(withoutCredentials(url))} is gone: its HEAD names a branch that is not there`,
    hint: `push that branch again, make another one the default branch on the remote, or ${setBranch(null)}; it has ${named(branches)}`,
  }),
};

const MOST_NAMED = 5;

function named(branches: readonly string[]): string {
  const more = branches.length > MOST_NAMED ? ", …" : "";
  return `${branches.slice(0, MOST_NAMED).map(shellWord).map(plainText).join(", ")}${more}`;
}

function areBranches(branches: readonly string[]): string {
  if (branches.length === 0) return "is none";
  return `${branches.length === 1 ? "is" : "are"} ${named(branches)}`;
}

/** A branch of null is whichever is meant. */
function setBranch(branch: string | null): string {
  const value = branch === null ? "" : ` to ${plainText(JSON.stringify(branch))}`;
  return `set default_branch${value} in koryph.project.json`;
}

/** What keeps the operator's own checkout from taking a landing, and what to do about it. */
export const checkoutWords = {
  locked: (lock: string) =>
    `another git is at work in the checkout, or a killed one left ${plainText(lock)}; remove that file once no git is at work`,
  unstaged: (paths: readonly string[]) =>
    `the checkout has uncommitted changes${inFew(paths)}; commit or stash them`,
  staged: (paths: readonly string[]) =>
    `the checkout has staged changes that are in no commit${inFew(paths)}; commit or stash them`,
  untracked: (path?: string) =>
    `the checkout has files in the way that git does not track${path === undefined ? "" : ` (${remoteWords(path)})`}; move them aside`,
  wouldOverwrite: (path: string) =>
    `the checkout has a file ${plainText(path)} that git does not track and that would be lost; move it aside`,
};

function inFew(paths: readonly string[]): string {
  return paths.length === 0 ? "" : ` (${quoteFew(paths)})`;
}

/** What git itself calls such a refusal. */
const CHECKOUT: readonly (readonly [RegExp, (path?: string) => string])[] = [
  // First, because git says the other things too when it cannot begin.
  [
    /Up-to-date check failed|Unable to create '[^']*index\.lock'/,
    () => checkoutWords.locked(".git/index.lock"),
  ],
  [/Working directory has unstaged changes/, () => checkoutWords.unstaged([])],
  [/Working directory has staged changes/, () => checkoutWords.staged([])],
  [/Could not update working tree/, checkoutWords.untracked],
];

/** Why a push did not move the branch: what the remote's own rules say comes first. */
export function pushRefusal(output: string): string {
  const known = CHECKOUT.find(([pattern]) => pattern.test(output));
  const named = /^error: Untracked working tree file '(.*)' would/m.exec(output)?.[1];
  if (known !== undefined) return known[1](named);
  const verdict = /^!\t[^\t]*\t\[[^\]]*\] \((.*)\)$/m.exec(output)?.[1];
  const said = [...output.matchAll(/^remote: (.*)$/gm)].map(([, text = ""]) => text.trim());
  const words = said.filter((text) => text !== "").join(" ");
  if (verdict === undefined) return words === "" ? firstComplaint(output) : remoteWords(words);
  return remoteWords(words === "" ? verdict : `${verdict}: ${words}`);
}

function firstComplaint(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const named = lines.find((line) => /^(fatal|error):/.test(line) && !/failed to push some refs/.test(line));
  return remoteWords(named ?? lines[0] ?? "git gave no reason");
}

/** Hooks and servers say what they like, and an address may carry a password. */
export function remoteWords(text: string): string {
  return cutText(redactText(withoutCredentials(plainText(text))), LONGEST);
}
