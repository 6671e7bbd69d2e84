import type { FleetDiagnosis, PassedActor } from "../../doctor/fleet-diagnosis.js";

const APP_DOCS = "docs/app.md lists them with their reasons";
const ALWAYS = "put the App on its bypass list with the mode Always";

/** What stands around a run on GitHub, in words; shown as text by whoever prints it. */
export function fleetWords(diagnosis: FleetDiagnosis): { readonly says: string; readonly fix?: string } {
  switch (diagnosis.code) {
    case "app_unseen":
      return {
        says:
          diagnosis.why === "key"
            ? `the App ${diagnosis.slug} could not be read: GitHub does not take the key that is in the environment for it`
            : `the App ${diagnosis.slug} could not be read: needs its key, or a token of somebody who may see it`,
        fix: "set APP_ID and PRIVATE_KEY_PATH to those of the App, and see that jobs.app has its name",
      };
    case "app_not_named":
      return {
        says: `jobs.app names ${diagnosis.named}, and the App is ${diagnosis.slug}: runners refuse what it asks for`,
        fix: `set jobs.app to ${diagnosis.slug}`,
      };
    case "app_not_installed":
      return diagnosis.suspended
        ? {
            says: `the App ${diagnosis.slug} is suspended here: it hears nothing and may do nothing`,
            fix: "lift the suspension: Settings, GitHub Apps, Configure",
          }
        : {
            says: `the App ${diagnosis.slug} is not installed on this repository`,
            fix: "install it: the App's page, Install App, and choose the repository",
          };
    case "app_lacks_events":
      return {
        says: `GitHub does not tell the App ${diagnosis.slug} of ${diagnosis.events.join(", ")}`,
        fix: "tick these events on the App's settings page: Permissions & events",
      };
    case "app_lacks_permissions":
      return {
        says: `the App ${diagnosis.slug} lacks ${diagnosis.permissions.join(", ")}`,
        fix: `grant them on the App's settings page, then accept the change where it is installed; ${APP_DOCS}`,
      };
    case "app_may_more":
      return {
        says: `the App ${diagnosis.slug} may more than koryph needs: ${diagnosis.permissions.join(", ")}`,
        fix: `take it away on the App's settings page; ${APP_DOCS}`,
      };
    case "app_ready":
      return {
        says: diagnosis.installed
          ? `the App ${diagnosis.slug} is installed, and hears and may do what koryph needs`
          : `the App ${diagnosis.slug} asks for what koryph needs; where it is installed only its key shows (APP_ID, PRIVATE_KEY_PATH)`,
      };
    case "app_bypasses":
      return { says: `the App ${diagnosis.slug} lands past the ruleset ${named(diagnosis.ruleset)}` };
    case "app_bypasses_pulls_only":
      return {
        says: `the App ${diagnosis.slug} may bypass the ruleset ${named(diagnosis.ruleset)} for pull requests only, which forbids the push that a landing is`,
        fix: "change the mode of its bypass to Always",
      };
    case "app_no_bypass":
      return {
        says: `the App ${diagnosis.slug} may not bypass the ruleset ${named(diagnosis.ruleset)}, so it lands nothing`,
        fix: ALWAYS,
      };
    case "app_bypass_unknown":
      return {
        says: `whether the App ${diagnosis.slug} may bypass the ruleset ${named(diagnosis.ruleset)} could not be read: needs the App's key, or a token of an administrator`,
        fix: `set APP_ID and PRIVATE_KEY_PATH, or look yourself: ${ALWAYS}`,
      };
    case "bypass_listed":
      return { says: `the ruleset ${named(diagnosis.ruleset)} lets past: ${people(diagnosis.who)}` };
    case "guards_bypassed":
      return {
        says: `the guards of the ruleset ${named(diagnosis.ruleset)} do not hold everybody; it lets past: ${people(diagnosis.who)}`,
        fix: "empty its bypass list",
      };
    case "schedule_kept":
      return { says: `${diagnosis.file} runs by the clock, ${delay(diagnosis)}` };
    case "schedule_late":
      return {
        says: `${diagnosis.file} runs by the clock, but ${delay(diagnosis)}`,
        fix: "choose another minute, away from those that everybody chooses",
      };
    case "schedule_new":
      return { says: `${diagnosis.file} has not run by the clock yet, and was not due often` };
    case "schedule_missed":
      return {
        says: `${diagnosis.file} was due ${most(diagnosis.missed)} times since ${diagnosis.last === null ? "it is there" : `it last ran by the clock (${diagnosis.last})`}`,
        fix: "see under Actions whether GitHub runs it; change a line of it on the default branch to have the schedule taken in again",
      };
    case "schedule_unreadable":
      return {
        says: `the schedule ${diagnosis.cron} of ${diagnosis.file} could not be followed: koryph reads five fields, in UTC`,
        fix: "look under Actions when it last ran",
      };
    case "runs_unreadable":
      return {
        says: `the runs of ${diagnosis.file} could not be read: needs a token that may read actions`,
        fix: "use such a token, or look under Actions yourself",
      };
    case "workflow_disabled":
      return {
        says:
          diagnosis.state === "disabled_inactivity"
            ? `GitHub has switched ${diagnosis.file} off, as it does after 60 days without activity in a public repository`
            : `${diagnosis.file} is switched off (${diagnosis.state})`,
        fix: `gh workflow enable ${diagnosis.file}`,
      };
    case "checks_never_start":
      return {
        says: `${diagnosis.file} opens pull requests with the workflow's own token, which starts no checks, and the branch requires some`,
        fix: "give it the token of a GitHub App that may not bypass the rules; docs/action.md says more",
      };
    case "events_ready":
      return { says: `${diagnosis.file} answers comments without a server` };
    case "events_beside_app":
      return {
        says: `${diagnosis.file} answers comments, and so does the server of the App ${diagnosis.slug}: every comment gets two answers`,
        fix: `take ${diagnosis.file} off the default branch, or end koryph serve for this repository`,
      };
    case "events_check_out":
      return {
        says: `${diagnosis.file} checks files out where anybody's comment starts it with a token that may write`,
        fix: "take actions/checkout out of that workflow: koryph needs no files there",
      };
    case "events_dropped":
      return {
        says: `${diagnosis.file} has a concurrency group, in which GitHub drops all waiting runs but one, and their comments with them`,
        fix: "take the group out, or give it a key for each thread and queue: max",
      };
    case "events_unheard":
      return {
        says: `${diagnosis.file} does not hear when ${diagnosis.workflows.join(", ")} has ended, so a landing that waits for it waits for the schedule`,
        fix: "name it under on.workflow_run.workflows",
      };
    case "runner_ready":
      return { says: `${count(diagnosis.online, "runner")} online for ${diagnosis.labels.join(", ")}` };
    case "runner_offline":
      return {
        says: `no runner for ${diagnosis.labels.join(", ")} is online: ${diagnosis.names.join(", ")}`,
        fix: "start one; a job waits for it for a day, then GitHub gives it up",
      };
    case "runner_missing":
      return {
        says: `no runner is registered for ${diagnosis.labels.join(", ")}, which ${diagnosis.file} asks for`,
        fix: "register one with these labels; a fleet that makes runners on demand shows none while it is idle",
      };
    case "runner_unknown":
      return {
        says: `whether there is a runner for ${diagnosis.labels.join(", ")} could not be read: needs ${diagnosis.needs === "repository" ? "a token of an administrator of the repository" : "a token of an owner of the organisation (admin:org)"}`,
        fix: "use such a token, or look yourself: Settings, Actions, Runners",
      };
    case "runner_public":
      return {
        says: "the repository is public and has runners of your own: anybody's pull request may bring a workflow that runs on them",
        fix: "use runners that live for one job, and require approval for all outside contributors; docs/operations.md says how",
      };
  }
}

