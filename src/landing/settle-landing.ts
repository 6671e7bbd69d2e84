import { landWords } from "../core/replies/land/land.js";
import type { Ledger } from "../ports/ledger.js";
import type { Repo } from "../ports/repo.js";
import type { SlotFolders } from "../ports/slot-folders.js";
import type { WorkSource } from "../ports/work-source.js";

export interface SettleParts {
  readonly ledger: Ledger;
  readonly repo: Repo;
  readonly source: WorkSource;
  readonly folders: Pick<SlotFolders, "dropGates" | "dropHomes">;
}

/**
 * After a landing: the bead is closed with the landed commit, and its clone, branches and homes go. May be repeated. False
 * when the default branch does not have it, whatever the ledger says: then the work is all there is, and stays.
 */
export async function settleLanding(
  parts: SettleParts,
  bead: string,
  { head, from }: { readonly head: string; readonly from: string | null },
): Promise<boolean> {
  const { ledger, repo, source, folders } = parts;
  const { tip } = await repo.fetchBase();
  const isHere = await repo.has(head);
  const isThere = isHere && (await repo.isAncestor(head, tip));
  await folders.dropGates(bead);
  // A commit that nobody here has ever seen was never landed, and one that is gone from the branch was taken back since.
  if (isHere) await source.close(bead, landWords.closed(head));
  if (isThere) {
    await repo.drop(bead, from);
    await folders.dropHomes(bead);
  }
  await ledger.observe([{ type: "land.settled", bead, data: {} }]);
  return isThere;
}
