import { describe, expect, test } from "vitest";
import type { SignatureLetter } from "../../../../src/core/land/commit-signature.js";
import type { BaseRule } from "../../../../src/core/land/pull/base-rules.js";
import type { Contributor, GivenApproval } from "../../../../src/core/land/pull/count-approvals.js";
import { decidePullLanding, type PullLandStep } from "../../../../src/core/land/pull/decide-pull-landing.js";
import type { SeenCheck } from "../../../../src/core/land/pull/judge-checks.js";
import type { PullLandFacts } from "../../../../src/core/land/pull/pull-land-facts.js";
import { GATE_CHECK } from "../../../../src/core/land/pull/unmet-for-landing.js";
import { pullWords } from "../../../../src/core/replies/land/pull/pull-words.js";
import { sha } from "../../../support/core/slots.js";

const HEAD = sha("2");
const ACTIONS = 15368;

const author: Contributor = { id: 1, login: "ann", hand: "opened" };
const bo = { id: 9, login: "bo" };
const approval: GivenApproval = {
  by: { id: 2, login: "bob" },
  head: HEAD,
  via: "comment",
  url: "https://github.test/c/1",
  evidence: "holds",
  mayApprove: true,
};
const green: SeenCheck = {
  name: "test",
  app: ACTIONS,
  status: "done",
  state: "success",
  order: 1,
  jobOfHead: true,
};

function rule(type: string, parameters: Record<string, unknown> = {}, bypassed = true): BaseRule {
  return { type, parameters, ruleset: { name: "main", bypassed } };
}
const checks = (...required: object[]) =>
  rule("required_status_checks", { required_status_checks: required });
const needsTest = checks({ context: "test", integration_id: ACTIONS });

/** One approved commit on the tip of main, with its required check green. */
const landable: PullLandFacts = {
  standing: { kind: "open" },
  arrived: null,
  settings: {
    approvals: "rules",
    gate: "checks",
    protectedPaths: [],
    allowProtected: false,
    signingRequired: false,
    mayPushWorkflows: false,
    pushesSilently: false,
    gateBy: null,
  },
  pull: {
    open: true,
    merged: false,
    draft: false,
    head: HEAD,
    branch: "agent/gh-1",
    into: "main",
    fork: false,
    own: true,
  },
  landing: { asked: HEAD, head: HEAD, moves: 0, method: "ff" },
  tip: HEAD,
  tipIsOurs: true,
  base: { branch: "main", tip: sha("1"), contained: true, repository: "https://github.test/team/shop" },
  rules: { kind: "read", rules: [needsTest] },
  approval: {
    approvals: [approval],
    head: HEAD,
    carried: new Set(),
    contributors: [author],
    objections: [],
    requester: null,
  },
  ancestors: [],
  commits: [
    {
      sha: HEAD,
      parents: [sha("1")],
      message: "feat: x\n",
      authorName: "Ann",
      authorEmail: "ann@x.test",
      committerEmail: "k@x.test",
    },
  ],
  total: 1,
  paths: ["src/a.ts"],
  findings: [],
  empty: false,
  checks: [green],
  signatures: [],
  codeOwners: "",
  openThreads: 0,
  signer: "none",
  gated: false,
  waitedMs: 0,
};

const { settings, pull, landing, base, approval: approved } = landable;
const several: Partial<PullLandFacts> = {
  landing: { ...landing, method: "squash" },
  total: 2,
  commits: [...landable.commits, ...landable.commits],
};
/** At the terminal of somebody whose machine runs the gate. */
const here: Partial<PullLandFacts> = { settings: { ...settings, gate: "run", gateBy: "here" } };
const onRunner: Partial<PullLandFacts> = { settings: { ...settings, gate: "run", gateBy: "runner" } };
const withRules = (...rules: BaseRule[]): Partial<PullLandFacts> => ({ rules: { kind: "read", rules } });
const andRule = (type: string, parameters: object = {}, bypassed = true) =>
  withRules(needsTest, rule(type, { ...parameters }, bypassed));
