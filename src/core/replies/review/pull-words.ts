import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { NoGithub } from "../../config/github-remote.js";
import type { LeftReview } from "../../land/pull/decide-approval.js";
import type { FlagClash, PullSkip } from "../../review/pull/review-request.js";
import { quote, shortSha } from "../land/quote.js";

/** What keeps a pull request from being analysed or decided on, for the operator. */
export const pullAdvice = {
  noGithub: (found: NoGithub): Advice => ({
    message:
      found.kind === "no_remote"
        ? "pull requests are on GitHub, and this repository has no remote"
        : `pull requests are on GitHub, and ${found.host === "" ? "the remote is a folder" : `${quote(found.host)} is none that koryph knows as such`}`,
    hint: "point the remote to GitHub; for a GitHub of your own set GITHUB_SERVER_URL and GITHUB_API_URL",
  }),
  noToken: (host: string): Advice => ({
    message: `pull requests on ${quote(host)} are read and written with your own token, and there is none`,
    hint: "set GITHUB_TOKEN or GH_TOKEN, or log in with `gh auth login`",
  }),
  noSuchPull: (pull: number, repository: string): Advice => ({
    message: `${repository} has no pull request ${pull}`,
    hint: "`koryph review-pr --all` takes those that are open",
  }),
  notFetched: (pull: number, branch: string): Advice => ({
    message: `the remote does not have refs/pull/${pull}/head and the branch ${quote(branch)}`,
    hint: "the remote that `ledger.remote` names must be the repository on GitHub itself",
  }),
  unrelated: (pull: number, branch: string): Advice => ({
    message: `pull request ${pull} and ${quote(branch)} have no commit in common, so there is no change to read`,
    hint: "its author has to start from the branch",
  }),
  oddName: (path: string): Advice => ({
    message: `the file ${quote(path)} has a name that is no UTF-8, and would have to be replaced before an agent reads the pull request`,
    hint: "read this pull request yourself, or ask its author for another name",
  }),
  moved: (pull: number, from: string, to: string): Advice => ({
    message: `pull request ${pull} moved from ${shortSha(from)} to ${shortSha(to)} meanwhile, and the analysis is of the former`,
    hint: `nothing was posted; run \`koryph review-pr ${pull} --comment\` again`,
  }),
  nothingSaved: (pull: number): Advice => ({
    message: `no analysis of pull request ${pull} is kept on this machine`,
    hint: `\`koryph review-pr ${pull}\` makes one`,
  }),
  busy: (pull: number, pid: number): Advice => ({
    message: `another koryph (process ${pid}) is at pull request ${pull}`,
    hint: "wait until it has ended",
  }),
  ownPull: (pull: number, viewer: string): Advice => ({
    message: `${viewer} opened pull request ${pull}, so ${viewer} cannot approve it`,
    hint: "ask somebody else to approve it",
  }),
  ownCommit: (pull: number, viewer: string): Advice => ({
    message: `${viewer} wrote or committed a commit of pull request ${pull}, and so cannot approve it`,
    hint: "ask somebody else to approve it",
  }),
  tooManyCommits: (pull: number): Advice => ({
    message: `pull request ${pull} has more commits than GitHub lists, so nobody can tell whether one of them is yours`,
    hint: "approve it on GitHub, or have it split",
  }),
  refused: (pull: number, why: string): Advice => ({
    message: `GitHub does not take the review of pull request ${pull}: ${quote(why)}`,
    hint: "the token needs the right to write pull requests",
  }),
  commentOn: (given: string): Advice => ({
    message: `--comment-on takes path:line:message, not ${quote(given, 200)}`,
    hint: "for example --comment-on 'src/main.ts:12:what if it is empty?'",
  }),
  noModel: (why: string): Advice => ({
    message: `no model may analyse pull requests: ${quote(why)}`,
    hint: "`model_map.frontier` names the model, and `allowed_models` must list it",
  }),
};

export function flagClash(clash: FlagClash): Advice {
  const hint = "koryph review-pr --help shows the forms there are";
  switch (clash) {
    case "no-target":
      return { message: "review-pr takes the number of a pull request, or --all", hint };
    case "two-targets":
      return { message: "review-pr takes either a number or --all", hint };
    case "all-with-action":
      return { message: "--all goes with --comment only: the rest is decided one by one", hint };
    case "two-actions":
      return { message: "--approve and --close each stand alone", hint };
    case "body-without-use":
      return { message: "--body is the text of --approve or --close", hint };
    case "close-without-body":
      return { message: "--close needs --body: its author wants to know why", hint };
    case "remarks-with-resume":
      return { message: "--resume goes with --comment, and not with --comment-on", hint };
  }
}

const SKIPS: Readonly<Record<PullSkip, string>> = {
  draft: "it is a draft",
  own: "it is your own",
};

export function skipText(why: PullSkip): string {
  return SKIPS[why];
}

export const pullLines = {
  skipped: (pull: number, why: string): string => `#${pull} skipped: ${plainText(why)}`,
  ended: (pull: number, state: "merged" | "closed"): string =>
    `#${pull} is ${state}; there is nothing to analyse`,
  reading: (pull: number, title: string, head: string): string =>
    `#${pull} ${plainText(title)}: a reviewer reads ${shortSha(head)}`,
  movedNote: (pull: number, from: string, to: string): string =>
    `note: #${pull} has moved on from ${shortSha(from)}, which this is about, to ${shortSha(to)}`,
  posted: (url: string, resolved: number): string =>
    `posted: ${url}${resolved === 0 ? "" : `; ${resolved} mended ${resolved === 1 ? "finding" : "findings"} resolved`}`,
  nothingNew: (): string => "nothing new to post: all of it stands there already",
  check: (url: string): string => `check run: ${url}`,
  noCheck: (): string => "no check run: GitHub takes those only from an App, and the token is not one's",
  approved: (pull: number, head: string, url: string): string =>
    `#${pull} approved at ${shortSha(head)}: ${url}`,
  counted: (): string => "koryph counts it when the pull request lands",
  notCounted: (why: LeftReview): string => `koryph does not count it when it lands: ${LEFT_REVIEWS[why]}`,
  closed: (pull: number): string => `#${pull} closed`,
  stopping: (): string => "stopping the reviewer…",
  stopped: (done: number, left: number): string => `stopped: ${done} analysed, ${left} not`,
  none: (): string => "no pull request is open",
};

const LEFT_REVIEWS: Readonly<Record<LeftReview, string>> = {
  not_open: "the pull request is not open any more",
  own_work: "you had a hand in its commits, or pushed to its branch",
  too_large: "it has so many commits that GitHub does not tell who made all of them",
  sha_mismatch: "its head is another one by now",
  head_moved: "nothing shows that its head was there before you approved; look again and approve once more",
  already: "you have approved this head before, and that counts",
  "not-a-person": "the token is an app's",
  "not-permitted": "you have no write access to the repository",
  "not-approved": "there is no approval of yours",
};
