import type { GuardCode } from "../../guard/guard-verdict.js";

/** What an agent may do instead, for everything that it may not do. */
export const INSTEAD: Readonly<Record<GuardCode, string>> = {
  push: "Commit on your own branch and stop there: koryph takes the commits from your clone and lands them after its checks.",
  "default-branch":
    "Stay on your own branch: rebase it on the default branch if you need what is new there, or restore single files with `git checkout <branch> -- <file>`.",
  "merge-pull":
    "Leave merging and approving to koryph and the reviewers: write what you would tell them into SUMMARY.md.",
  "close-bead":
    "Leave the bead open: koryph closes it when your work has landed. Say in status.json how far you are.",
  "github-write":
    "Read from GitHub if you can, and write what should be posted into SUMMARY.md: koryph posts for you.",
  "engine-command":
    "Do the bead's work alone: koryph is steered by people. You may look with `koryph status`.",
  token:
    "Work without keys and tokens: nothing in your task needs them. To see one harmless variable, name it: `printenv PATH`.",
  credentials:
    "Leave log-ins and keys alone: use made-up ones of your own in the clone where a test needs some.",
  "agent-socket": "Do without key agents and control sockets: koryph signs commits itself.",
  "git-settings":
    "Leave how git signs, connects and runs programs as it is. Name, e-mail and an editor that ends at once (`GIT_EDITOR=true`) are yours to set.",
  enforcement:
    "Leave hooks, settings and variables that koryph set as they are: change files of the project instead, and say in SUMMARY.md what should be set up differently.",
  outside: "Write inside your clone, your own folder ($KORYPH_AGENT_DIR), your home or /tmp.",
  "engine-files": "Stay in your clone: everything you need is there or in $KORYPH_AGENT_DIR.",
  "other-processes": "End only what you started yourself, by its number or job: `kill %1`, `kill $!`.",
  "unreadable-call": "Call the tool again with the inputs that it asks for.",
};

/** What an agent is told when a call of its is denied. */
export function deniedCallWords(code: GuardCode, what: string): string {
  return `koryph's guard denied \`${what.replaceAll("`", "'")}\` (${code}). ${INSTEAD[code]}`;
}