const approvals = (...list: Partial<GivenApproval>[]): Partial<PullLandFacts> => ({
  approval: { ...approved, approvals: list.map((each) => ({ ...approval, ...each })) },
});
const hand = (contributor: Partial<Contributor>): Partial<PullLandFacts> => ({
  approval: { ...approved, contributors: [author, { ...author, id: 2, login: "bob", ...contributor }] },
});
const signed = (letter: SignatureLetter): Partial<PullLandFacts> => ({
  signatures: [{ sha: HEAD, letter, signer: "ann", fingerprint: "f" }],
});
const signing: Partial<PullLandFacts> = { settings: { ...settings, signingRequired: true } };
const moved: Partial<PullLandFacts> = { base: { ...base, contained: false } };
const seen = (...list: Partial<SeenCheck>[]): Partial<PullLandFacts> => ({
  checks: list.map((each) => ({ ...green, ...each })),
});
const HOUR_MS = 3_600_000;

function shown(step: PullLandStep): string {
  switch (step.kind) {
    case "refuse":
      return step.refusal.code;
    case "wait":
      return `wait ${step.unmet.map(({ code }) => code).join(" ")}`;
    case "push-branch":
    case "record":
    case "rebase":
    case "gate":
    case "squash":
    case "held":
    case "landed":
    case "gone":
    case "land":
      return step.kind;
  }
}

interface Case {
  readonly name: string;
  readonly given: Partial<PullLandFacts>;
  readonly step: string;
}

function cases(title: string, list: readonly Case[]): void {
  describe(title, () => {
    test.each(list)("$name", ({ given, step }) =>
      expect(shown(decidePullLanding({ ...landable, ...given }))).toBe(step),
    );
  });
}

cases("the pull request itself", [
  { name: "what meets every condition lands", given: {}, step: "land" },
  { name: "a hold lets it wait", given: { standing: { kind: "held" } }, step: "held" },
  { name: "what was decided elsewhere is over", given: { standing: { kind: "gone" } }, step: "gone" },
  {
    name: "what is on the base branch already is recorded, whatever else is true",
    given: { arrived: { from: sha("1"), head: HEAD }, ...approvals() },
    step: "record",
  },
  { name: "a closed one is refused", given: { pull: { ...pull, open: false } }, step: "not_open" },
  {
    name: "one that was pointed elsewhere is refused",
    given: { pull: { ...pull, into: "next" } },
    step: "base_changed",
  },
  { name: "a draft is refused", given: { pull: { ...pull, draft: true } }, step: "draft" },
  {
    name: "commits that arrived after it was asked for are refused",
    given: { tip: sha("3"), tipIsOurs: false },
    step: "head_moved",
  },
  {
    name: "what koryph replayed and did not push yet is pushed",
    given: { tip: sha("3"), tipIsOurs: true, checks: [] },
    step: "push-branch",
  },
  {
    name: "what is behind again before it was pushed is replayed once more",
    given: { tip: sha("3"), tipIsOurs: true, base: { ...base, contained: false }, signer: "allowed" },
    step: "rebase",
  },
  {
    name: "GitHub is waited for until it shows what is on the branch",
    given: { pull: { ...pull, head: sha("3") } },
    step: "wait head_not_shown",
  },
  {
    name: "it is not waited for without end",
    given: { pull: { ...pull, head: sha("3") }, waitedMs: HOUR_MS },
    step: "head_not_shown",
  },
]);

