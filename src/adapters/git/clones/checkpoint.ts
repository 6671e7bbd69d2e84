import { worktreeAdvice } from "../../../core/replies/run/worktrees.js";
import { UserError } from "../../../lib/user-error.js";
import { setRefs } from "../exec/move-refs-standing.js";
import type { ClonePaths } from "../exec/project-paths.js";
import { keepOld, readRefs } from "../exec/read-refs.js";
import { runGit } from "../exec/run-git.js";
import { fetchWip } from "../remote/fetch-remote.js";
import type { Remote } from "../remote/remote.js";

const PUSH = [
  "push",
  "--porcelain",
  "--no-verify",
  "--no-follow-tags",
  "--no-signed",
  "--recurse-submodules=no",
];
const PUSH_MS = 300_000;

/** Where the bead's saved work is on the remote, and what was seen of it in `repo.git`. */
export function wipRef(bead: string): string {
  return `refs/koryph/wip/${bead}`;
}

/**
 * Makes the bead's saved work on the remote be `wanted`; null takes it away. It replaces only what was seen
 * there. Something unseen, from another runner or from our own push before a crash, is fetched first
 * and kept in `repo.git`, so that nothing is overwritten that exists nowhere else.
 */
export async function moveWip(paths: ClonePaths, remote: Remote, wanted: string | null): Promise<void> {
  const seen = (await readRefs(paths))?.wip ?? null;
  if (seen !== null && seen === wanted) return;
  if (await push(paths, remote, seen, wanted)) return;
  const there = (await fetchWip(paths.repo, remote, paths.bead)) ? await keepUnseen(paths, wanted) : null;
  if (there === wanted) return record(paths, wanted);
  if (!(await push(paths, remote, there, wanted)))
    throw UserError.of(worktreeAdvice.notPushed(remote.pushUrl, "it changes faster than it can be read"));
}

async function keepUnseen(paths: ClonePaths, wanted: string | null): Promise<string | null> {
  const refs = await readRefs(paths);
  if (refs === null || refs.wip === null) return null;
  if (refs.wip !== wanted && refs.wip !== refs.tip) await keepOld(paths, refs.old, refs.wip);
  return refs.wip;
}

/** It holds something else; or the connection was cut, and what it holds is anybody's guess until it is asked. */
const ASK_THE_REMOTE =
  /\[rejected\]|stale info|remote ref does not exist|failed to lock|cannot lock ref|hung up|early eof|disconnect/i;

/** False when the remote holds something other than `seen`. */
async function push(
  paths: ClonePaths,
  remote: Remote,
  seen: string | null,
  wanted: string | null,
): Promise<boolean> {
  const ref = wipRef(paths.bead);
  const args = [...PUSH, `--force-with-lease=${ref}:${seen ?? ""}`, remote.pushUrl, `${wanted ?? ""}:${ref}`];
  const answer = await runGit(paths.repo, args, {
    env: { ...remote.env, GIT_DIR: paths.repo },
    timeoutMs: PUSH_MS,
  });
  if (answer.code === 0) {
    await record(paths, wanted);
    return true;
  }
  if (ASK_THE_REMOTE.test(answer.stdout + answer.stderr)) return false;
  throw UserError.of(worktreeAdvice.notPushed(remote.pushUrl, answer.stderr));
}

async function record({ repo, bead }: ClonePaths, wip: string | null): Promise<void> {
  const ref = wipRef(bead);
  await setRefs(repo, wip === null ? `delete ${ref}\n` : `update ${ref} ${wip}\n`);
}
