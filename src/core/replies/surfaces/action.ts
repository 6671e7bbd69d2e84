import type { Advice } from "../../../lib/user-error.js";
import type { Problem } from "../../config/problems.js";
import { PROJECT_FILE } from "../config/project.js";

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
  absent: (folder: string): Advice => ({
    message: `${PROJECT_FILE} was not found in the folder ${JSON.stringify(folder)} of the workspace`,
    hint: "put actions/checkout before this step, and name the folder that holds the file in the input project",
  }),
  outside: (path: string): Advice => ({
    message: `${JSON.stringify(path)} leads out of the workspace`,
    hint: "the Action reads files of the checkout only: name a folder inside it, and replace links by the files themselves",
  }),
  outputTooLong: (name: string): Advice => ({
    message: `koryph left the output ${name} empty: the backlog is too long for it`,
    hint: "narrow it with the inputs parent and epic, or run koryph with --json in a step of your own",
  }),
};
