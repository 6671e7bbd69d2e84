import { isProtected, LIFTABLE_PATHS } from "../protected-paths.js";
import { keepsTextRule, type RuleDemands, ruleDemands, type TextRule } from "./base-rules.js";
import { unreviewedFiles } from "./code-owners.js";
import { approvalsNeeded, countApprovals, isOvertaken } from "./count-approvals.js";
import { judgeChecks } from "./judge-checks.js";
import { MOST_VERDICTS } from "./last-verdicts.js";
import type { PullCommit, PullLandFacts } from "./pull-land-facts.js";
import type { PullRefusal } from "./pull-refusal.js";

/** The required check that proves a project's own gate where koryph itself does not run it. */
export const GATE_CHECK = "koryph / gate";

const WORKFLOWS = ".github/workflows/";

/** After so many moves by others the branch is too busy to be caught. */
const MOST_MOVES = 3;

/**
 * Everything that keeps the pull request from landing as it stands, the first to be put right first. Empty when nothing
 * does. What is shown to people and what decides is this one list.
 */
export function unmetForLanding(facts: PullLandFacts): PullRefusal[] {
  const demands = facts.rules.kind === "read" ? ruleDemands(facts.rules.rules) : ruleDemands([]);
  return [
    ...unmetOfPull(facts),
    ...unmetOfPeople(facts, demands),
    ...unmetOfRules(facts, demands),
    ...unmetOfChange(facts, demands),
    ...unmetOfChecks(facts, demands),
    ...unmetOfCommits(facts, demands),
    ...unmetOfBase(facts, demands),
  ];
}

function unmetOfPull({ pull, landing, tip, tipIsOurs, base }: PullLandFacts): PullRefusal[] {
  if (!pull.open) return [{ code: "not_open", merged: pull.merged }];
  const unmet: PullRefusal[] = pull.draft ? [{ code: "draft" }] : [];
  if (pull.into !== base.branch)
    return [...unmet, { code: "base_changed", asked: base.branch, actual: pull.into }];
  if (tip !== landing.head && !tipIsOurs)
    return [...unmet, { code: "head_moved", asked: landing.head, actual: tip }];
  if (tip === landing.head && pull.head !== tip) unmet.push({ code: "head_not_shown", head: tip });
  return unmet;
}

function unmetOfPeople(facts: PullLandFacts, demands: RuleDemands): PullRefusal[] {
  const { approval, settings, pull, commits, total } = facts;
  if (commits.length < total) return [{ code: "too_large", commits: total }];
  const { objections } = approval;
  if (objections === null) return [{ code: "too_large", verdicts: MOST_VERDICTS }];
  const unmet: PullRefusal[] = [];
  const demand = { setting: settings.approvals, byRules: demands.approvals };
  // A gate runs what the commits bring, on the operator's own machine or runner.
  const strangers = pull.fork && settings.gateBy !== null && settings.gate === "run";
  const count = countApprovals(approval);
  const { counted, left } = count;
  const least = Number(strangers || isOvertaken(count));
  const needed = Math.max(approvalsNeeded({ ...demand, own: pull.own }), least);
  if (needed > 0 && objections.length > 0)
    unmet.push({ code: "changes_requested", by: objections.map(({ login }) => login) });
  if (counted.length < needed) unmet.push({ code: "not_approved", needed, counted: counted.length, left });
  const pulls = facts.ancestors
    .filter(({ own, approval: given }) => {
      const asked = approvalsNeeded({ ...demand, own });
      return countApprovals(given).counted.length < asked || (asked > 0 && given.objections?.length !== 0);
    })
    .map(({ number }) => number);
  if (pulls.length > 0) unmet.push({ code: "ancestor_unapproved", pulls });
  return unmet;
}