cases("approvals", [
  { name: "koryph's own pull request needs one", given: approvals(), step: "not_approved" },
  {
    name: "somebody else's needs none where no rule asks for it",
    given: { ...approvals(), pull: { ...pull, own: false } },
    step: "land",
  },
  {
    name: "but an approval that newer commits overtook is given again first",
    given: { ...approvals({ head: sha("9") }), pull: { ...pull, own: false } },
    step: "not_approved",
  },
  {
    name: "the project can ask for two",
    given: { settings: { ...settings, approvals: 2 } },
    step: "not_approved",
  },
  {
    name: "the project cannot ask for less than its rules",
    given: {
      ...andRule("pull_request", { required_approving_review_count: 2 }),
      settings: { ...settings, approvals: 0 },
    },
    step: "not_approved",
  },
  { name: "one of another head does not count", given: approvals({ head: sha("9") }), step: "not_approved" },
  {
    name: "one of the head that koryph replayed counts",
    given: {
      approval: { ...approved, approvals: [{ ...approval, head: sha("9") }], carried: new Set([sha("9")]) },
    },
    step: "land",
  },
  { name: "the author's does not count", given: approvals({ by: author }), step: "not_approved" },
  { name: "an author's of a commit does not count", given: hand({ hand: "authored" }), step: "not_approved" },
  { name: "a committer's does not count", given: hand({ hand: "committed" }), step: "not_approved" },
  { name: "a pusher's does not count", given: hand({ hand: "pushed" }), step: "not_approved" },
  {
    name: "the requester's does not count",
    given: { approval: { ...approved, requester: { id: 2, login: "bob" } } },
    step: "not_approved",
  },
  {
    name: "nor that of somebody who may not any more",
    given: approvals({ mayApprove: false }),
    step: "not_approved",
  },
  { name: "nor one that was deleted", given: approvals({ evidence: "gone" }), step: "not_approved" },
  { name: "nor one that was edited", given: approvals({ evidence: "edited" }), step: "not_approved" },
  { name: "nor one of another hand", given: approvals({ evidence: "not-theirs" }), step: "not_approved" },
  {
    name: "nor a comment that approves nothing",
    given: approvals({ evidence: "no-approval" }),
    step: "not_approved",
  },
  {
    name: "nor one from before the head was there",
    given: approvals({ evidence: "unproven" }),
    step: "not_approved",
  },
  {
    name: "a person counts once",
    given: { ...approvals({}, {}), settings: { ...settings, approvals: 2 } },
    step: "not_approved",
  },
  {
    name: "commits of which nobody tells who made them are refused",
    given: { commits: [], total: 300 },
    step: "too_large",
  },
  {
    name: "somebody who may approve and asks for changes keeps it back, however many approve",
    given: { approval: { ...approved, objections: [bo] }, settings: { ...settings, approvals: 1 } },
    step: "changes_requested",
  },
  {
    name: "nor does anybody know whether somebody does where there are too many reviews",
    given: { approval: { ...approved, objections: null } },
    step: "too_large",
  },
  {
    name: "not where nobody has to approve",
    given: {
      approval: { ...approved, approvals: [], objections: [bo] },
      pull: { ...pull, own: false },
    },
    step: "land",
  },
  {
    name: "an ancestor that somebody objects to is not merged along",
    given: { ancestors: [{ number: 7, own: true, approval: { ...approved, objections: [bo] } }] },
    step: "ancestor_unapproved",
  },
  {
    name: "nor one with too many reviews to tell",
    given: { ancestors: [{ number: 7, own: true, approval: { ...approved, objections: null } }] },
    step: "ancestor_unapproved",
  },
  {
    name: "an ancestor that nobody approved is not merged along",
    given: { ancestors: [{ number: 7, own: true, approval: { ...approved, approvals: [] } }] },
    step: "ancestor_unapproved",
  },
  {
    name: "one that somebody approved is",
    given: { ancestors: [{ number: 7, own: true, approval: approved }] },
    step: "land",
  },
]);

