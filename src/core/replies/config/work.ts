import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";
import type { NoGithub } from "../../config/github-remote.js";
import { didYouMean } from "../did-you-mean.js";

const SHOWN_LINES = 20;

function notOnGithub(missing: NoGithub): string {
  if (missing.kind === "no_remote") return "this repository has no remote";
  if (missing.host === "") return "the remote of this repository is a folder";
  return `${plainText(missing.host)} is no GitHub that koryph knows (GITHUB_SERVER_URL and GITHUB_API_URL name a GitHub Enterprise Server)`;
}

export const workAdvice = {
  absent: (path: string): Advice => ({
    message: `${path} was not found`,
    hint: `write one bead per line into it, such as {"id":"demo-1","title":"Add a health check","labels":["area:api"]}`,
  }),
  unreadable: (path: string, problem: string): Advice => ({
    message: `${path} cannot be read: ${plainText(problem)}`,
    hint: "mend its permissions, or name another work_source in koryph.project.json",
  }),
  tracked: (path: string, relative: string): Advice => ({
    message: `${path} is tracked by git, so a branch could change the work it was made for`,
    hint: `run \`git rm --cached ${relative}\` and commit; \`koryph init\` keeps .koryph/ out of git`,
  }),
  malformed: (path: string, problems: readonly { line: number; reason: string }[]): Advice => {
    const shown = problems
      .slice(0, SHOWN_LINES)
      .map(({ line, reason }) => `${path}:${line}: ${plainText(reason)}`);
    const rest = problems.length - shown.length;
    return {
      message: [...shown, ...(rest > 0 ? [`and ${rest} more malformed lines`] : [])].join("\n"),
      hint: "mend the file; no bead was read",
    };
  },
  noBd: (): Advice => ({
    message: "the bd command was not found, and work_source is bd",
    hint: "install it (npm install --global @beads/bd, or brew install beads) or set work_source to file",
  }),
  bdFailed: (command: string, problem: string): Advice => ({
    message: `${command} failed: ${plainText(problem)}`,
    hint: "run the same command by hand in the project folder; `bd doctor` finds common faults",
  }),
  bdSlow: (command: string, seconds: number): Advice => ({
    message: `${command} did not answer within ${seconds} s`,
    hint: "another bd may have its lock: run the same command by hand in the project folder",
  }),
  bdLong: (command: string, bytes: number): Advice => ({
    message: `${command} failed: its answer is longer than ${bytes} bytes`,
    hint: "run the same command by hand in the project folder to see what it prints",
  }),
  noTemp: (folder: string, problem: string): Advice => ({
    message: `koryph cannot make a file in ${folder}: ${plainText(problem)}`,
    hint: "set TMPDIR to a folder that exists and that you can write",
  }),
  noIssues: (missing: NoGithub): Advice => ({
    message: `work_source is github, and ${notOnGithub(missing)}`,
    hint: "name the remote that is on GitHub in ledger.remote, or set work_source to file or bd",
  }),
  noBead: (id: string, near: readonly string[]): Advice => ({
    message: `the work source has no bead ${plainText(id)}${didYouMean(near.map(plainText))}`,
    hint: "`koryph list` shows those that are open",
  }),
  notReady: (id: string, why: string): Advice => ({
    message: `bead ${plainText(id)} is not ready: ${plainText(why)}`,
    hint: "only ready beads can be dispatched; leave --only out to see what is ready",
  }),
};