const ACTORS: Readonly<Record<string, (id: number | null) => string>> = {
  Integration: (id) => `the App with the id ${id}`,
  User: (id) => `the user with the id ${id}`,
  Team: (id) => `the team with the id ${id}`,
  RepositoryRole: (id) => ROLES[id ?? 0] ?? `the role with the id ${id}`,
  OrganizationAdmin: () => "owners of the organisation",
  EnterpriseOwner: () => "owners of the enterprise",
  DeployKey: () => "deploy keys",
};

/** GitHub's numbers of its own roles. */
const ROLES: Readonly<Record<number, string>> = {
  2: "everybody who maintains",
  4: "everybody who writes",
  5: "administrators",
};

function people(who: readonly PassedActor[]): string {
  return who
    .map(({ type, id, mode, slug }) => {
      const name = slug === null ? (ACTORS[type]?.(id) ?? `${type} ${id}`) : `the App ${slug}`;
      return `${name} (${mode === "pull_request" ? "pull requests only" : mode === "exempt" ? "Exempt" : "Always"})`;
    })
    .join(", ");
}

function delay({ minutes, runs }: { readonly minutes: number; readonly runs: number }): string {
  return `${count(minutes, "minute")} late in the middle of its last ${count(runs, "run")}`;
}

function most(missed: number): string {
  return missed >= 100 ? "100 or more" : String(missed);
}

function named(ruleset: string): string {
  return JSON.stringify(ruleset);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
