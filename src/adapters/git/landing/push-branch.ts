import { pushRefusal } from "../../../core/replies/land/landing-repo.js";
import type { BranchMove, BranchPush } from "../../../ports/repo.js";
import { runGit } from "../exec/run-git.js";
import type { Remote } from "../remote/remote.js";
import { askRemote } from "../remote/remote-refs.js";
import { PUSH, PUSH_TIMEOUT_MS } from "./push-base.js";

/**
 * Puts a branch of koryph's own on the remote, from nothing or from a commit that koryph put there before. What anybody
 * else put there stays. As with the default branch, what the remote holds afterwards decides.
 */
export async function pushBranch(repo: string, remote: Remote, move: BranchMove): Promise<BranchPush> {
  const ref = `refs/heads/${move.branch}`;
  const before = await tipOf(remote, ref);
  if (before === move.to) return { kind: "pushed" };
  if (before !== null && !move.from.includes(before)) return { kind: "taken", at: before };
  // An empty expectation says that there must be no such branch.
  const lease = `--force-with-lease=${ref}:${before ?? ""}`;
  const args = [...PUSH, lease, "--", remote.pushUrl, `${move.to}:${ref}`];
  const env = { ...remote.env, GIT_DIR: repo };
  const answer = await runGit(repo, args, { env, timeoutMs: PUSH_TIMEOUT_MS });
  if (answer.code === 0) return { kind: "pushed" };
  const after = await tipOf(remote, ref);
  if (after === move.to) return { kind: "pushed" };
  if (after !== null && after !== before) return { kind: "taken", at: after };
  return { kind: "refused", why: pushRefusal(`${answer.stdout}\n${answer.stderr}`) };
}

async function tipOf(remote: Remote, ref: string): Promise<string | null> {
  return (await askRemote({ ...remote, url: remote.pushUrl }, [ref])).tips.get(ref) ?? null;
}
