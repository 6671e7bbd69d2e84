import { describe, expect, test } from "vitest";
import type { Landing } from "../../src/core/run/ledger/ledger-state.js";
import {
  appendReceipt,
  claimsOf,
  type ReceiptText,
  recoverReceipt,
  UNWITNESSED,
} from "../../src/landing/write-receipt.js";
import type { ReceiptMove, Receipts } from "../../src/ports/receipts.js";
import type { Repo } from "../../src/ports/repo.js";
import { landed } from "../support/core/receipts.js";
import { landingOf, sha, slot } from "../support/core/slots.js";

const review = { head: sha("b"), verdict: "clean" as const, note: "review passed" };
const reviewed = slot({ review: { ...review, criteria: [{ id: "AC1", status: "satisfied" }] }, costUsd: 2 });
const move = { from: sha("a"), head: sha("b") };
const carried = claimsOf(reviewed, { commands: `sha256:${"1".repeat(64)}`, result: "green" });

const landing = landingOf({ intended: { ...move, claims: carried } });

/** A chain that others get ahead in `lost` times; the receipts that were written. */
function chain({ lost = 0, has = null as string | null } = {}) {
  const written: (ReceiptText & { recovered: boolean })[] = [];
  const pushed: ReceiptMove[] = [];
  let tips = 0;
  const receipts: Receipts = {
    digest: () => "",
    find: async () => (tips > 1 ? has : null),
    write: async (text, { tip, recovered }) => {
      written.push({ ...text, recovered });
      return { ref: "r", from: tip, to: `receipt-${written.length}` };
    },
    push: async (to) => {
      pushed.push(to);
      return pushed.length > lost;
    },
    seen: async () => {},
  };
  const repo = {
    fetchBase: async () => {
      tips += 1;
      return { branch: "main", tip: sha("b"), receipts: `tip-${tips}` };
    },
    range: async () => ({ commits: [{ sha: sha("b") }], tree: sha("d") }),
    signatures: async () => [{ sha: sha("b"), letter: "G", signer: "koryph@shop", fingerprint: "SHA256:k" }],
  } as unknown as Repo;
  return { parts: { repo, receipts }, written, pushed };
}

test("a receipt tells how the last review judged each criterion", () => {
  expect(carried).toMatchObject({
    review: { head: sha("b"), verdict: "clean", summary: "review passed" },
    criteria: [{ id: "AC1", status: "satisfied" }],
    cost: { usd: 2, known: true },
    approvers: [],
    checks: [],
  });
  expect(claimsOf(slot({}), null)).toMatchObject({ review: null, criteria: [], gate: null });
});

describe("after a crash", () => {
  test("commits and signers are read from git, and what git cannot show from the intention", async () => {
    const { parts, written } = chain();
    expect(await recoverReceipt(parts, { landing, slot: reviewed, move, witnessed: UNWITNESSED })).toBe(
      "receipt-1",
    );
    expect(written).toMatchObject([
      {
        recovered: true,
        landing: "l-1",
        base: { before: sha("a"), after: sha("b") },
        tree: sha("d"),
        commits: [{ sha: sha("b"), signature: "G", signer: "koryph@shop", fingerprint: "SHA256:k" }],
        gate: carried.gate,
      },
    ]);
  });

  test.each<{ name: string; intended: Landing["intended"] }>([
    { name: "of another head", intended: { from: sha("a"), head: sha("c"), claims: carried } },
    { name: "of an older koryph", intended: move },
  ])("an intention $name says nothing about the gate", async ({ intended }) => {
    const { parts, written } = chain();
    await recoverReceipt(parts, {
      ...{ landing: { ...landing, intended }, slot: reviewed, move },
      witnessed: UNWITNESSED,
    });
    expect(written).toMatchObject([{ recovered: true, gate: null }]);
  });
});

test("after a crash approvers and checks are those that GitHub shows, whatever the ledger says", async () => {
  const evidence = { url: "https://x/1", source: "comment 1", body_sha256: "2".repeat(64) };
  const approver = (login: string) => ({ login, user_id: 7, head: sha("b"), evidence });
  const check = (name: string) => ({ name, source: "app 1", conclusion: "success", url: "" });
  const forged = { ...carried, approvers: [approver("mallory")], checks: [check("forged")] };
  const { parts, written } = chain();
  await recoverReceipt(parts, {
    ...{ landing: landingOf({ intended: { ...move, claims: forged } }), slot: reviewed, move },
    witnessed: { approvers: [approver("walter")], checks: [check("test")] },
  });
  expect(written).toMatchObject([
    { gate: carried.gate, approvers: [{ login: "walter" }], checks: [{ name: "test" }] },
  ]);
});

describe("at the end of the chain", () => {
  const first = { ref: "r", from: null, to: "drafted" };

  test("what was written before goes there when nobody came in between", async () => {
    const { parts, written } = chain();
    expect(await appendReceipt(parts, landed, { recovered: false, first })).toBe("drafted");
    expect(written).toEqual([]);
  });

  test("a lost race is run again on the new tip", async () => {
    const { parts, pushed } = chain({ lost: 2 });
    expect(await appendReceipt(parts, landed, { recovered: false, first })).toBe("receipt-2");
    expect(pushed.map(({ from }) => from)).toEqual([null, "tip-1", "tip-2"]);
  });

  test("a receipt that somebody else wrote meanwhile is the one there is", async () => {
    const { parts, pushed } = chain({ lost: 2, has: "theirs" });
    expect(await appendReceipt(parts, landed, { recovered: false, first })).toBe("theirs");
    expect(pushed).toHaveLength(2);
  });

  test("whoever is never first gives up for now", async () => {
    const { parts, pushed } = chain({ lost: 99 });
    await expect(appendReceipt(parts, landed, { recovered: true, first: null })).rejects.toThrow(
      "during each try",
    );
    expect(pushed).toHaveLength(5);
  });
});
