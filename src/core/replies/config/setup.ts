import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import { EVENTS_FILE } from "../../setup/github-files.js";
import { appBypass } from "../../setup/rulesets.js";

/** A release's tag is an object of its own; what it points to is the commit. */
const FIND_COMMIT = "git ls-remote https://github.com/<owner>/<name> 'refs/tags/v*^{}' lists its releases";

/** What keeps `koryph init --github` from its work. */
export const setupAdvice = {
  noAction: (docs: string): Advice => ({
    message: "--github needs to know which copy of koryph the workflows use",
    hint: `--action <owner>/<name>@<commit>, where owner/name is the repository with its releases, such as your own fork; ${FIND_COMMIT}; ${docs} tells more`,
  }),
  wrongAction: (given: string, docs: string): Advice => ({
    message: `--action is ${JSON.stringify(given)}, and that is no copy of koryph`,
    hint: `give owner/name@<commit of 40 digits>; ${FIND_COMMIT}; ${docs} tells more`,
  }),
  wrongApp: (given: string): Advice => ({
    message: `--app-id is ${JSON.stringify(given)}, and that is no App's id`,
    hint: "give the number on the App's settings page",
  }),
  wrongRunner: (given: string): Advice => ({
    message: `--runner is ${JSON.stringify(given)}, and that is no label of a runner`,
    hint: "give letters, digits, dots, hyphens and underscores, such as koryph",
  }),
  alone: (flag: string): Advice => ({
    message: `${flag} goes with --github`,
    hint: "koryph init --help shows what there is",
  }),
  leadsOut: (folder: string): Advice => ({
    message: `${plainText(folder)} is a link that leads out of the repository`,
    hint: "make it a folder of the repository",
  }),
};

/** What became of each file, or would. */
export const setupWords = {
  new: (path: string, dry: boolean) => `${dry ? "would write" : "wrote"} ${plainText(path)}`,
  same: (path: string) => `${plainText(path)} is there already`,
  renewed: (path: string, dry: boolean, app: number | null) =>
    `${dry ? "would put" : "put"} the App ${app} into ${plainText(path)}, which was as koryph wrote it`,
  other: (path: string) => `kept ${plainText(path)}, which is different from what koryph would write`,
  /** What a ruleset that somebody has changed needs, for the App to land; null where it has it, or is none. */
  bypass: (found: string | null, app: number): string | null => {
    if (found === null || new RegExp(`"actor_id":\\s*${app}\\b`).test(found)) return null;
    const entry = JSON.stringify(appBypass(app));
    return /"bypass_actors":\s*\[\s*\]/.test(found)
      ? `  in it, change "bypass_actors": [] to "bypass_actors": [${entry}]`
      : `  in it, add ${entry} to "bypass_actors"`;
  },
};

/** What is left to do by hand, in the order in which it is to be done. */
export function setupSteps({
  dry,
  action,
  app,
  workSource,
  runner,
  signingKey,
  events,
  gateShown,
  answersToo,
}: {
  readonly dry: boolean;
  readonly action: string;
  readonly app: number | null;
  readonly workSource: string;
  /** The label of the team's own machine. */
  readonly runner: string;
  /** Whether a runner signs. */
  readonly signingKey: boolean;
  /** Whether workflow runs answer comments, with their own token. */
  readonly events: boolean;
  /** Whether a landing by comment comes to know that the gate is green: by required checks, or by a runner. */
  readonly gateShown: boolean;
  /** Whether the workflow that answers comments stands beside the App. */
  readonly answersToo: boolean;
}): string[] {
  if (dry) return ["nothing was written; leave out --dry-run to write it"];
  const steps = [
    `see that the workflows may run ${action}: docs/action.md says which copy to name, and how to go to a later one`,
    "look at the files, commit them to the default branch, and push",
    "import .github/rulesets/*.json on GitHub: Settings, Rules, Rulesets, New ruleset, Import a ruleset; change one that is there already by hand, because importing it again makes a second one",
    ...(app === null
      ? ["put koryph's App on the bypass list of koryph-process, with the mode Always (--app-id writes it)"]
      : []),
    ...(gateShown
      ? []
      : [
          "for landings by comment, require a check of your CI in koryph-process, with its source, and set land.gate to checks",
        ]),
    ...(events
      ? [
          "koryph-events.yml names the workflows that landings may wait for: write it anew when you add one; docs/action.md says what its GITHUB_TOKEN cannot do",
        ]
      : []),
    ...(answersToo
      ? [
          `delete ${EVENTS_FILE} where koryph serve answers for this repository, or every comment is answered twice; without a server, when the App is there for its token only, replace its line token: \${{ github.token }} as docs/action.md shows`,
        ]
      : []),
    `give a runner of your own the label ${runner}, with the agent's program and its credential on it`,
    ...(signingKey
      ? [
          "make the environment koryph-signing for the default branch alone, with the secret KORYPH_SIGNING_KEY",
        ]
      : []),
    ...(workSource === "github"
      ? []
      : [`work_source is ${workSource}: fill in the step that fetches the backlog, or set it to github`]),
  ];
  return ["next:", ...steps.map((step, at) => `  ${at + 1}. ${step}`), "  then: koryph doctor"];
}