cases("rules", [
  {
    name: "unreadable ones refuse",
    given: { rules: { kind: "unreadable", why: "403" } },
    step: "rules_unreadable",
  },
  ...["creation", "deletion", "non_fast_forward", "branch_name_pattern", "copilot_code_review"].map(
    (type) => ({
      name: `${type} is kept by every fast-forward`,
      given: andRule(type),
      step: "land",
    }),
  ),
  ...[
    "merge_queue",
    "required_deployments",
    "workflows",
    "code_scanning",
    "file_path_restriction",
    "max_file_size",
    "something_new",
  ].map((type) => ({ name: `${type} cannot be enforced`, given: andRule(type), step: "rule_unsupported" })),
  { name: "a bypass opens a branch for pull requests only", given: andRule("pull_request"), step: "land" },
  { name: "without it nothing is tried", given: andRule("pull_request", {}, false), step: "missing_bypass" },
  {
    name: "nor on a branch that nobody may update",
    given: andRule("update", {}, false),
    step: "missing_bypass",
  },
  {
    name: "the last push needs an approval",
    given: {
      ...andRule("pull_request", { require_last_push_approval: true }),
      ...approvals(),
      pull: { ...pull, own: false },
    },
    step: "not_approved",
  },
  {
    name: "named reviewers cannot be asked about",
    given: andRule("pull_request", { required_reviewers: [{ minimum_approvals: 1 }] }),
    step: "rule_unsupported",
  },
  {
    name: "a fast-forward is no merge commit",
    given: { ...andRule("pull_request", { allowed_merge_methods: ["merge"] }) },
    step: "rule_unsupported",
  },
  {
    name: "a fast-forward keeps commits as a rebase does",
    given: andRule("pull_request", { allowed_merge_methods: ["rebase"] }),
    step: "land",
  },
  {
    name: "one commit is squashed already",
    given: andRule("pull_request", { allowed_merge_methods: ["squash"] }),
    step: "land",
  },
  {
    name: "a code owner has to approve",
    given: { ...andRule("pull_request", { require_code_owner_review: true }), codeOwners: "src/ @olga\n" },
    step: "code_owner_missing",
  },
  {
    name: "one of several is enough",
    given: { ...andRule("pull_request", { require_code_owner_review: true }), codeOwners: "* @olga @Bob\n" },
    step: "land",
  },
  {
    name: "a team is nobody whom we could ask about",
    given: {
      ...andRule("pull_request", { require_code_owner_review: true }),
      codeOwners: "* @team/owners\n",
    },
    step: "code_owner_missing",
  },
  {
    name: "open conversations are in the way where a rule says so",
    given: { ...andRule("pull_request", { required_review_thread_resolution: true }), openThreads: 1 },
    step: "unresolved_threads",
  },
  { name: "and are not where none does", given: { openThreads: 1 }, step: "land" },
  {
    name: "merge commits break a linear history",
    given: {
      ...andRule("required_linear_history"),
      commits: landable.commits.map((commit) => ({ ...commit, parents: [sha("1"), sha("5")] })),
    },
    step: "unsupported_change",
  },
  {
    name: "a message has to begin as the rule says",
    given: andRule("commit_message_pattern", { operator: "starts_with", pattern: "fix" }),
    step: "commit_rule",
  },
  {
    name: "a negated pattern must not be there",
    given: andRule("commit_author_email_pattern", {
      operator: "ends_with",
      pattern: "@x.test",
      negate: true,
    }),
    step: "commit_rule",
  },
  {
    name: "a committer's address that fits is fine",
    given: andRule("committer_email_pattern", { operator: "contains", pattern: "@x." }),
    step: "land",
  },
  {
    name: "regular expressions of another kind are not guessed",
    given: andRule("commit_message_pattern", { operator: "regex", pattern: "^feat" }),
    step: "rule_unsupported",
  },
]);

cases("the change", [
  { name: "one that changes nothing is refused", given: { empty: true }, step: "no_changes" },
  { name: "protected paths are a person's", given: { paths: ["AGENTS.md"] }, step: "protected_path" },
  {
    name: "also those of the project",
    given: { paths: ["deploy/x"], settings: { ...settings, protectedPaths: ["deploy/"] } },
    step: "protected_path",
  },
  {
    name: "a workflow file that may land is still not the App's to push",
    given: { paths: [".github/workflows/x.yml"], settings: { ...settings, allowProtected: true } },
    step: "workflow_file",
  },
  {
    name: "somebody at a machine may push it",
    given: {
      paths: [".github/workflows/x.yml"],
      settings: { ...settings, allowProtected: true, mayPushWorkflows: true },
    },
    step: "land",
  },
  {
    name: "submodules and the like are refused",
    given: { findings: ["a submodule"] },
    step: "unsupported_change",
  },
  {
    name: "several commits become one, whether or not anybody approved them",
    given: { ...several, ...approvals() },
    step: "squash",
  },
  {
    name: "also where the base has moved",
    given: { ...several, base: { ...base, contained: false } },
    step: "squash",
  },
  {
    name: "the one commit needs approvals of its own",
    given: { landing: { ...landing, method: "squash" }, ...approvals({ head: sha("9") }) },
    step: "not_approved",
  },
  {
    name: "it is pushed for people to see before that, and not run",
    given: {
      ...here,
      ...approvals({ head: sha("9") }),
      ...{ landing: { ...landing, asked: sha("3"), method: "squash" }, tip: sha("3") },
    },
    step: "push-branch",
  },
  {
    name: "signed commits are not squashed without a key",
    given: { ...several, signatures: [{ sha: HEAD, letter: "G", signer: "ann", fingerprint: "" }] },
    step: "no_signing_key",
  },
  {
    name: "what is red is not rewritten",
    given: { ...several, ...seen({ state: "failure" }) },
    step: "check_red",
  },
  {
    name: "a fork's branch is its author's to squash",
    given: { ...several, pull: { ...pull, fork: true } },
    step: "squash_unsupported",
  },
]);

