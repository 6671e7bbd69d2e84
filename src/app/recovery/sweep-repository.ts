import { type BeadLookParts, lookAtBeads } from "../comments/look-at-beads.js";
import { openPlace, type SyncRepositoryParts, syncPlace } from "../pulls/sync-repository.js";
import { type ResumeParts, resumeLandings } from "./resume-landings.js";
import type { SweepPlace } from "./sweep-comments.js";

export interface SweepRepositoryParts {
  readonly syncing: SyncRepositoryParts;
  readonly landings: ResumeParts;
  readonly beads: Pick<BeadLookParts, "beads" | "log">;
}

/** Brings one repository to what GitHub and its ledger say now. What fails of it keeps back nothing else. */
export async function sweepRepository(
  { syncing, landings, beads }: SweepRepositoryParts,
  place: SweepPlace,
): Promise<void> {
  const found = await openPlace(syncing, place);
  if (found === null) return;
  const { id, threads, opened } = found;
  const repository = { id, fullName: place.repository };
  const steps = [
    () => syncPlace(syncing, found),
    () => resumeLandings(landings, found),
    () => lookAtBeads(beads, { repository, threads, opened }),
  ];
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
}
