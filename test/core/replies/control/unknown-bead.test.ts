import { expect, test } from "vitest";
import { unknownBead } from "../../../../src/core/control/unknown-bead.js";
import { workAdvice } from "../../../../src/core/replies/config/work.js";
import { emptyLogLine } from "../../../../src/core/replies/control/control.js";
import { refusalAdvice } from "../../../../src/core/replies/control/terminal-reply.js";
import { requestAdvice } from "../../../../src/core/replies/land/request-advice.js";
import { slot, stateWith } from "../../../support/core/slots.js";

const state = stateWith(slot({ bead: "task-1" }), slot({ bead: "task-2" }), slot({ bead: "docs" }));
const STATUS =
  "`koryph status` lists the beads that runs have taken; one that was taken just now shows up within a minute";

test("every command says the same of a bead that no run has taken, with the names that come near", () => {
  const near = "no run knows of task-11; did you mean task-1 or task-2?";
  expect(refusalAdvice(unknownBead("task-11", state))).toEqual({ message: near, hint: STATUS });
  expect(refusalAdvice(unknownBead("elsewhere", state)).message).toBe("no run knows of elsewhere");
  expect(requestAdvice("elsewhere", { kind: "no_slot" })).toEqual(
    refusalAdvice(unknownBead("elsewhere", state)),
  );
  expect(emptyLogLine("task-11", state, true)).toBe(`koryph: ${near}\n  next: ${STATUS}`);
  expect(emptyLogLine("task-11", state, false)).toMatch(/; --archived also looks into what was rolled$/);
});

test("a bead that a run took, and whose events were rolled, is not called unknown", () =>
  expect(emptyLogLine("docs", state, false)).toBe(
    "koryph: the events about docs were rolled into archives\n  next: `koryph log --bead docs --archived` shows them",
  ));

test("whoever asks the work source for a bead is told alike, were it a run or a hold", () => {
  const held = refusalAdvice({ code: "absent_bead", bead: "x" });
  expect(workAdvice.noBead("x", [])).toEqual(held);
  expect(held).toEqual({
    message: "the work source has no bead x",
    hint: "`koryph list` shows those that are open",
  });
});
