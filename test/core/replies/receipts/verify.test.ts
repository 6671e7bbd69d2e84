import { describe, expect, test } from "vitest";
import { lastLines } from "../../../../src/core/replies/land/gate.js";
import { type VerifyReport, verifyText } from "../../../../src/core/replies/receipts/verify.js";
import { sha } from "../../../support/core/slots.js";

const report: VerifyReport = {
  branch: "main",
  tip: sha("a"),
  offline: null,
  holds: false,
  anchored: null,
  anchor: null,
  receipts: [],
  commits: 2,
  uncovered: [],
};

describe("what does not verify names the next step", () => {
  test("where receipts are unsigned", () => {
    const receipts = [{ commit: sha("a"), statement: null, finding: { code: "unsigned" } as const }];
    expect(verifyText({ ...report, receipts }).slice(-2)).toEqual([
      "`koryph signing init` makes a key, and `koryph signing status` tells the rest: later receipts are signed",
      "`koryph verify <commit>..main` looks only at what came after a commit",
    ]);
  });

  test("where somebody pushed past the door", () => {
    const pushed = { sha: sha("b"), author: "Ana", email: "a@b", at: "2026-01-01", subject: "fix: it" };
    expect(verifyText({ ...report, uncovered: [pushed] }).at(-1)).toBe(
      "`koryph verify <commit>..main` looks only at what came after a commit",
    );
  });
});

test("the end of a long output says how much came before it", () => {
  expect(lastLines("1\n2\n3\n", 2)).toBe("… 1 line before these\n2\n3");
  expect(lastLines("1\n2\n", 2)).toBe("1\n2");
});
