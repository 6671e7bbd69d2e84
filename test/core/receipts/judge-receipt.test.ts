import { describe, expect, test } from "vitest";
import { judgeReceipt, type ReceiptFacts } from "../../../src/core/receipts/judge-receipt.js";
import type { ReceiptFinding } from "../../../src/core/receipts/receipt-finding.js";
import type { ReceiptStatement } from "../../../src/core/receipts/statement.js";
import { landed, shown, statement } from "../../support/core/receipts.js";
import { sha } from "../../support/core/slots.js";

const [first, second] = landed.commits;
if (first === undefined || second === undefined) throw new Error("the landing has two commits");

test("a receipt that says what the repository shows holds", () => {
  expect(judgeReceipt(statement(), shown)).toBeNull();
});

test("so does the first receipt of a chain, which stands on nothing", () => {
  expect(judgeReceipt(statement({ previous: null }), { ...shown, parents: [] })).toBeNull();
});

test.each<{ name: string; given?: ReceiptStatement; facts?: Partial<ReceiptFacts>; found: ReceiptFinding }>([
  {
    name: "two parents",
    facts: { parents: [sha("e"), sha("f")] },
    found: { code: "not-linear", parents: 2 },
  },
  {
    name: "another receipt below it than it says",
    facts: { parents: [sha("f")] },
    found: { code: "out-of-place", says: sha("e"), stands: sha("f") },
  },
  {
    name: "nothing below it, though it says so",
    facts: { parents: [] },
    found: { code: "out-of-place", says: sha("e"), stands: null },
  },
  { name: "no signature", facts: { signature: { kind: "none" } }, found: { code: "unsigned" } },
  { name: "a bad signature", facts: { signature: { kind: "bad" } }, found: { code: "bad-signature" } },
  {
    name: "a signature by a key that the base does not name for receipts",
    facts: { signature: { kind: "unknown", fingerprint: "SHA256:x" } },
    found: { code: "unknown-signer", fingerprint: "SHA256:x", base: sha("a") },
  },
  {
    name: "a base after the landing that is not its head",
    given: statement({ base: { before: sha("a"), after: sha("b") } }),
    found: { code: "contradicts-itself", field: "head" },
  },
  {
    name: "a base before that is not in the repository",
    given: statement({ base: { before: sha("f"), after: sha("c") } }),
    found: { code: "missing-commit", sha: sha("f") },
  },
  {
    name: "a head that is not in the repository",
    given: statement({ head: sha("f"), base: { before: sha("a"), after: sha("f") } }),
    found: { code: "missing-commit", sha: sha("f") },
  },
  {
    name: "another tree",
    given: statement({ tree: sha("f") }),
    found: { code: "tree-differs", says: sha("f"), shows: sha("d") },
  },
  {
    name: "a commit left out in the middle",
    given: statement({ commits: [second] }),
    found: { code: "commits-differ", sha: sha("c") },
  },
  {
    name: "a commit left out at the end",
    given: statement({ commits: [first] }),
    found: { code: "commits-differ", sha: sha("c") },
  },
  {
    name: "commits in another order",
    given: statement({ commits: [second, first] }),
    found: { code: "commits-differ", sha: sha("c") },
  },
  {
    name: "a commit that is not in the repository",
    given: statement({ commits: [{ ...first, sha: sha("f") }, second] }),
    found: { code: "missing-commit", sha: sha("f") },
  },
  {
    name: "another key for a commit",
    given: statement({ commits: [{ ...first, fingerprint: "SHA256:x" }, second] }),
    found: { code: "signer-differs", sha: sha("b") },
  },
  {
    name: "a good signature where there is none",
    given: statement({ commits: [first, { ...second, signature: "G" }] }),
    found: { code: "signer-differs", sha: sha("c") },
  },
  {
    name: "a signature called good that the base does not allow",
    facts: { commitSignature: () => ({ kind: "good", fingerprint: "SHA256:k", allowed: false }) },
    found: { code: "signer-differs", sha: sha("b") },
  },
  {
    name: "no signature where there is one",
    given: statement({ commits: [{ ...first, signature: "N" }, second] }),
    found: { code: "signer-differs", sha: sha("b") },
  },
])("$name is found", ({ given = statement(), facts = {}, found }) => {
  expect(judgeReceipt(given, { ...shown, ...facts })).toEqual(found);
});

describe("a subject that names another", () => {
  test.each<{ field: "branch" | "head" | "tree"; subject: Partial<ReceiptStatement["subject"][0]> }>([
    { field: "branch", subject: { name: "refs/heads/other" } },
    { field: "head", subject: { digest: { gitCommit: sha("b"), gitTree: sha("d") } } },
    { field: "tree", subject: { digest: { gitCommit: sha("c"), gitTree: sha("b") } } },
  ])("$field than the predicate is found", ({ field, subject }) => {
    const given = statement();
    expect(judgeReceipt({ ...given, subject: [{ ...given.subject[0], ...subject }] }, shown)).toEqual({
      code: "contradicts-itself",
      field,
    });
  });
});
