import { shellWord } from "../../../../lib/shell-word.js";
import type { Uncounted, UncountedApproval } from "../../../land/pull/count-approvals.js";
import {
  type Mender,
  menderOf,
  menderOfCode,
  type NamedCheck,
  type PullReasonCode,
  type PullRefusal,
} from "../../../land/pull/pull-refusal.js";
import { explainSignature } from "../../sign/signing.js";
import { gateEnd } from "../gate.js";
import { quote, quoteFew, shortSha } from "../quote.js";
import { IN_COMMENTS, type PullCommands } from "./pull-commands.js";
import type { PullWords, ReasonWords } from "./reason-words.js";
import { RUNNER_WORDS } from "./runner-words.js";

const WORDS: { readonly [C in PullReasonCode]: ReasonWords<C> } = {
  not_open: ({ merged }, { land }) => ({
    found: merged ? "the pull request is merged already" : "the pull request is closed",
    need: "an open pull request",
    next: merged ? "" : `reopen it, then ${land()}`,
  }),
  draft: (_, { land }) => ({
    found: "the pull request is a draft",
    need: "one that is ready for review",
    next: `mark it as ready for review, then ${land()}`,
  }),
  base_changed: ({ asked, actual }, { land }) => ({
    found: `its base branch is ${actual} now, and was ${asked} when the landing was asked for`,
    need: "the base branch that was meant",
    next: `${land()}, if it is to land there`,
  }),
  head_moved: ({ asked, actual }, { approve, land }) => ({
    found: `its head is ${shortSha(actual)} now, and ${shortSha(asked)} was asked for`,
    need: "the head that people have seen",
    next: `look at what is new, ${approve(actual)}, then ${land(actual)}`,
  }),
  sha_mismatch: ({ asked, actual }) => ({
    found: `its head is ${shortSha(actual)}, and ${asked} was named`,
    need: "the head's own SHA, its first 12 digits at least",
    next: `look at what is new, then name ${actual.slice(0, 12)}`,
  }),
  too_large: (refusal, { land }) =>
    "commits" in refusal
      ? {
          found: `it has ${refusal.commits} commits, and GitHub does not tell who made all of them`,
          need: "fewer than 250 commits",
          next: "split it, or squash some of its commits",
        }
      : {
          found: `it has more than ${refusal.verdicts} reviews that approve it or ask for changes, and a request for changes may be among those that koryph does not read`,
          need: "a pull request with fewer reviews",
          next: `open another pull request for the same branch, have it approved, and ${land()} there`,
        },
  not_approved: ({ needed, counted, left }, { approve }) => ({
    found: `${counted} of ${needed} approvals${left.length === 0 ? "" : `; ${left.map(uncountedText).join("; ")}`}`,
    need: `${needed === 1 ? "the approval of one person" : `the approvals of ${needed} people`} who had no hand in its commits, for exactly this head`,
    next: left.some(({ why }) => why === "requested")
      ? `another reviewer types ${approve()}, or somebody else asks for the landing`
      : `a reviewer types ${approve()}, or approves in GitHub's own form`,
  }),
  changes_requested: ({ by }, { land }) => ({
    found: `${quoteFew(by)} asked for changes`,
    need: "nobody who may approve it, and whose last review asks for changes",
    next: `${by.length === 1 ? "that person approves" : "each of them approves"} it in GitHub's own form, or somebody dismisses the review there; then ${land()}`,
  }),
  ancestor_unapproved: ({ pulls }) => ({
    found: `landing it would also merge ${pulls.map((pull) => `pull request ${pull}`).join(", ")}, whose commits it contains`,
    need: "the same approvals for each of them",
    next: "approve and land those first, or close them",
  }),
  rules_unreadable: ({ why }) => ({
    found: `the rules of the base branch cannot be read: ${why}`,
    need: "rules that koryph can read, because with a bypass nobody else enforces them",
    next: "move the branch protection into a ruleset, which every app can read",
  }),
  rule_unsupported: ({ rules }) => ({
    found: `koryph cannot enforce ${quoteFew(rules.map(({ type, why }) => `${type} (${why})`))}`,
    need: "rules that koryph can enforce",
    next: "take the rule off this branch, or merge this pull request on GitHub",
  }),
  missing_bypass: ({ rulesets }, { land, pusher }) => ({
    found: `${quoteFew(rulesets)} lets nobody push to the base branch, ${pusher} included`,
    need: `${pusher} on the bypass list of that ruleset, with the mode Always`,
    next: `add it under Settings → Rules → Rulesets → Bypass list, then ${land()}`,
  }),
  needs_app_token: ({ lacks, rulesets }, { land, code }) => ({
    found:
      lacks === "bypass"
        ? `${quoteFew(rulesets)} lets nobody push to the base branch, and no bypass list can name a workflow's GITHUB_TOKEN`
        : "the branch has to be written anew, and a push by a workflow's GITHUB_TOKEN starts none of the required checks",
    need: "the token of a GitHub App in place of GITHUB_TOKEN",
    next:
      lacks === "bypass"
        ? `put an App on the bypass list with the mode Always and give its token to the workflow, as docs/action.md shows, or land it with ${code("koryph land")}; then ${land()}`
        : `its author rebases the branch and pushes it, or give an App's token to the workflow, as docs/action.md shows; then ${land()}`,
  }),
  code_owner_missing: ({ files }, { approve }) => ({
    found: `no code owner has approved ${quoteFew(files.map(({ path, owners }) => `${path} (${owners.join(" ")})`))}`,
    need: "an approval of an owner of each file; koryph cannot tell who is in a team",
    next: `an owner types ${approve()}; name people beside teams in CODEOWNERS`,
  }),
  unresolved_threads: ({ threads }, { land }) => ({
    found: `${threads} ${threads === 1 ? "conversation is" : "conversations are"} not resolved`,
    need: "all conversations resolved, as a rule of the base branch asks",
    next: `resolve them, then ${land()}`,
  }),
  protected_path: ({ paths }, { lift }) => ({
    found: `it changes ${quoteFew(paths)}, which steers agents, gates or trust`,
    need: "a person who lands it by hand after a look",
    next: `${lift}merge it on GitHub`,
  }),
  workflow_file: ({ paths }) => ({
    found: `it changes ${quoteFew(paths)}, and GitHub lets no app push workflow files without a permission that koryph does not ask for`,
    need: "a person who lands it",
    next: "merge it on GitHub",
  }),
  unsupported_change: ({ findings }) => ({
    found: findings.join("; "),
    need: "commits that koryph can check one by one",
    next: "rewrite the branch without that, or merge it on GitHub",
  }),
  no_changes: (_, { close }) => ({
    found: "its commits change nothing that the base branch does not have already",
    need: "a change",
    next: `close it with ${close}`,
  }),
  squash_unsupported: ({ commits }, { land }) => ({
    found: `a squash of its ${commits} commits would rewrite the branch, and that is a fork's`,
    need: "a branch of this repository, or one commit",
    next: `its author squashes the branch and has it approved, then ${land()}`,
  }),
  no_required_checks: () => ({
    found: "land.gate is checks, and no rule of the base branch requires a check",
    need: "a required status check on the base branch",
    next: "require one in a ruleset of the base branch",
  }),
  gate_unproven: ({ check, by }) =>
    by === null
      ? {
          found: `land.gate is run, and koryph on GitHub runs no gate; no required check is called ${check}`,
          need: "a required check that runs the gate",
          next: `require a check called ${check}, have a runner run it, or set land.gate to checks in koryph.project.json`,
        }
      : {
          found: "the gate has not run on this head",
          need: "a gate that is green on exactly this head",
          next: by === "runner" ? "koryph has a runner run it when it lands" : "koryph runs it when it lands",
        },
  gate_failed: ({ command, exit: code, output }, { land }) => ({
    found: `the gate is red: ${quote(command)} ${gateEnd({ code, output })}`,
    need: "a gate that is green on exactly what lands",
    next: `its author mends it and has the new head approved, then ${land()}`,
  }),
  base_red: ({ base, command, exit, output }, { land, code }) => ({
    found: `the base branch itself is red at ${shortSha(base)}: ${quote(command)} ${gateEnd({ code: exit, output })}; that is not this pull request's fault`,
    need: "a base branch whose own gate is green",
    next: `${code("koryph gate")} shows what is wrong there; once it is mended, ${land()}`,
  }),
  check_red: ({ checks }, { land }) => ({
    found: `${checksText(checks)} on this head`,
    need: "all required checks green on exactly this head",
    next: `fix it, or run the check again, then ${land()}`,
  }),
  check_missing: ({ checks }) => ({
    found: `nothing has reported ${checksText(checks)} on this head; a check of Actions counts only as a job of a workflow run of this head`,
    need: "all required checks green on exactly this head",
    next: "see whether its workflow runs for this pull request",
  }),
  check_pending: ({ checks }) => ({
    found: `${checksText(checks)} on this head`,
    need: "all required checks green on exactly this head",
    next: "",
  }),
  unsigned_commit: ({ commits }, { code }) => ({
    found: quoteFew(commits.map((commit) => `${shortSha(commit.sha)}: ${explainSignature(commit)}`)),
    need: "a good signature on every commit, by a signer that .allowed_signers on the base branch names",
    next: `sign them with ${code("git rebase --force-rebase -S <base>")}, push, and have the new head approved`,
  }),
  commit_rule: ({ commits, rule }) => ({
    found: `${quoteFew(commits.map(shortSha))} ${commits.length === 1 ? "breaks" : "break"} the rule ${rule}`,
    need: "commits that keep the rules of the base branch",
    next: "rewrite them, push, and have the new head approved",
  }),
  base_moved: ({ base, branch, fork, repository }, { code }) => ({
    found: `${branch} has moved to ${shortSha(base)}, which this branch does not contain`,
    need: "a branch that begins at the base branch as it is now",
    next: fork
      ? `its author types ${code(`git fetch ${repository} ${shellWord(branch)} && git rebase FETCH_HEAD && git push --force-with-lease`)} (with rebase -S where commits are signed); then the new head needs an approval`
      : "koryph rebases it when it lands",
  }),
  no_signing_key: (_, { key }) => ({
    found: "the base branch has moved, and koryph has no key to sign rebased commits with",
    need: key.need,
    next: `rebase and sign the branch yourself, and have the new head approved; or ${key.next}`,
  }),
  key_not_allowed: () => ({
    found:
      "the base branch has moved, and .allowed_signers on it does not name the key koryph would sign with",
    need: "a line for koryph's key in .allowed_signers on the base branch",
    next: "add the line in a pull request of its own, or rebase and sign the branch yourself",
  }),
  base_busy: ({ moves }, { land }) => ({
    found: `the base branch moved ${moves} times while this was landing`,
    need: "a base branch that stands still for as long as the checks take",
    next: `${land()}, when it is calmer`,
  }),
  head_not_shown: ({ head }) => ({
    found: `GitHub does not show ${shortSha(head)} on the pull request yet`,
    need: "a pull request that shows what is on its branch",
    next: "",
  }),
  ...RUNNER_WORDS,
  rebase_conflict: ({ files }) => ({
    found: `the base branch has moved, and replaying the commits on it conflicts in ${quoteFew(files)}`,
    need: "a branch that applies to the base branch as it is now",
    next: "rebase it by hand, push, and have the new head approved",
  }),
  not_replayed: ({ why }, { land }) => ({
    found: `the base branch has moved, and replaying the commits on it gives others than those that people have seen: ${why}`,
    need: "the same tree, author and message for each commit",
    next: `rebase the branch by hand, push, and have the new head approved; then ${land()}`,
  }),
  push_refused: ({ why }, { land }) => ({
    found: `GitHub did not take the push: ${why}`,
    need: "a base branch that takes what koryph has checked",
    next: `change the rule it names, then ${land()}`,
  }),
};

