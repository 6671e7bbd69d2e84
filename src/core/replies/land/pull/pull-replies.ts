import type { WithdrawalRefusal } from "../../../control/decide-withdrawal.js";
import type { Hand } from "../../../land/pull/count-approvals.js";
import type { ApprovalRefusal } from "../../../land/pull/decide-approval.js";
import type { PullRequestRefusal } from "../../../land/pull/decide-pull-request.js";
import type { Refused } from "../../commands/reply-row.js";
import { shownCode, shownSentence, shownText } from "../../markdown.js";
import { pullWords } from "./pull-words.js";

const HANDS: Readonly<Record<Hand, string>> = {
  opened: "you have opened this pull request",
  authored: "you are the author of one of its commits",
  committed: "you are the committer of one of its commits",
  pushed: "you have pushed to its branch",
};

const short = (sha: string) => shownCode(sha.slice(0, 12));

/** Sentences about pull requests in replies to comments, in markdown. */
export const pullReplies = {
  approved: (head: string): string => `${short(head)} is approved by you for landing`,
  approvedBefore: (head: string): string => `you have approved ${short(head)} already`,
  /** After the sentence of the approval. */
  reviewed: (): string => "it is also your review on GitHub",
  reviewForm: (url: string): string =>
    `that is enough for koryph; for GitHub's own count, [approve it in GitHub's form as well](${encodeURI(url)}/files#submit-review), or ${shownCode("/koryph link")} your account once`,
  /** The text of the review that a linked account gives. */
  reviewBody: (url: string): string => `Approved with [a comment](${encodeURI(url)}).`,
  queued: (head: string, branch: string): string =>
    `${short(head)} is in the queue for ${shownCode(branch)}, and lands when all conditions hold`,
  queuedBefore: (head: string): string => `${short(head)} is in the landing queue already`,
  withdrawn: (head: string): string =>
    `the landing of ${short(head)} is taken back, and nothing was put on the base branch`,
  /** On record, and told to whoever had asked for the landing. */
  withdrawnDetail: (): string => "its landing was taken back",
  closed: (): string => "closed without landing",
};

export const pullReplyRefusal = {
  noPull: (verb: string): Refused =>
    refused("not_a_pull", `${shownCode(`/koryph ${verb}`)} is for pull requests, and this is an issue`, ""),
  gone: (): Refused => refused("pull_gone", "GitHub does not show this pull request any more", ""),
  approval: (refusal: ApprovalRefusal): Refused => {
    switch (refusal.code) {
      case "not_open":
        return refused("not_open", "this pull request is not open", "");
      case "own_work":
        return refused(
          "own_work",
          `${HANDS[refusal.hand]}: nobody approves what they had a hand in`,
          "ask somebody else with write access",
        );
      case "too_large":
        return refused(
          "too_large",
          "it has so many commits that GitHub does not tell who made all of them",
          "split it, or squash some of its commits",
        );
      case "sha_mismatch":
        return refused(
          "sha_mismatch",
          `the head is ${short(refusal.head)}, and you named ${shownCode(refusal.asked)}`,
          `look at the head, then ${shownCode(`/koryph approve ${refusal.head.slice(0, 12)}`)}`,
        );
      case "head_moved":
        return refused(
          "head_moved",
          `nothing shows that the head, ${short(refusal.head)}, was there before you wrote`,
          `look at the head, then ${shownCode(`/koryph approve ${refusal.head.slice(0, 12)}`)}`,
        );
    }
  },
  withdrawal: (refusal: WithdrawalRefusal): Refused => {
    switch (refusal.code) {
      case "not_queued":
        return refused("not_queued", "no landing of this pull request is in the queue", "");
      case "too_late":
        return refused(
          "too_late",
          `${short(refusal.head)} has landed already, or is on its way to the base branch`,
          `${shownCode("/koryph why")} tells how it stands`,
        );
    }
  },
  landing: (refusal: PullRequestRefusal): Refused => {
    switch (refusal.code) {
      case "held": {
        const reason = refusal.reason === "" ? "" : `: ${shownText(refusal.reason, 300)}`;
        return refused(
          "held",
          `it is held by ${shownCode(refusal.actor)}${reason}`,
          shownCode("/koryph unhold"),
        );
      }
      case "under_way": {
        const { method } = refusal;
        return refused(
          "under_way",
          `it waits to land already, with ${shownCode(`--method ${method}`)}`,
          `${shownCode(`/koryph land --method ${method}`)} goes on with that; ${shownCode("/koryph land --cancel")} takes it back`,
        );
      }
      case "head_moved":
        return refused(
          "head_moved",
          `nothing shows that the head, ${short(refusal.actual)}, was there before you wrote`,
          `look at the head, then ${shownCode(`/koryph land ${refusal.actual.slice(0, 12)}`)}`,
        );
      case "not_open":
      case "draft":
      case "sha_mismatch": {
        const { found, need, next } = pullWords(refusal);
        return refused(
          refusal.code,
          `${shownSentence(found, 300)}; needed: ${shownSentence(need)}`,
          shownSentence(next, 300),
        );
      }
    }
  },
};

function refused(code: string, said: string, next: string): Refused {
  return { kind: "refuse", code, said, next };
}