cases("checks and gate", [
  { name: "a red one refuses", given: seen({ state: "failure" }), step: "check_red" },
  { name: "a cancelled one is not green", given: seen({ state: "cancelled" }), step: "check_red" },
  { name: "neutral and skipped are green", given: seen({ state: "skipped" }), step: "land" },
  {
    name: "one under way is waited for",
    given: seen({ status: "under-way", state: "queued" }),
    step: "wait check_pending",
  },
  { name: "one that nobody began is waited for", given: { checks: [] }, step: "wait check_missing" },
  { name: "for an hour", given: { checks: [], waitedMs: HOUR_MS }, step: "check_missing" },
  { name: "the newest of a name counts", given: seen({ state: "failure" }, { order: 2 }), step: "land" },
  { name: "whichever came first in the list", given: seen({ order: 2 }, { state: "failure" }), step: "land" },
  {
    name: "a check of Actions that no run of this head lists is nobody's",
    given: seen({ jobOfHead: false }),
    step: "wait check_missing",
  },
  {
    name: "a check of another app is not the required one",
    given: seen({ app: 7, jobOfHead: null }),
    step: "wait check_missing",
  },
  {
    name: "a commit status does where any source is allowed",
    given: { ...withRules(checks({ context: "test" })), ...seen({ app: null, jobOfHead: null }) },
    step: "land",
  },
  {
    name: "where any source is allowed all of them have to be green",
    given: {
      ...withRules(checks({ context: "test" })),
      ...seen({}, { app: 7, jobOfHead: null, state: "failure" }),
    },
    step: "check_red",
  },
  {
    name: "nothing is waited for that is refused in the end",
    given: { ...seen({ status: "under-way", state: "queued" }), ...signing, ...signed("N") },
    step: "unsigned_commit",
  },
  { name: "checks that nobody requires prove nothing", given: withRules(), step: "no_required_checks" },
  {
    name: "a gate that koryph has to run is not proven by other checks",
    given: { settings: { ...settings, gate: "run" } },
    step: "gate_unproven",
  },
  {
    name: "a required check of its name proves it",
    given: {
      ...withRules(checks({ context: GATE_CHECK })),
      ...seen({ name: GATE_CHECK }),
      settings: { ...settings, gate: "run" },
    },
    step: "land",
  },
  {
    name: "so does a machine that has run it",
    given: { settings: { ...settings, gate: "run" }, gated: true },
    step: "land",
  },
  { name: "a machine that can run it does so", given: here, step: "gate" },
  { name: "a runner that can be asked is", given: onRunner, step: "gate" },
  {
    name: "a runner gets what is on the branch, so that is pushed first",
    given: { ...onRunner, tip: sha("3"), tipIsOurs: true },
    step: "push-branch",
  },
  {
    name: "and shown by GitHub",
    given: { ...onRunner, pull: { ...pull, head: sha("3") } },
    step: "wait head_not_shown",
  },
  {
    name: "a runner is asked while checks run",
    given: { ...onRunner, ...seen({ status: "under-way", state: "queued" }) },
    step: "gate",
  },
  {
    name: "green there, checks are waited for",
    given: { ...onRunner, gated: true, ...seen({ status: "under-way", state: "queued" }) },
    step: "wait check_pending",
  },
  {
    name: "strangers' commits run on no runner before somebody approved them",
    given: { ...onRunner, ...approvals(), ...withRules(), pull: { ...pull, fork: true } },
    step: "not_approved",
  },
  {
    name: "it runs before anything is pushed",
    given: { ...here, tip: sha("3"), tipIsOurs: true },
    step: "gate",
  },
  {
    name: "it runs on what lands: a branch that is behind is rebased first",
    given: { ...here, base: { ...base, contained: false }, signer: "allowed" },
    step: "rebase",
  },
  {
    name: "it does not run for what is refused anyway",
    given: { ...here, ...approvals() },
    step: "not_approved",
  },
  {
    name: "nobody's machine runs a fork's commits that no person has looked at",
    given: { ...here, ...approvals(), pull: { ...pull, own: false, fork: true } },
    step: "not_approved",
  },
]);

