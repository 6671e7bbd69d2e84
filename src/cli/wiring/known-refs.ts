import { hasCommitObject } from "../../adapters/git/exec/describe-objects.js";
import { readRefFiles } from "../../adapters/git/exec/ref-files.js";
import type { VerifyQuestion } from "../../adapters/git/receipts/verify-chain.js";
import { fetchReceipts, RECEIPTS_REF } from "../../adapters/git/remote/fetch-remote.js";
import { UserError } from "../../lib/user-error.js";
import { openClones } from "../../wiring/start-engine.js";
import type { WiredProject } from "../../wiring/wire-project.js";

interface KnownRefs extends Pick<VerifyQuestion, "tip" | "branch"> {
  /** Why the remote could not be asked; null when it was. */
  readonly offline: string | null;
}

/** Branch and receipts as the remote has them; as they were last seen where it cannot be reached. */
export async function knownRefs(project: WiredProject): Promise<KnownRefs> {
  const repo = project.home.repository(project.config.project_id);
  const clones = openClones(project);
  try {
    const { defaultBranch, base, receipts } = await clones.fetch();
    if (receipts !== null && !(await hasCommitObject(repo, receipts)))
      await fetchReceipts(repo, await clones.reach());
    return { tip: receipts, branch: { name: defaultBranch, tip: base }, offline: null };
  } catch (error) {
    const seen = error instanceof UserError ? await seenRefs(repo, error.message) : null;
    if (seen === null) throw error;
    return seen;
  }
}

const ORIGIN = "refs/remotes/origin";

/** Null when nothing was ever fetched. */
async function seenRefs(repo: string, offline: string): Promise<KnownRefs | null> {
  const refs = await readRefFiles(repo, [ORIGIN, RECEIPTS_REF]).catch(() => []);
  const head = refs.find(({ ref }) => ref === `${ORIGIN}/HEAD`);
  if (head === undefined) return null;
  const tip = refs.find(({ ref }) => ref === RECEIPTS_REF)?.sha ?? null;
  return { tip, branch: { name: head.target.slice(ORIGIN.length + 1), tip: head.sha }, offline };
}