function unmetOfRules(facts: PullLandFacts, demands: RuleDemands): PullRefusal[] {
  const { rules, landing, total } = facts;
  if (rules.kind === "unreadable") return [{ code: "rules_unreadable", why: rules.why }];
  const unmet: PullRefusal[] = [];
  const unsupported = [...demands.unsupported, ...methodProblem(demands, landing.method, total)];
  if (unsupported.length > 0) unmet.push({ code: "rule_unsupported", rules: unsupported });
  if (demands.closed.length > 0)
    unmet.push(
      facts.settings.pushesSilently
        ? { code: "needs_app_token", lacks: "bypass", rulesets: demands.closed }
        : { code: "missing_bypass", rulesets: demands.closed },
    );
  if (demands.codeOwners) {
    const logins = countApprovals(facts.approval).counted.map(({ by }) => by.login);
    const files = unreviewedFiles(facts.codeOwners, facts.paths, logins);
    if (files.length > 0) unmet.push({ code: "code_owner_missing", files });
  }
  if (demands.resolvedThreads && facts.openThreads > 0)
    unmet.push({ code: "unresolved_threads", threads: facts.openThreads });
  return unmet;
}

/** A fast-forward keeps commits as a rebase does; of a single one, a squash would make the same. */
function methodProblem({ methods }: RuleDemands, method: "ff" | "squash", total: number) {
  if (methods === null) return [];
  const allowed = methods.includes(method === "ff" ? "rebase" : "squash");
  if (allowed || (method === "ff" && total === 1 && methods.includes("squash"))) return [];
  return [{ type: "pull_request", why: `it allows no other method than ${methods.join(", ") || "none"}` }];
}

function unmetOfChange(facts: PullLandFacts, { linear }: RuleDemands): PullRefusal[] {
  const { settings, findings, total } = facts;
  const unmet: PullRefusal[] = [];
  if (facts.empty) unmet.push({ code: "no_changes" });
  const lifted = settings.allowProtected ? LIFTABLE_PATHS : [];
  const guarded = facts.paths.filter((path) => isProtected(path, settings.protectedPaths, lifted));
  if (guarded.length > 0) unmet.push({ code: "protected_path", paths: guarded });
  const workflows = facts.paths.filter((path) => path.toLowerCase().startsWith(WORKFLOWS));
  if (workflows.length > 0 && !settings.mayPushWorkflows)
    unmet.push({ code: "workflow_file", paths: workflows });
  const merges = linear && facts.commits.some(({ parents }) => parents.length > 1);
  const all = merges ? [...findings, "it has merge commits, and a rule wants a linear history"] : findings;
  if (all.length > 0) unmet.push({ code: "unsupported_change", findings: all });
  if (isToSquash(facts) && facts.pull.fork) unmet.push({ code: "squash_unsupported", commits: total });
  return unmet;
}

function unmetOfChecks(facts: PullLandFacts, { checks: required }: RuleDemands): PullRefusal[] {
  const { settings, checks, gated, tip, landing } = facts;
  // Checks are about what is there: a head that is to be replaced has to be green as well, the new one after it.
  const unmet: PullRefusal[] = [];
  if (!gated) {
    if (settings.gate === "run" && !required.some(({ name }) => name === GATE_CHECK))
      unmet.push({ code: "gate_unproven", check: GATE_CHECK, by: settings.gateBy });
    if (settings.gate === "checks" && required.length === 0) unmet.push({ code: "no_required_checks" });
  }
  if (tip !== landing.head) return unmet;
  const { red, missing, pending } = judgeChecks(required, checks);
  if (red.length > 0) unmet.push({ code: "check_red", checks: red });
  if (missing.length > 0) unmet.push({ code: "check_missing", checks: missing });
  if (pending.length > 0) unmet.push({ code: "check_pending", checks: pending });
  return unmet;
}

