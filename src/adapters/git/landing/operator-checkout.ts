import { PROJECT_FILE } from "../../../core/config/project-file.js";
import type { UnseenWork } from "../../../core/land/unseen-work.js";
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

export interface BaseStart {
  readonly branch: string;
  /** The commit that agents start from. */
  readonly tip: string;
  readonly remote: string | null;
}

/** Null where the checkout is on another branch, or has nothing that agents do not get. Asks no remote. */
export async function unseenWork(checkout: string, base: BaseStart): Promise<UnseenWork | null> {
  const { branch, remote } = base;
  if (!(await isOnBranch(checkout, branch))) return null;
  const [ahead, changed] = await Promise.all([
    remote === null ? 0 : commitsBeyond(checkout, [base.tip, `refs/remotes/${remote}/${branch}`]),
    changedFiles(checkout, "normal"),
  ]);
  // Koryph reads its settings from the checkout, committed or not.
  const uncommitted = changed.map(({ path }) => path).filter((path) => path !== PROJECT_FILE);
  return ahead === 0 && uncommitted.length === 0 ? null : { branch, remote, ahead, uncommitted };
}

/** How many commits the branch has that none of these has; 0 where all of them are unknown here. */
async function commitsBeyond(checkout: string, names: readonly string[]): Promise<number> {
  const asked = names.map((name) =>
    operatorGit(checkout, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]),
  );
  const known = (await Promise.all(asked)).flatMap((answer) =>
    answer?.code === 0 ? [answer.stdout.trimEnd()] : [],
  );
  if (known.length === 0) return 0;
  const counted = await operatorGit(checkout, ["rev-list", "--count", "HEAD", "--not", ...known, "--"]);
  return counted?.code === 0 ? Number(counted.stdout) : 0;
}