cases("signatures and the base branch", [
  { name: "good ones land", given: { ...signing, ...signed("G") }, step: "land" },
  ...(["B", "U", "X", "Y", "R", "E", "N"] as const).map((letter) => ({
    name: `${letter} is no good signature`,
    given: { ...signing, ...signed(letter) },
    step: "unsigned_commit",
  })),
  { name: "a commit that nobody looked at is unsigned", given: signing, step: "unsigned_commit" },
  { name: "a rule asks for them as well", given: andRule("required_signatures"), step: "unsigned_commit" },
  { name: "nobody asks, nobody looks", given: signed("N"), step: "land" },
  { name: "a branch that fell behind is rebased", given: moved, step: "rebase" },
  {
    name: "a fork's is its author's to rebase",
    given: { ...moved, pull: { ...pull, fork: true } },
    step: "base_moved",
  },
  { name: "a fork's unmoved head lands", given: { pull: { ...pull, fork: true } }, step: "land" },
  { name: "signatures need a key", given: { ...moved, ...signing, ...signed("G") }, step: "no_signing_key" },
  { name: "also where nobody asks for them", given: { ...moved, ...signed("G") }, step: "no_signing_key" },
  {
    name: "one that the base branch names",
    given: { ...moved, ...signing, ...signed("G"), signer: "not-allowed" },
    step: "key_not_allowed",
  },
  {
    name: "then they are made anew",
    given: { ...moved, ...signing, ...signed("G"), signer: "allowed" },
    step: "rebase",
  },
  {
    name: "or by a runner that has a key",
    given: { ...moved, ...signing, ...signed("G"), signer: "runner" },
    step: "rebase",
  },
  {
    name: "a runner gives back good signatures only",
    given: { ...moved, ...signed("U"), signer: "runner" },
    step: "no_signing_key",
  },
  {
    name: "a runner signs no commit that is a new one",
    given: { ...moved, ...signed("G"), signer: "runner", landing: { ...landing, method: "squash" } },
    step: "no_signing_key",
  },
  {
    name: "a branch that never stands still is given up",
    given: { ...moved, landing: { ...landing, moves: 3 } },
    step: "base_busy",
  },
]);

test("everything that is missing is told at once, the first to be put right first", () => {
  const step = decidePullLanding({
    ...landable,
    ...approvals(),
    ...seen({ state: "failure" }),
    ...signing,
    pull: { ...pull, draft: true },
    openThreads: 3,
  });
  expect(step.kind === "refuse" && step.unmet.map(({ code }) => code)).toEqual([
    "draft",
    "not_approved",
    "check_red",
    "unsigned_commit",
  ]);
});

test("each refusal says what was found, what is needed, who can change it, and mostly how", () => {
  const step = decidePullLanding({
    ...landable,
    ...approvals({ by: author }),
    ...moved,
    pull: { ...pull, fork: true },
  });
  expect(step.kind === "refuse" && step.unmet.map((refusal) => pullWords(refusal))).toMatchInlineSnapshot(`
    [
      {
        "code": "not_approved",
        "found": "0 of 1 approvals; ann does not count: ann opened the pull request",
        "need": "the approval of one person who had no hand in its commits, for exactly this head",
        "next": "a reviewer types \`/koryph approve\`, or approves in GitHub's own form",
        "who": "a reviewer with write access",
      },
      {
        "code": "base_moved",
        "found": "main has moved to 111111111111, which this branch does not contain",
        "need": "a branch that begins at the base branch as it is now",
        "next": "its author types \`git fetch https://github.test/team/shop main && git rebase FETCH_HEAD && git push --force-with-lease\` (with rebase -S where commits are signed); then the new head needs an approval",
        "who": "the author of the pull request",
      },
    ]
  `);
});
