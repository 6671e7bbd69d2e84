import { expect, test } from "vitest";
import type { BeadId } from "../../../src/core/model/bead.js";
import { warningSentence } from "../../../src/core/replies/schedule/audit.js";
import type { AuditWarning } from "../../../src/core/schedule/audit-warnings.js";

const id = "b-1" as BeadId;

test.each<{ warning: AuditWarning; says: string }>([
  {
    warning: { kind: "malformed-label", id, labels: ["fp:"], hides: ["area:docs"] },
    says: "b-1: fp: is malformed, and hides area: labels",
  },
  {
    warning: { kind: "malformed-label", id, labels: ["rt:9"] },
    says: "b-1: rt:9 is malformed and has no effect",
  },
  {
    warning: { kind: "look-alike-label", id, label: "Fp:src", meant: "fp:src" },
    says: "b-1: Fp:src has no effect; did you mean fp:src?",
  },
  {
    warning: { kind: "unknown-status", id, status: "Todo" },
    says: "b-1: koryph does not know the status Todo, so the bead never becomes ready",
  },
  {
    warning: { kind: "parent-cycle", ids: [id] },
    says: "b-1 → b-1: these are parents of one another, so none is ever dispatched",
  },
  {
    warning: { kind: "token-prefix", token: "src", below: ["src/a", "src/b"] },
    says: "src and src/a, src/b are different tokens, so beads on them may run together",
  },
])("$says", ({ warning, says }) => expect(warningSentence(warning)).toBe(says));

test("a warning about thousands of labels or beads is still one sentence", () => {
  const labels = Array.from({ length: 200_000 }, (_, n) => `res:${"X".repeat(500)}${n}`);
  const ids = labels.map((_, n) => `b-${n}` as BeadId);
  expect(warningSentence({ kind: "malformed-label", id, labels }).length).toBeLessThan(1000);
  expect(warningSentence({ kind: "dependency-cycle", ids }).length).toBeLessThan(300);
});
