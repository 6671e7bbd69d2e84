import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import { shellWord } from "../../../lib/shell-word.js";
import type { Advice } from "../../../lib/user-error.js";
import { gitComplaint } from "../run/worktrees.js";
import { neededVersion, versionToBringIn } from "./needed-version.js";

/** Git repeats the address it was given, and an address may hold a password. */
function gitSaid(text: string): string {
  const said = plainText(text.replace(/\/\/[^/@\s]+@/g, "//"));
  return said === "" ? "" : `: ${said}`;
}

const LONGEST_TYPE = 60;

const short = (commit: string) => commit.slice(0, 10);

const LEDGER_REF_HINT =
  "let ledger.ref in koryph.project.json name a ref of its own, such as refs/koryph/ledger; nothing was pushed";

export const ledgerAdvice = {
  unwritable: (gitDir: string, problem: string): Advice => ({
    message: `the ledger's copy at ${gitDir} cannot be written${gitSaid(problem)}`,
    hint: "look for a full disk or wrong permissions there; nothing was recorded",
  }),
  notOurs: (gitDir: string): Advice => ({
    message: `${gitDir} is there, and is not a bare git repository`,
    hint: "move it away; the ledger's copy is made again from the remote",
  }),
  unreachable: (problem: string): Advice => ({
    message: `the ledger's remote did not answer: ${gitComplaint(problem)}`,
    hint: "check network and access with `git ls-remote`; what was recorded meanwhile is shared later",
  }),
  refused: (ref: string, problem: string): Advice => ({
    message: `the remote did not take the push to ${ref}${gitSaid(problem)}`,
    hint: "the token or key needs write access, and no rule may protect that ref from pushes",
  }),
  busy: (ref: string): Advice => ({
    message: `others kept appending to ${ref} first`,
    hint: "try again; what was recorded is kept here",
  }),
  rewound: (ref: string, seen: string, found: string | null, gitDir: string): Advice => ({
    message: `ledger_rewound: ${ref} was at ${short(seen)} and is now ${
      found === null ? "gone" : `at ${short(found)}, which does not follow from it`
    }`,
    hint: `push ${short(seen)} back to ${ref}, or, if the loss is wanted, remove ${gitDir} on every machine`,
  }),
  defaultBranch: (ref: string): Advice => ({
    message: `ledger.ref is ${ref}, which is the default branch`,
    hint: LEDGER_REF_HINT,
  }),
  notALedger: (ref: string, tip: string): Advice => ({
    message: `${ref} on the remote is no ledger: it holds other commits, the newest ${short(tip)}`,
    hint: LEDGER_REF_HINT,
  }),
  notACommit: (ref: string, kind: string, object: string, gitDir: string): Advice => ({
    message: `${ref} on the remote is no ledger: it holds a ${kind}, ${short(object)}`,
    hint: `somebody pushed it over the ledger; put the last commit back: git -C ${shellWord(gitDir)} push --force <remote> refs/koryph/seen:${ref}`,
  }),
  readOnly: ({ type, needs }: { type: string; needs: string }): Advice => ({
    message: `the ledger holds a critical ${cutText(plainText(type), LONGEST_TYPE)} event, so this koryph may only read it: the event needs ${neededVersion(needs)}`,
    hint: versionToBringIn(needs),
  }),
  vagueText: (least: number): Advice => ({
    message: `a text to purge needs at least ${least} characters, or it takes too much with it`,
    hint: "give more of it, or name one event with its id (`koryph log --json` shows them)",
  }),
  ownWord: (text: string): Advice => ({
    message: `${plainText(text)} is a word the ledger itself uses, so it cannot be purged as a text`,
    hint: "give more of the text, or name the event with its id",
  }),
};

export const ledgerShape = {
  merge: "has more than one parent",
  tree: "has files",
  lateRoll: "a roll that does not open the chain",
};

/** The remote is away, and what this machine knows is shown instead. */
export function offlineLine(problem: string): string {
  return `koryph: ${plainText(problem)}; what follows is this machine's copy of the ledger; \`git ls-remote\` tells when it answers again`;
}

/** Recorded, and not shared yet. */
export function unsharedLine(): string {
  return "koryph: recorded here: an engine on this machine acts on it, others see it once the remote answers";
}
