import { countApprovals } from "../core/land/pull/count-approvals.js";
import type { LandingClaims } from "../core/receipts/landing-claims.js";
import { LANDING_CHECK } from "../core/replies/land/pull/landing-check.js";
import { ALLOWED_SIGNERS } from "../core/replies/sign/signing.js";
import type { KnownPull, Landing } from "../core/run/ledger/ledger-state.js";
import type { Slot } from "../core/run/ledger/slot.js";
import {
  claimsOf,
  type ReceiptSlot,
  type ReceiptText,
  receiptText,
  type WitnessedClaims,
} from "../landing/write-receipt.js";
import type { Repo } from "../ports/repo.js";
import type { GatheredFacts, LandPullParts } from "./gather-land-facts.js";

/** What a receipt tells of a pull request besides what decided its landing. */
export interface PullReceiptFacts {
  readonly title: string;
  readonly url: string;
  /** Undefined for a pull request that carries no bead's work. */
  readonly slot: Slot | undefined;
  readonly known: KnownPull | undefined;
  /** The newest receipt when the facts were gathered. */
  readonly tip: string | null;
}

/** The receipt of a landing that is about to be pushed. */
export async function pullReceipt(
  parts: LandPullParts,
  landing: Landing,
  facts: GatheredFacts,
): Promise<ReceiptText> {
  const { base, commits, tree } = facts;
  const range = { base: base.tip, head: landing.head };
  const signatures = await signaturesOf(parts)(base.tip, range);
  const move = { from: base.tip, head: landing.head };
  return receiptText(
    landing,
    receiptSlot(facts.told),
    { move, range: { commits, tree }, signatures },
    claims(parts, facts),
  );
}

/** Whoever lands somebody else's pull request has no slot to tell of. */
export function receiptSlot({ title, slot }: Pick<PullReceiptFacts, "title" | "slot">): ReceiptSlot {
  return slot ?? { title, run: "", review: null, costUsd: 0, costKnown: true };
}

/** Judged by the list of signers that the commit has. */
export function signaturesOf({ repo, record }: LandPullParts): Repo["signatures"] {
  return async (base, candidate) =>
    repo.signatures((await record.fileAt(ALLOWED_SIGNERS, base)) ?? "", candidate);
}

function claims({ receipts, gate }: LandPullParts, facts: GatheredFacts): LandingClaims {
  const { told, gated } = facts;
  const green =
    gated && gate ? ({ commands: receipts.digest(gate.commands), result: "green" } as const) : null;
  const own = claimsOf(receiptSlot(told), green);
  const analysis = told.known?.analysis ?? null;
  return {
    ...own,
    ...witnessedClaims(facts),
    review:
      own.review ??
      (analysis && {
        head: analysis.head,
        verdict: analysis.verdict,
        summary: `findings: ${analysis.findings}`,
      }),
  };
}

/** Approvals that count, whose evidence was read again on GitHub, and the checks that it shows. */
export function witnessedClaims({ approval, checks, told }: GatheredFacts): WitnessedClaims {
  const evidence = new Map(told.known?.approvals.map((each) => [each.evidence.user_id, each.evidence]));
  const approvers = countApprovals(approval).counted.flatMap(({ by, head }) => {
    const found = evidence.get(by.id);
    if (found === undefined) return [];
    const { url, source, body_sha256 } = found;
    return [{ login: by.login, user_id: by.id, head, evidence: { url, source, body_sha256 } }];
  });
  return {
    approvers,
    // What koryph shows of a landing is no evidence for it.
    checks: checks
      .filter(({ name }) => name !== LANDING_CHECK)
      .map(({ name, app, state }) => ({
        name,
        source: app === null ? "status" : `app ${app}`,
        conclusion: state,
        url: "",
      })),
  };
}
