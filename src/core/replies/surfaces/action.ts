import type { Advice } from "../../../lib/user-error.js";
import type { Problem } from "../../config/problems.js";
import { PROJECT_FILE } from "../../config/project-file.js";
import type { UnfitApp } from "../../doctor/runner-app.js";

function unfitLine(unfit: UnfitApp): string {
  switch (unfit.kind) {
    case "administers":
      return "  it may change rules, or which repositories they are for (Administration, Custom properties)";
    case "bypasses":
      return `  it may bypass the ruleset ${JSON.stringify(unfit.ruleset)}`;
    case "unknown":
      return `  GitHub does not say whether it may bypass the ruleset ${JSON.stringify(unfit.ruleset)}`;
  }
}

export const actionAdvice = {
  wrongInputs: (problems: readonly Problem[], docs: string): Advice => ({
    message: [
      `the Action's inputs have ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}:`,
      ...problems.map(({ key, found, need }) => `  ${key}: found ${found}, needed ${need}`),
    ].join("\n"),
    hint: `${docs} lists every input`,
  }),
  noWorkspace: (): Advice => ({
    message: "GITHUB_WORKSPACE is not set",
    hint: "use the Action in a workflow's job; on a machine of your own run `koryph run --dry-run`",
  }),
  missing: (mode: "run" | "job" | "events", names: readonly string[]): Advice => ({
    message: `mode ${mode} needs ${names.join(", ")}`,
    hint: "docs/action.md shows the workflow: names in small letters are inputs, the rest comes from the runner",
  }),
  tokenBesideKey: (): Advice => ({
    message: "the inputs token and app-private-key were both given",
    hint: "give app-id and app-private-key where the run speaks for your App, and token where it speaks for the workflow",
  }),
  appAway: (app: string, repository: string, suspended: boolean): Advice => ({
    message: `the App ${JSON.stringify(app)} is ${suspended ? "suspended" : "not installed"} on ${repository}, or the key is not its own`,
    hint: "install it: the App's page, Install App, and choose the repository; app-id is the number or the client id on its settings page",
  }),
  appUnfit: (app: string, unfit: readonly UnfitApp[]): Advice => ({
    message: [
      `the key of the App ${JSON.stringify(app)} must not be on a runner:`,
      ...unfit.map(unfitLine),
    ].join("\n"),
    hint: "make another App for runners, which is on no bypass list and has no permission Administration; the App that lands stays on its server",
  }),
  absent: (folder: string): Advice => ({
    message: `${PROJECT_FILE} was not found in the folder ${JSON.stringify(folder)} of the workspace`,
    hint: "put actions/checkout before this step, and name the folder that holds the file in the input project",
  }),
  outside: (path: string): Advice => ({
    message: `${JSON.stringify(path)} leads out of the workspace`,
    hint: "the Action reads files of the checkout only: name a folder inside it, and replace links by the files themselves",
  }),
  runFailed: (line: string, strict: boolean): Advice => ({
    message: line,
    hint: strict
      ? "the input strict makes a failure of a bead that ended blocked or in conflict; the log above says why each did"
      : "the log above says what kept the run from its work",
  }),
  noSummary: (why: string): Advice => ({
    message: `the runner did not take the job summary: ${why}`,
    hint: "the log and the outputs have how it ended; a runner sets GITHUB_STEP_SUMMARY to a file that can be written",
  }),
  outputTooLong: (name: string): Advice => ({
    message: `koryph left the output ${name} empty: the backlog is too long for it`,
    hint: "narrow it with the inputs parent and epic, or run koryph with --json in a step of your own",
  }),
};
