import type { LedgerView } from "../../../ports/ledger.js";
import { archiveRef, type LineageFacts } from "./ledger-lineage.js";

export interface Chain {
  readonly number: number;
  readonly tip: string;
  /** Null for the chain that is still growing. */
  readonly archive: string | null;
}

/** The archived chains that are still there, oldest first, each fetched when its turn comes; then the current one. */
export async function* allChains(facts: LineageFacts, view: LedgerView): AsyncGenerator<Chain> {
  const current = view.state.chain.number;
  for (const { number, ref } of await listArchives(facts)) {
    if (number >= current) continue;
    const tip = await facts.remote.fetch(ref);
    if (tip !== null) yield { number, tip, archive: ref };
  }
  if (view.tip !== null) yield { number: current, tip: view.tip, archive: null };
}

async function listArchives({ remote, ref }: LineageFacts): Promise<{ number: number; ref: string }[]> {
  const found = await remote.list(`${ref}-*`);
  return found
    .map((tip) => ({ number: Number(tip.ref.slice(ref.length + 1)), ref: tip.ref }))
    .filter(({ number, ref: name }) => Number.isInteger(number) && name === archiveRef(ref, number))
    .sort((a, b) => a.number - b.number);
}
