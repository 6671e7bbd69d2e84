import { plainText } from "../../../lib/plain-text.js";
import type { Advice } from "../../../lib/user-error.js";

/** What keeps koryph from a repository's issues. */
export const issueAdvice = {
  noToken: (host: string): Advice => ({
    message: `issues on ${plainText(host)} are read and changed with your own token, and there is none`,
    hint: "set GITHUB_TOKEN or GH_TOKEN, or log in with `gh auth login`",
  }),
  notSeen: (repository: string): Advice => ({
    message: `your token does not see the repository ${plainText(repository)} on GitHub`,
    hint: "see whether the remote's address is right, and whose token GITHUB_TOKEN, GH_TOKEN or `gh auth status` has",
  }),
  switchedOff: (repository: string): Advice => ({
    message: `issues are switched off in ${plainText(repository)}`,
    hint: "switch them on in the repository's settings, or set work_source to file or bd",
  }),
  mayNot: (repository: string, does: "read" | "change" | "judge"): Advice => ({
    message:
      does === "judge"
        ? `your token may not ask who may triage the issues of ${plainText(repository)}`
        : `your token may not ${does} the issues of ${plainText(repository)}`,
    hint: "give it the permission `issues: write` (in a workflow: `permissions`), and its owner the write role",
  }),
};
