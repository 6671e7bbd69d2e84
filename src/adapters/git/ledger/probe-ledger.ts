import { randomBytes } from "node:crypto";
import type { LedgerProbe } from "../../../core/doctor/examine-ledger.js";
import { gitComplaint } from "../../../core/replies/run/worktrees.js";
import type { Remote } from "../remote/remote.js";
import { LedgerRemote, type PushedRef } from "./ledger-remote.js";
import { EMPTY_TREE, mustGit, openLedgerRepository } from "./ledger-repository.js";

/**
 * Tries on refs of its own what the ledger's ref will need: to be created, moved from what is expected and from nothing
 * else, moved together with another, and deleted. Whatever comes of it, the refs are taken away again.
 */
export async function probeLedger(gitDir: string, { pushUrl, env }: Remote): Promise<LedgerProbe> {
  await openLedgerRepository(gitDir);
  const remote = new LedgerRemote(gitDir, pushUrl, env);
  const name = `refs/koryph/doctor-${randomBytes(8).toString("hex")}`;
  const [first, second] = [`${name}/a`, `${name}/b`];
  const [one, two] = [await trialCommit(gitDir, "one"), await trialCommit(gitDir, "two")];
  const created = await remote.push([{ ref: first, to: one, expected: null }]);
  if (created.code !== 0) return { kind: "refused", why: gitComplaint(created.stderr) };
  try {
    // Somebody else's expectation: whoever has lost the race must lose it.
    await remote.push([{ ref: first, to: two, expected: two }]);
    const keepsLease = (await remote.tip(first)) === one;
    // Git refuses such a push by itself where the remote cannot move refs together.
    const together: PushedRef[] = [
      { ref: second, to: two, expected: null },
      { ref: first, to: two, expected: one },
    ];
    const isAtomic = (await remote.push(together)).code === 0;
    return { kind: "tried", keepsLease, isAtomic, left: await tidy(remote, name) };
  } catch (error) {
    await tidy(remote, name).catch(() => {});
    throw error;
  }
}

function trialCommit(gitDir: string, message: string): Promise<string> {
  const nobody = { GIT_AUTHOR_NAME: "koryph", GIT_AUTHOR_EMAIL: "koryph@localhost" };
  const env = { ...nobody, GIT_COMMITTER_NAME: "koryph", GIT_COMMITTER_EMAIL: "koryph@localhost" };
  const args = ["commit-tree", EMPTY_TREE, "-m", message];
  return mustGit(gitDir, args, { env }).then((sha) => sha.trimEnd());
}

/** Names of the refs that are still there afterwards. */
async function tidy(remote: LedgerRemote, name: string): Promise<string[]> {
  for (const { ref, tip } of await remote.list(`${name}/*`))
    await remote.push([{ ref, to: null, expected: tip }]);
  return (await remote.list(`${name}/*`)).map(({ ref }) => ref);
}