const WHO: Readonly<Record<Exclude<Mender, "operator">, string>> = {
  author: "the author of the pull request",
  reviewers: "a reviewer with write access",
  maintainers: "a maintainer",
  administrators: "an administrator of the repository",
  "owners-of-checks": "whoever owns the check",
  "owners-of-runners": "whoever looks after the runners",
  koryph: "koryph itself",
  time: "nobody has to: it passes by itself",
};

/** `how` the reader gives the commands that the words name: in a comment, unless told. */
export function pullWords(refusal: PullRefusal, how: PullCommands = IN_COMMENTS): PullWords {
  const { code } = refusal;
  const words = (WORDS[code] as ReasonWords<PullReasonCode>)(refusal, how);
  const who = menderOf(refusal);
  return { code, ...words, who: who === "operator" ? how.operator : WHO[who] };
}

/** Who can put right what a refused landing is on record for; empty where it passes by itself, null when that is not known. */
export function whoMends(code: string): string | null {
  const mender = menderOfCode(code);
  if (mender === null) return null;
  if (mender === "time") return "";
  return mender === "operator" ? "whoever runs koryph" : WHO[mender];
}

/** One line for the ledger and the terminal: what was found and what is needed. */
export function pullRefusalDetail(refusal: PullRefusal, how?: PullCommands): string {
  const { found, need } = pullWords(refusal, how);
  return `${found}; needed: ${need}`;
}

const UNCOUNTED: Readonly<Record<Uncounted, string>> = {
  opened: "opened the pull request",
  authored: "is the author of one of its commits",
  committed: "is the committer of one of its commits",
  pushed: "has pushed to its branch",
  requested: "has asked for the landing",
  "not-permitted": "may not approve any more",
  "other-head": "has approved another head",
  gone: "has taken the approval back",
  edited: "has changed the comment since",
  "not-theirs": "has not written what the ledger names",
  "no-approval": "has not approved where the ledger says so",
  unproven: "approved when this head was not there, as far as GitHub shows",
};

function uncountedText({ by, why }: UncountedApproval): string {
  return `${by.login} does not count: ${by.login} ${UNCOUNTED[why]}`;
}

function checksText(checks: readonly NamedCheck[]): string {
  return quoteFew(checks.map(({ name, state }) => (state === "" ? name : `${name} (${state})`)));
}

/** Why the rules of a branch are not known. */
export const rulesWords = {
  hidden: (): string => "GitHub does not show them to koryph",
  olderProtection: (): string =>
    "it has a branch protection of the older kind, which only administrators can read",
};
