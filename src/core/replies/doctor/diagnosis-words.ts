import { plainText } from "../../../lib/plain-text.js";
import type { NoGithub } from "../../config/github-remote.js";
import { PROJECT_FILE } from "../../config/project-file.js";
import type { NetworkWish } from "../../contain/containment.js";
import type { Diagnosis } from "../../doctor/diagnosis.js";
import { isFleet } from "../../doctor/fleet-diagnosis.js";
import { redactText } from "../../redact.js";
import { containmentAdvice } from "../config/containment.js";
import { accountName, percentText, unmeasuredWindow, windowName } from "../quota/quota-words.js";
import { unpinnedText } from "../runtimes/account-report.js";
import { accountMarkText, accountPlaceText } from "../runtimes/account-words.js";
import { fleetWords } from "./fleet-words.js";

export interface DiagnosisText {
  readonly says: string;
  /** What to do about it, in one line; null where nothing is to be done. */
  readonly fix: string | null;
}

/** A diagnosis in words. Names and reasons come from outside, and are shown as text. */
export function diagnosisText(diagnosis: Diagnosis): DiagnosisText {
  const { says, fix = null } = words(diagnosis);
  return { says: shown(says), fix: fix === null ? null : shown(fix) };
}

function shown(text: string): string {
  return plainText(redactText(text));
}

const LANDING_DOCS = "docs/landing.md has the rulesets to copy";

