import { pushRefusal } from "../../../core/replies/land/landing-repo.js";
import type { BasePush } from "../../../ports/repo.js";
import { followsCommit } from "../exec/ancestry.js";
import { type GitAnswer, runGit } from "../exec/run-git.js";
import type { Remote } from "../remote/remote.js";
import { askRemote } from "../remote/remote-refs.js";
import { type BaseMove, findCheckoutObstacle, isHalfMoved } from "./checkout-obstacle.js";

export interface PushFacts {
  readonly repo: string;
  readonly remote: Remote;
  /** The operator's checkout, where it is what is pushed to; null for a remote. */
  readonly checkout: string | null;
  /** Brings in what the remote has now. */
  readonly fetch: () => Promise<unknown>;
}

export const PUSH = "push --porcelain --no-verify --no-follow-tags --no-signed --recurse-submodules=no".split(
  " ",
);

/** A remote that has not answered by now will be asked what it holds instead. */
export const PUSH_TIMEOUT_MS = 300_000;

/**
 * Moves a branch from one commit to a later one. Whatever git says about a push that did not go through, what
 * the remote holds decides: a connection can be cut after the push arrived.
 */
export async function pushBase(facts: PushFacts, move: BaseMove): Promise<BasePush> {
  await mustFollow(facts.repo, move);
  // Asked before the gate, too; what has come into the checkout since then is found here.
  const obstacle = await findCheckoutObstacle(facts, move);
  if (obstacle !== null) return { kind: "refused", why: obstacle.why };
  const answer = await push(facts, move, "updateInstead");
  if (answer.code === 0) return { kind: "pushed" };
  const { remote } = facts;
  const ref = `refs/heads/${move.branch}`;
  const tip = (await askRemote({ ...remote, url: remote.pushUrl }, [ref])).tips.get(ref) ?? null;
  if (tip === move.to) return { kind: "pushed" };
  if (tip !== move.from) return (await isBelow(facts, move.to, tip)) ? { kind: "pushed" } : { kind: "moved" };
  if (await isHalfMoved(facts, move)) {
    const ended = await push(facts, move, "ignore");
    if (ended.code === 0) return { kind: "pushed" };
  }
  return { kind: "refused", why: pushRefusal(`${answer.stdout}\n${answer.stderr}`) };
}

/** With a lease git moves a branch to any commit whatever. */
async function mustFollow(repo: string, { branch, from, to }: BaseMove): Promise<void> {
  if ((await followsCommit(repo, from, to)) !== true)
    throw new Error(`${branch} may not move from ${from} to ${to}, which does not follow it`);
}

function push(
  { repo, remote, checkout }: PushFacts,
  { branch, from, to }: BaseMove,
  checkedOut: "updateInstead" | "ignore",
): Promise<GitAnswer> {
  const ref = `refs/heads/${branch}`;
  // A remote's hooks are the team's and run there. In the operator's own checkout a hook would meet files that
  // an agent wrote, which nobody asked it to.
  const settings = `-c core.hooksPath=/dev/null -c core.fsmonitor=false -c receive.denyCurrentBranch=${checkedOut}`;
  const receive = checkout === null ? [] : [`--receive-pack=git ${settings} receive-pack`];
  const args = [
    ...PUSH,
    ...receive,
    `--force-with-lease=${ref}:${from}`,
    "--",
    remote.pushUrl,
    `${to}:${ref}`,
  ];
  return runGit(repo, args, { env: { ...remote.env, GIT_DIR: repo }, timeoutMs: PUSH_TIMEOUT_MS });
}

/** Whether the remote went on from `to`: it was pushed after all, and then others pushed. */
async function isBelow({ repo, fetch }: PushFacts, to: string, tip: string | null): Promise<boolean> {
  if (tip === null) return false;
  await fetch();
  return (await followsCommit(repo, to, tip)) === true;
}
