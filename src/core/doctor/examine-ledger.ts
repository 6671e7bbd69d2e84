import type { Diagnosis } from "./diagnosis.js";

/** What came of trying, on refs that are nobody's, what the ledger's ref will need. */
export type LedgerProbe =
  | { readonly kind: "refused"; readonly why: string }
  | {
      readonly kind: "tried";
      /** A push that expected another commit was turned down. */
      readonly keepsLease: boolean;
      /** Two refs moved in one push that moves both or neither. */
      readonly isAtomic: boolean;
      /** Refs of the probe that could not be taken away. */
      readonly left: readonly string[];
    };

/** Null means that nothing may be written to the remote just to look. Without one there is nothing to try it on. */
export function examineLedger(
  probe: LedgerProbe | null,
  { hasRemote }: { readonly hasRemote: boolean },
): readonly Diagnosis[] {
  if (probe === null) return [{ code: hasRemote ? "ledger_not_probed" : "ledger_stays" }];
  if (probe.kind === "refused") return [{ code: "ledger_refuses_create", why: probe.why }];
  const { keepsLease, isAtomic, left } = probe;
  const found: Diagnosis[] = [];
  if (!keepsLease) found.push({ code: "ledger_ignores_lease" });
  if (!isAtomic) found.push({ code: "ledger_not_atomic" });
  if (left.length > 0) found.push({ code: "ledger_keeps_refs", refs: left });
  return found.length > 0 ? found : [{ code: hasRemote ? "ledger_ready" : "ledger_stays" }];
}
