import { worktreeFinding } from "../../../core/replies/run/worktrees.js";
import type { PullRange } from "../../../ports/pull-repo.js";
import type { Candidate } from "../../../ports/repo.js";
import { describeObjects } from "../exec/describe-objects.js";
import { quietOutput } from "../exec/quiet-git.js";
import { readCommits } from "../exec/read-commits.js";

/** GitHub tells the people behind no more commits than that. */
const MOST_COMMITS = 250;
const GITLINK = "160000";

/** What a pull request's commits touch. Each of them is looked at, not their sum: all of them land. */
export async function readPullRange(repo: string, { base, head }: Candidate): Promise<PullRange> {
  const total = Number(await quietOutput(repo, ["rev-list", "--count", `${base}..${head}`]));
  const [before, after] = await describeObjects(repo, [`${base}^{tree}`, `${head}^{tree}`]);
  const empty = total === 0 || before?.sha === after?.sha;
  const tree = after?.sha ?? "";
  if (total >= MOST_COMMITS) return { total, commits: [], paths: [], findings: [], empty, tree };
  const commits = (await readCommits(repo, { base, head })) ?? [];
  const log = "log -z --raw --no-abbrev --no-renames --diff-merges=first-parent --format=".split(" ");
  const fields = (await quietOutput(repo, [...log, `${base}..${head}`, "--"])).split("\0");
  const paths = new Set<string>();
  const links = new Set<string>();
  for (const [at, field] of fields.entries()) {
    const [, oldMode, mode] = /^\n?:(\d{6}) (\d{6}) /.exec(field) ?? [];
    const path = fields[at + 1];
    if (oldMode === undefined || path === undefined) continue;
    paths.add(path);
    if (oldMode === GITLINK || mode === GITLINK || path.toLowerCase() === ".gitmodules") links.add(path);
  }
  return {
    total,
    commits: commits.map(({ sha, parents, message, author, committer }) => ({
      ...{ sha, parents, message, authorName: author.name },
      ...{ authorEmail: author.email, committerEmail: committer.email },
    })),
    paths: [...paths].sort(),
    findings: [...links].sort().map(worktreeFinding.submodule),
    empty,
    tree,
  };
}
