import type { ReceiptFacts } from "../../../src/core/receipts/judge-receipt.js";
import { type ReceiptStatement, receiptStatement } from "../../../src/core/receipts/statement.js";
import { sha } from "./slots.js";

type Facts = Parameters<typeof receiptStatement>[0];

/** A landing of two commits on `a`: `b` and `c`. */
export const landed: Facts = {
  project: "shop",
  repository: "https://github.com/acme/shop",
  koryph: "1.2.3",
  branch: "main",
  landing: "01J00000000000000000000000",
  bead: { id: "gh-12", title: "Round prices" },
  run: "run-1",
  requested_by: { kind: "operator", actor: "ann" },
  base: { before: sha("a"), after: sha("c") },
  head: sha("c"),
  tree: sha("d"),
  commits: [
    { sha: sha("b"), signature: "G", signer: "koryph@shop", fingerprint: "SHA256:k" },
    { sha: sha("c"), signature: "N", signer: "", fingerprint: "" },
  ],
  approvers: [
    {
      login: "bo",
      user_id: 7,
      head: sha("c"),
      evidence: { url: "https://github.com/x", source: "review 9", body_sha256: "0".repeat(64) },
    },
  ],
  checks: [{ name: "ci", source: "github-actions", conclusion: "success", url: "https://github.com/y" }],
  gate: { commands: `sha256:${"1".repeat(64)}`, result: "green" },
  review: { head: sha("c"), verdict: "clean", summary: "review passed" },
  criteria: [{ id: "AC1", status: "satisfied" }],
  cost: { usd: 1.5, known: true },
  at: "2026-11-18T00:00:00.000Z",
  recovered: false,
  previous: sha("e"),
};

export function statement(changes: Partial<Facts> = {}): ReceiptStatement {
  return receiptStatement({ ...landed, ...changes });
}

/** A repository in which the landing is as the receipt says. */
export const shown: ReceiptFacts = {
  parents: [sha("e")],
  signature: { kind: "good", fingerprint: "SHA256:k", signer: "koryph@shop" },
  commit: (asked) =>
    new Map([
      [sha("a"), { tree: sha("1"), parents: [] }],
      [sha("b"), { tree: sha("2"), parents: [sha("a")] }],
      [sha("c"), { tree: sha("d"), parents: [sha("b")] }],
    ]).get(asked),
  commitSignature: (asked) =>
    asked === sha("b") ? { kind: "good", fingerprint: "SHA256:k", allowed: true } : { kind: "none" },
};
