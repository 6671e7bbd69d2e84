import { plainText } from "../../../../lib/plain-text.js";
import type { Advice } from "../../../../lib/user-error.js";
import type { WithdrawalRefusal } from "../../../control/decide-withdrawal.js";
import type { OperatorPullRefusal } from "../../../land/pull/decide-pull-request.js";
import type { PullRefusal } from "../../../land/pull/pull-refusal.js";
import { quote } from "../quote.js";
import { atTerminal } from "./pull-commands.js";
import { pullWords } from "./pull-words.js";

/** What a landing of a pull request waits for, and whose turn that is. */
export function unmetText(unmet: readonly PullRefusal[]): string {
  const [first, ...more] = unmet.map((each) => pullWords(each));
  if (first === undefined) return "waits for its next look";
  const others = more.map(({ found }) => `; ${plainText(found)}`).join("");
  return `waits for ${first.who}: ${plainText(first.found)}${others}`;
}

/** A refused landing, for the terminal: what was found, what else is missing, and the next step. */
export function pullRefusedLines(
  name: string,
  pull: number,
  { refusal, unmet }: { readonly refusal: PullRefusal; readonly unmet: readonly PullRefusal[] },
): string[] {
  const how = atTerminal(pull);
  const { code, found, need, next, who } = pullWords(refusal, how);
  const others = unmet.filter((each) => each.code !== code).map((each) => pullWords(each, how));
  return [
    `${name} was not landed, ${code}: ${plainText(found)}`,
    `  needed: ${plainText(need)}`,
    ...(next === "" ? [] : [`  next: ${plainText(next)}`]),
    `  who: ${who}`,
    ...others.map((each) => `  also ${each.code}: ${plainText(each.found)}`),
  ];
}

/** The same for one that did not come into the queue. */
export function notQueuedAdvice(name: string, pull: number, refusal: OperatorPullRefusal): Advice {
  const how = atTerminal(pull);
  switch (refusal.code) {
    case "held": {
      const { actor, reason } = refusal;
      return {
        message: `${name} is held by ${plainText(actor)}${reason === "" ? "" : `: ${plainText(reason)}`}`,
        hint: "`/koryph unhold` on the pull request lets it go on",
      };
    }
    case "under_way": {
      const { method, allowProtected } = refusal;
      return {
        message: `a landing of ${name} is in the queue already, with --method ${method}${allowProtected ? "" : " and without --allow-protected"}`,
        hint: `\`${how.land()}\` without that flag goes on with it`,
      };
    }
    case "at_work":
      return {
        message: `${refusal.bead}, whose pull request this is, is ${refusal.status}`,
        hint: `\`koryph show ${refusal.bead}\` tells what a run does with it; land it when it is pr-opened again`,
      };
    case "not_open":
    case "draft":
    case "sha_mismatch":
    case "head_moved": {
      const { code, found, next } = pullWords(refusal, how);
      return { message: `${name} was not landed, ${code}: ${plainText(found)}`, hint: plainText(next) };
    }
  }
}

/** The same for a landing that cannot be taken back. */
export function notWithdrawnAdvice(name: string, refusal: WithdrawalRefusal): Advice {
  switch (refusal.code) {
    case "not_queued":
      return {
        message: `no landing of ${name} as a pull request is in the queue`,
        hint: "`koryph status` shows what is; a bead that lands without a pull request is taken back with Ctrl-C where it was asked for",
      };
    case "too_late":
      return {
        message: `${name} has landed already, or is on its way to the base branch, as ${refusal.head.slice(0, 12)}`,
        hint: "`koryph log` tells what became of it",
      };
  }
}

export const pullLandAdvice = {
  otherRepository: (found: string, own: string): Advice => ({
    message: `that pull request is one of ${quote(found)}, and this project's repository is ${quote(own)}`,
    hint: "run koryph in the checkout of that repository",
  }),
  noSuchPull: (number: number, repository: string): Advice => ({
    message: `${plainText(repository)} has no pull request ${number}`,
    hint: "`koryph list` shows the beads that are pull requests; GitHub lists all of them",
  }),
};

export const pullLandLines = {
  leaving: (name: string): string => `leaving ${name} in the landing queue…`,
  left: (name: string, pull: number): string =>
    `${name} keeps its place in the landing queue; koryph land ${pull} goes on with it`,
  withdrawn: (name: string, head: string): string =>
    `${name} is out of the landing queue; nothing of ${head.slice(0, 12)} was put on the base branch`,
  held: (name: string): string => `${name} is held and keeps its place; /koryph unhold lets it go on`,
  gone: (name: string): string => `${name} was taken out of the queue; koryph log tells by whom`,
  merging: (name: string): string => `${name}  waits for GitHub to show it as merged`,
  notMerged: (name: string): string =>
    `GitHub does not show ${name} as merged, although its base branch has it; its branch stays`,
};
