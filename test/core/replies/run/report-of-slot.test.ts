import { expect, test } from "vitest";
import { reportLines, reportOfSlot, reportsToRead } from "../../../../src/core/replies/run/report-of-slot.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { slot } from "../../../support/core/slots.js";

const blocks = { head: "h", verdict: "blocking", note: "" } as const;
const gate = (attempt: number) => ({ kind: "gate", run: "r-1", attempt }) as const;

test.each<{ name: string; given: Partial<Slot>; expected: object | null; named: boolean }>([
  { name: "a bead that nothing was found wrong with has none", given: {}, expected: null, named: false },
  {
    name: "the review that a person has to decide about has one",
    given: { review: blocks },
    expected: { kind: "review", run: "r-1", attempt: 3 },
    named: true,
  },
  {
    name: "it is newer than what an earlier attempt was sent back with",
    given: { review: blocks, report: gate(1) },
    expected: { kind: "review", run: "r-1", attempt: 3 },
    named: true,
  },
  {
    name: "a refused landing comes after the review",
    given: { review: { ...blocks, verdict: "clean" }, report: gate(3) },
    expected: gate(3),
    named: true,
  },
  {
    name: "a clean review can be read, and nobody has to",
    given: { review: { ...blocks, verdict: "clean" } },
    expected: { kind: "review", run: "r-1", attempt: 3 },
    named: false,
  },
  {
    name: "a review that nobody could read has no report",
    given: { review: { ...blocks, verdict: "degraded" } },
    expected: null,
    named: false,
  },
  { name: "an old report can be read, too", given: { report: gate(1) }, expected: gate(1), named: false },
])("$name", ({ given, expected, named }) => {
  const waiting = slot({ status: "merge-pending", attempt: 3, ...given });
  expect(reportOfSlot(waiting)).toEqual(expected);
  expect(reportsToRead([waiting])).toHaveLength(named ? 1 : 0);
  expect(reportsToRead([{ ...waiting, status: "running" }])).toEqual([]);
});

test("many reports are counted, not listed", () => {
  const slots = Array.from({ length: 12 }, (_, at) =>
    slot({ bead: `b-${at}`, status: "blocked", report: gate(1) }),
  );
  const lines = reportsToRead(slots);
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    10,
    "koryph tail b-0 shows its report (gate)",
    "koryph tail b-9 shows its report (gate) (and 2 more have one)",
  ]);
});

test("a report shows its lines and nothing that steers a terminal", () => {
  expect(reportLines(gate(2), "# Gate\n\n\u001b[2Jred\n")).toEqual([
    "report (gate):",
    "  # Gate",
    "",
    "  \u{FFFD}[2Jred",
  ]);
});