function unmetOfCommits(facts: PullLandFacts, demands: RuleDemands): PullRefusal[] {
  const unmet: PullRefusal[] = [];
  if (demands.signatures || facts.settings.signingRequired) {
    const known = new Map(facts.signatures.map((signature) => [signature.sha, signature]));
    // A commit that nobody looked at counts as unsigned.
    const bad = facts.commits
      .map(({ sha }) => known.get(sha) ?? ({ sha, letter: "N", signer: "", fingerprint: "" } as const))
      .filter(({ letter }) => letter !== "G");
    if (bad.length > 0) unmet.push({ code: "unsigned_commit", commits: bad });
  }
  for (const rule of demands.texts) {
    const commits = facts.commits.filter((commit) => !keepsTextRule(rule, textOf(rule, commit)));
    if (commits.length > 0)
      unmet.push({ code: "commit_rule", commits: commits.map(({ sha }) => sha), rule: ruleText(rule) });
  }
  return unmet;
}

function textOf({ type }: TextRule, commit: PullCommit): string {
  switch (type) {
    case "commit_message_pattern":
      return commit.message;
    case "commit_author_email_pattern":
      return commit.authorEmail;
    case "committer_email_pattern":
      return commit.committerEmail;
  }
}

function ruleText({ type, operator, pattern, negate }: TextRule): string {
  return `${type} ${negate ? "not " : ""}${operator} ${pattern}`;
}

/** Whether several commits are to become one. */
export function isToSquash({ landing, total }: Pick<PullLandFacts, "landing" | "total">): boolean {
  return landing.method === "squash" && total > 1;
}

function unmetOfBase(facts: PullLandFacts, demands: RuleDemands): PullRefusal[] {
  const { base, pull, landing } = facts;
  if (base.contained) return isToSquash(facts) && !pull.fork ? unmetOfRewrite(facts, demands) : [];
  const { branch: head, fork } = pull;
  const { tip, branch, repository } = base;
  const moved: PullRefusal = { code: "base_moved", base: tip, branch, head, fork, repository };
  if (fork) return [moved];
  if (landing.moves >= MOST_MOVES) return [moved, { code: "base_busy", moves: landing.moves + 1 }];
  return [moved, ...unmetOfRewrite(facts, demands)];
}

/** Of a branch that is written anew: the required checks have to run on it once more. */
function unmetOfRewrite(facts: PullLandFacts, demands: RuleDemands): PullRefusal[] {
  const silent: readonly PullRefusal[] =
    facts.settings.pushesSilently && demands.checks.length > 0
      ? [{ code: "needs_app_token", lacks: "checks", rulesets: [] }]
      : [];
  return [...silent, ...unmetOfKey(facts, demands)];
}

function unmetOfKey(facts: PullLandFacts, demands: RuleDemands): PullRefusal[] {
  if (!needsSigning(facts, demands)) return [];
  switch (facts.signer) {
    case "allowed":
      return [];
    case "not-allowed":
      return [{ code: "key_not_allowed" }];
    case "none":
      return [{ code: "no_signing_key" }];
    case "runner":
      return canRunnerSign(facts) ? [] : [{ code: "no_signing_key" }];
  }
}

/** What is rewritten loses the signatures there are, whether or not anybody asks for them. */
function needsSigning({ signatures, settings }: PullLandFacts, demands: RuleDemands): boolean {
  const isSigned = signatures.some(({ letter }) => letter !== "N");
  return isSigned || demands.signatures || settings.signingRequired;
}

/** A runner gives back the good signatures that there were. It makes no new ones, and no other's. */
function canRunnerSign({ signatures, landing }: PullLandFacts): boolean {
  return landing.method === "ff" && signatures.every(({ letter }) => letter === "G" || letter === "N");
}

/** Whether its commits are replayed by a runner, since the signatures that they need can be had only there. */
export function isForRunner(facts: PullLandFacts): boolean {
  const demands = facts.rules.kind === "read" ? ruleDemands(facts.rules.rules) : ruleDemands([]);
  return facts.signer === "runner" && needsSigning(facts, demands);
}