function words(diagnosis: Diagnosis): { readonly says: string; readonly fix?: string } {
  if (isFleet(diagnosis)) return fleetWords(diagnosis);
  switch (diagnosis.code) {
    case "project_unfit":
      return { says: diagnosis.why, fix: diagnosis.fix };
    case "agent_ready":
      return { says: `${diagnosis.runtime} ${diagnosis.version} is ready` };
    case "agent_unusable":
      return { says: diagnosis.why, fix: diagnosis.fix };
    case "accounts_unpinned":
      return {
        says: unpinnedText(diagnosis.project),
        fix: `koryph project account ${diagnosis.project} with --expect <email> or --expect-key`,
      };
    case "account_verified": {
      const { runtime, place, account } = diagnosis;
      return {
        says: `${runtime}: ${accountPlaceText(place)} is ${accountMarkText(account)}, as it is pinned`,
      };
    }
    case "account_refused":
      return { says: diagnosis.why, fix: diagnosis.fix };
    case "containment_missing":
    case "containment_refused": {
      const { message: says, hint: fix } = containmentAdvice[diagnosis.level](diagnosis.why);
      return { says, fix };
    }
    case "containment_ready":
      return {
        says: `bubblewrap ${diagnosis.version} shuts agents in; they reach ${reachText(diagnosis.network)}`,
      };
    case "containment_off":
      return {
        says: "containment is off: agents run as your user does, with its files and its network",
        fix: "take `containment` out of koryph.project.json, and install bubblewrap",
      };
    case "quota_uncalibrated":
      return {
        says: `nobody has said what the limits of ${accountName(diagnosis.pool)} hold, so they keep no agent back`,
        fix: "koryph quota calibrate, with the percentage that the provider shows; docs/governors.md tells more",
      };
    case "quota_ready": {
      const { pool, window, fraction, level } = diagnosis;
      return {
        says: `${accountName(pool)} is at ${percentText(fraction)} of ${windowName(window)} (${level})`,
      };
    }
    case "quota_unmeasured":
      return {
        says: `${unmeasuredWindow(diagnosis.pool, diagnosis.window)}${diagnosis.stops ? ": no agent is started" : ""}`,
        fix: "see to what koryph quota show names, or koryph quota guard advisory",
      };
    case "quota_unreadable":
      return { says: diagnosis.why, fix: diagnosis.fix };
    case "signing_ready":
      return { says: `koryph signs, and ${diagnosis.branch} allows its key as ${diagnosis.principal}` };
    case "signing_off":
      return {
        says: "signing is off: landed commits and receipts carry no signature",
        fix: "koryph signing init",
      };
    case "signing_broken":
      return { says: diagnosis.why, fix: diagnosis.fix };
    case "ledger_ready":
      return {
        says: "the repository that koryph pushes to creates, compares, moves together and deletes refs as the ledger needs it",
      };
    case "ledger_stays":
      return { says: "there is no remote, so the ledger stays in this repository" };
    case "ledger_not_probed":
      return {
        says: "whether the remote takes the ledger was not tried",
        fix: "koryph doctor without --no-write",
      };
    case "ledger_refuses_create":
      return {
        says: `the remote takes no refs below refs/koryph: ${diagnosis.why}`,
        fix: "give the account that koryph pushes with the right to push, or name a branch in ledger.ref",
      };
    case "ledger_ignores_lease":
      return {
        says: "the remote moves a ref although somebody else moved it before: two engines could both win",
        fix: "use a remote that keeps git's leases (--force-with-lease)",
      };
    case "ledger_not_atomic":
      return {
        says: "the remote does not move several refs together: koryph lands in two steps and recovers after a crash",
        fix: "nothing has to be done; GitHub and git itself can do it",
      };
    case "ledger_keeps_refs":
      return {
        says: `the remote does not delete refs: ${diagnosis.refs.join(", ")} stayed`,
        fix: `git push <remote> --delete ${diagnosis.refs.join(" ")}`,
      };
    case "no_github":
      return { says: `${noGithubText(diagnosis.why)}, so nothing on GitHub is looked at` };
    case "no_token":
      return {
        says: `no token for ${diagnosis.host}: nothing on GitHub was looked at`,
        fix: "set GITHUB_TOKEN or GH_TOKEN, or run gh auth login",
      };
    case "token_writes":
      return { says: `the token writes to ${diagnosis.repository} (${diagnosis.role})` };
    case "token_only_reads":
      return {
        says: `the token only reads ${diagnosis.repository}: koryph opens and lands no pull request with it`,
        fix: "use a token that may write contents and pull requests",
      };
    case "github_silent":
      return { says: `GitHub did not answer: ${diagnosis.why}`, fix: "try again later" };
    case "token_unknown":
      return { says: diagnosis.why, fix: "renew GITHUB_TOKEN, or run gh auth login" };
    case "rules_unreadable":
      return { says: diagnosis.why, fix: `use rulesets, which everybody may read; ${LANDING_DOCS}` };
    case "branch_open":
      return {
        says: `no rule protects ${diagnosis.branch}: whoever can push gets past koryph`,
        fix: LANDING_DOCS,
      };
    case "rules_kept":
      return { says: `koryph keeps the ${count(diagnosis.count, "rule")} of ${diagnosis.branch}` };
    case "rule_unsupported":
      return {
        says: `koryph cannot keep the rule ${diagnosis.rule}, so it lands nothing: ${diagnosis.why}`,
        fix: "take the rule off the branch, or land by hand",
      };
    case "no_bypass":
      return {
        says: `the ruleset ${JSON.stringify(diagnosis.ruleset)} wants every change through GitHub's merge button, which drops signatures`,
        fix: diagnosis.appLands
          ? "nothing for landings by the App; to land at a terminal, put yourself on its bypass list with the mode Always"
          : `let koryph's App, and whoever lands at a terminal, bypass it with the mode Always; ${LANDING_DOCS}`,
      };
    case "rules_not_split":
      return {
        says: `the ruleset ${JSON.stringify(diagnosis.ruleset)} is bypassed as a whole: GitHub does not hold koryph to ${diagnosis.rules.join(", ")}`,
        fix: `move these rules to a ruleset that nobody bypasses; ${LANDING_DOCS}`,
      };
    case "signatures_demanded":
      return {
        says: "the branch takes only signed commits, and koryph does not sign",
        fix: `koryph signing init, then set signing in ${PROJECT_FILE}`,
      };
    case "check_by_anyone":
      return {
        says: `the required check ${diagnosis.check} counts whoever reports it: anyone who can push can make it green`,
        fix: "choose its source in the ruleset",
      };
    case "check_unseen":
      return {
        says: `the required check ${diagnosis.check} was not reported for the newest commit of ${diagnosis.branch}`,
        fix: "see that it runs for pull requests; a landing waits for it",
      };
    case "checks_seen":
      return { says: `${count(diagnosis.count, "required check")} seen, each with its source` };
    case "no_check_required":
      return {
        says: `land.gate is checks, and no rule of ${diagnosis.branch} requires one: every landing of a pull request is refused`,
        fix: "require a check of your CI in the ruleset koryph-process, with its source",
      };
    case "gate_unshown":
      return {
        says: "nothing shows the App that the gate is green: it refuses landings that are asked for in comments as gate_unproven",
        fix: `set land.gate to checks in ${PROJECT_FILE} and require a check, or add gate to jobs.kinds, which takes a runner`,
      };
    case "workflow_ready":
      return { says: `${diagnosis.file} takes the App's jobs` };
    case "workflow_missing":
      return {
        says: `${diagnosis.branch} has no .github/workflows/${diagnosis.file}, which jobs.workflow names`,
        fix: "docs/action.md has the workflow to copy",
      };
    case "workflow_takes_no_dispatch":
      return {
        says: `${diagnosis.file} cannot be started by the App: it has no workflow_dispatch`,
        fix: "docs/action.md has the workflow to copy",
      };
    case "job_missing":
      return {
        says: `${diagnosis.file} has no job called ${diagnosis.kind}, which jobs.kinds names`,
        fix: `add the job, or take ${diagnosis.kind} out of jobs.kinds`,
      };
    case "cron_on_the_hour":
      return {
        says: `${diagnosis.file} starts on the hour (${diagnosis.cron}), when GitHub delays or drops schedules`,
        fix: "choose an odd minute, such as 17",
      };
    case "credentials_kept":
      return {
        says: `${diagnosis.file} leaves the token in the checkout, where agents and gates can read it`,
        fix: "set persist-credentials: false on each actions/checkout",
      };
  }
}

function noGithubText(found: NoGithub): string {
  if (found.kind === "no_remote") return "there is no remote";
  if (found.host === "") return "the remote is a folder";
  return `${found.host} is none that koryph knows as GitHub`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function reachText(network: NetworkWish): string {
  if (network === "off") return "no host";
  if (network === "on") return "every host";
  const own = network === "provider" ? [] : [` and ${network.join(", ")}`];
  return `their model's provider${own.join("")}`;
}
