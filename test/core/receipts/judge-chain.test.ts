import { expect, test } from "vitest";
import {
  type ChainQuestion,
  type JudgedReceipt,
  judgeChain,
} from "../../../src/core/receipts/judge-chain.js";
import type { ReceiptFindingCode } from "../../../src/core/receipts/receipt-finding.js";
import { landed, statement } from "../../support/core/receipts.js";
import { sha } from "../../support/core/slots.js";

function listing(commit: string, ...shas: string[]): JudgedReceipt {
  const commits = shas.map((each) => ({
    sha: sha(each),
    signature: "N" as const,
    signer: "",
    fingerprint: "",
  }));
  const head = sha(shas.at(-1) ?? "");
  const given = statement({ commits, head, base: { ...landed.base, after: head } });
  return { commit: sha(commit), statement: given, finding: null };
}

const question: ChainQuestion = {
  receipts: [listing("1", "a", "b"), listing("2", "c")],
  wanted: [sha("a"), sha("b"), sha("c")],
  all: true,
  branch: { name: "main", has: () => true },
  anchor: null,
};

function codes(given: Partial<ChainQuestion>): (ReceiptFindingCode | null)[] {
  return judgeChain({ ...question, ...given }).receipts.map(({ finding }) => finding?.code ?? null);
}

test("a history that came in by receipts alone holds", () => {
  expect(judgeChain(question)).toMatchObject({ holds: true, uncovered: [], anchored: null });
});

test("a commit that no receipt lists is named", () => {
  const answer = judgeChain({ ...question, wanted: [sha("a"), sha("d"), sha("c")] });
  expect(answer).toMatchObject({ holds: false, uncovered: [sha("d")] });
});

test("what does not hold about one receipt is told, and the others are still looked at", () => {
  const bad: JudgedReceipt = { ...listing("1", "a", "b"), finding: { code: "unsigned" } };
  const answer = judgeChain({ ...question, receipts: [bad, listing("2", "c")] });
  expect(answer.holds).toBe(false);
  expect(answer.receipts.map(({ finding }) => finding?.code)).toEqual(["unsigned", undefined]);
});

test("asked about a range, only the receipts of its commits count", () => {
  const garbage: JudgedReceipt = { commit: sha("9"), statement: null, finding: { code: "no-statement" } };
  const receipts = [garbage, ...question.receipts];
  expect(judgeChain({ ...question, receipts, all: false, wanted: [sha("c")] })).toMatchObject({
    holds: true,
    receipts: [{ commit: sha("2") }],
  });
  expect(judgeChain({ ...question, receipts }).holds).toBe(false);
});

test("a commit that two receipts list is a finding about the second", () => {
  expect(codes({ receipts: [listing("1", "a", "b"), listing("2", "b", "c")] })).toEqual([
    null,
    "listed-twice",
  ]);
});

test("a landing that the branch does not have any more was taken back; other branches are not looked at", () => {
  const has = (asked: string) => asked !== sha("c");
  expect(codes({ branch: { name: "main", has }, wanted: [] })).toEqual([null, "taken-back"]);
  expect(codes({ branch: { name: "next", has }, wanted: [] })).toEqual([null, null]);
});

test.each([
  { anchor: sha("1"), anchored: true },
  { anchor: sha("7"), anchored: false },
])("the chain must have the receipt that was named: $anchored", ({ anchor, anchored }) => {
  expect(judgeChain({ ...question, anchor })).toMatchObject({ anchored, holds: anchored });
});
