import { landWords } from "../core/replies/land.js";
import type { Ledger } from "../ports/ledger.js";
import type { Repo } from "../ports/repo.js";
import type { SlotFolders } from "../ports/slot-folders.js";
import type { WorkSource } from "../ports/work-source.js";

export interface SettleParts {
  readonly ledger: Ledger;
  readonly repo: Repo;
  readonly source: WorkSource;
  readonly folders: Pick<SlotFolders, "dropGates">;
}

/** After a landing: the bead is closed with the landed commit, and its clone and branches go. May be repeated. */
export async function settleLanding(parts: SettleParts, bead: string, head: string): Promise<void> {
  await parts.folders.dropGates(bead);
  await parts.source.close(bead, landWords.closed(head));
  await parts.repo.drop(bead);
  await parts.ledger.observe([{ type: "land.settled", bead, data: {} }]);
}
