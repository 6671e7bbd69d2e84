import { operatorGit } from "../exec/operator-git.js";

export async function isOnBranch(checkout: string, branch: string): Promise<boolean> {
  const head = await operatorGit(checkout, ["symbolic-ref", "--quiet", "HEAD"]);
  return head?.stdout.trimEnd() === `refs/heads/${branch}`;
}

export interface ChangedFile {
  readonly path: string;
  /** All of the change is in the index. */
  readonly staged: boolean;
}

const STATUS = "--no-optional-locks status --porcelain -z --no-renames --ignore-submodules=all".split(" ");

/** Files that differ from the commit checked out; none where git cannot tell. */
export async function changedFiles(checkout: string, untracked: "no" | "normal"): Promise<ChangedFile[]> {
  const answer = await operatorGit(checkout, [...STATUS, `--untracked-files=${untracked}`]);
  const entries = answer?.code === 0 ? answer.stdout.split("\0").filter((entry) => entry !== "") : [];
  return entries.map((entry) => ({ path: entry.slice("XY ".length), staged: entry[1] === " " }));
}
