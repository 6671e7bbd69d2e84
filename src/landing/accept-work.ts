import { landWords } from "../core/replies/land/land.js";
import type { Slot } from "../core/run/ledger/slot.js";
import type { Accepted } from "../core/run/tick/tick-facts.js";
import { UserError } from "../lib/user-error.js";
import type { Repo } from "../ports/repo.js";

/** Makes a candidate of what the agents left. From here on they have no say in it, and unsigned means refused. */
export async function acceptWork({ bead }: Pick<Slot, "bead">, repo: Repo): Promise<Accepted> {
  // A remote that is out of reach is no fault of the work: it is asked for again with the next tick.
  const { branch } = await repo.fetchBase();
  try {
    const made = await repo.candidate(bead);
    if (made === null) return { kind: "failed", why: landWords.nothingToLand() };
    const { base, head } = await repo.sign(bead, made);
    await repo.keep(bead, head);
    const { total } = await repo.range({ base, head });
    return { kind: "accepted", branch, from: made.head, base, head, commits: total };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { kind: "failed", why: error.message };
  }
}
