import { receiptStatement } from "../../src/core/receipts/statement.js";
import { OutsideFault } from "../../src/ports/outside-fault.js";
import type { Receipts } from "../../src/ports/receipts.js";
import type { Chance } from "./chance.js";
import type { SimOrigin } from "./sim-origin.js";

const WHERE = { project: "sim", repository: null, koryph: "0.0.0" };
const REF = "refs/koryph/receipts";

/** The chain of receipts beside the simulated default branch. */
export function simReceipts(origin: SimOrigin, chance: Chance, lossPercent: () => number): Receipts {
  const maybeGone = () => {
    if (chance.percent(lossPercent()))
      throw new OutsideFault({ message: "the remote is gone", hint: "look for it" });
  };
  return {
    digest: () => `sha256:${"0".repeat(64)}`,
    find: async (tip, { landing, head }) => {
      const upTo = origin.receipts.findIndex(({ commit }) => commit === tip) + 1;
      const chain = origin.receipts.slice(0, upTo);
      return chain.find((each) => each.landing === landing && each.head === head)?.commit ?? null;
    },
    write: async (facts, { tip: previous, recovered }) => {
      const place = { at: "2026-01-01T00:00:00Z", recovered, previous };
      const { predicate } = receiptStatement({ ...facts, ...WHERE, ...place });
      const commit = (origin.drafts.size + 1).toString(16).padStart(40, "c");
      origin.drafts.set(commit, { commit, previous, landing: predicate.landing, head: predicate.head });
      return { ref: REF, from: previous, to: commit };
    },
    push: async ({ from, to }) => {
      maybeGone();
      const moved = chance.percent(95) && origin.moveReceipts(from, to);
      maybeGone();
      return moved;
    },
    seen: async () => {},
  };
}
