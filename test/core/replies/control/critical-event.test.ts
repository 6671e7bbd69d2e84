import { expect, test } from "vitest";
import { answerRow, decisionRow } from "../../../../src/core/replies/control/comment-reply.js";
import { refusalAdvice } from "../../../../src/core/replies/control/terminal-reply.js";
import { ledgerAdvice } from "../../../../src/core/replies/ledger/ledger.js";
import { leaseAdvice } from "../../../../src/core/replies/run/run.js";
import { statusText } from "../../../../src/core/replies/run/status.js";
import { answer, decide, working } from "../../../support/core/control.js";

// Whoever can push can write a critical event of a type of their own.
const hostile = "x\u001b[2J\nkoryph: all is well <b>@everyone</b> `` [x](http://e)";
const readOnly = { type: hostile, needs: `${hostile} ${"9".repeat(5_000)}` };
const state = { ...working, readOnly };

const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

test("a critical event's own words are plain on a terminal, and make no line of their own", () => {
  const decision = decide({ verb: "drain" }, { state });
  if (decision.kind !== "refuse") throw new Error("it is not refused");
  const { message, hint } = refusalAdvice(decision.refusal);
  const advice = ledgerAdvice.readOnly(readOnly);
  const texts = [...statusText(state, "shop", null), message, hint, advice.message, advice.hint];
  for (const text of texts) {
    expect(text).not.toMatch(CONTROL);
    expect(text).not.toMatch(/^koryph: all is well/m);
  }
});

test("in a comment nothing of them becomes markup, and they are cut", () => {
  const status = answerRow("", answer({ verb: "status", bead: null }, { state }), "shop");
  const why = answerRow("", answer({ verb: "why", bead: null }, { state }), "shop");
  const refused = decisionRow("", decide({ verb: "drain" }, { state }));
  for (const text of [why.said, why.more, refused.said, refused.next, status.said]) {
    expect(text).not.toMatch(CONTROL);
    expect(text).not.toMatch(/<b>|@everyone/);
    // GitHub takes what is in the element as it stands.
    expect(text.replace(/<pre>.*<\/pre>/s, "")).not.toContain("](http");
    expect(text.length).toBeLessThan(4_000);
  }
  // The status is in a fence longer than any in it.
  expect(status.more).not.toMatch(CONTROL);
  expect(status.more).toMatch(/^```text\n[\s\S]*\n```$/);
});

test.each([
  { needs: "9.1.0", said: "needs koryph 9.1.0", next: "bring in koryph 9.1.0, or a later one" },
  { needs: "version 9", said: "needs version 9", next: "bring in version 9, or a later one" },
  { needs: "", said: "needs a newer koryph, and does not say which one", next: "bring in the newest koryph" },
])("every surface names the version that $needs asks for", ({ needs, said, next }) => {
  const known = { type: "moon.landed", needs };
  const given = { ...working, readOnly: known };
  const decision = decide({ verb: "drain" }, { state: given });
  if (decision.kind !== "refuse") throw new Error("it is not refused");
  const advice = ledgerAdvice.readOnly(known);
  expect(advice.message).toContain(said);
  expect(advice.hint).toBe(next);
  expect(refusalAdvice(decision.refusal).hint).toContain(next);
  expect(leaseAdvice.readOnly(known).hint).toContain(next);
  expect(statusText(given, "shop", null).join("\n")).toContain(said.slice(0, 20));
});
