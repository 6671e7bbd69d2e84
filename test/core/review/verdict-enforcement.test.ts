import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acceptanceCriteria } from "../../../src/core/prompt/acceptance-criteria.js";
import { readVerdict } from "../../../src/core/review/read-verdict.js";
import type { Verdict } from "../../../src/core/review/verdict.js";

const criteria = acceptanceCriteria("- answers 200\n- is tested");
const first = { id: "AC1", status: "satisfied", evidence: "src/health.ts:3" };
const second = { id: "AC2", status: "satisfied", evidence: "test/health.test.ts:9" };
const clean = { blocking: false, criteria: [first, second], findings: [] as unknown[] };

function verdictOf(structured: unknown, all = criteria): Verdict {
  const reading = readVerdict({ text: "", structured }, all);
  if (reading.kind === "degraded") throw new Error(reading.why.code);
  return reading.verdict;
}

test("a branch whose criteria all hold and that has no finding passes", () => {
  expect(verdictOf(clean)).toEqual(clean);
});

test.each<{ name: string; second: readonly unknown[]; fault: string }>([
  { name: "left out", second: [], fault: "AC2 was not judged" },
  {
    name: "judged without evidence",
    second: [{ ...second, evidence: " " }],
    fault: "AC2 was judged without evidence",
  },
  {
    name: "with a dash as evidence",
    second: [{ ...second, evidence: "–" }],
    fault: "AC2 was judged without evidence",
  },
  {
    name: "with null as evidence",
    second: [{ ...second, evidence: null }],
    fault: "AC2 was judged without evidence",
  },
  {
    name: "with hidden characters as evidence",
    second: [{ ...second, evidence: "\u200b\u2060" }],
    fault: "AC2 was judged without evidence",
  },
  {
    name: "not applicable without evidence",
    second: [{ ...second, status: "not-applicable", evidence: "" }],
    fault: "AC2 was judged without evidence",
  },
  { name: "judged twice", second: [second, second], fault: "AC2 was judged 2 times" },
  {
    name: "judged twice under two spellings",
    second: [second, { ...second, id: "ac-02" }],
    fault: "AC2 was judged 2 times",
  },
  {
    name: "judged in words nobody knows",
    second: [{ ...second, status: "mostly" }],
    fault: "AC2 was judged in other words than satisfied, unsatisfied and not-applicable",
  },
  {
    name: "without a status",
    second: [{ id: "AC2", evidence: "a.ts:1" }],
    fault: "AC2 was judged in other words than satisfied, unsatisfied and not-applicable",
  },
])("a criterion $name is unsatisfied and a blocking finding", ({ second: given, fault }) => {
  const verdict = verdictOf({ ...clean, criteria: [first, ...given] });
  expect(verdict.blocking).toBe(true);
  expect(verdict.findings).toEqual([{ severity: "blocking", file: "", line: null, summary: fault }]);
  expect(verdict.criteria.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "AC1 satisfied",
    "AC2 unsatisfied",
  ]);
});

test.each<{ name: string; change: object; blocking: boolean }>([
  { name: "the reviewer's word", change: { blocking: true }, blocking: true },
  {
    name: "an unsatisfied criterion",
    change: { criteria: [first, { ...second, status: "unsatisfied" }] },
    blocking: true,
  },
  {
    name: "a blocking finding",
    change: { findings: [{ severity: "blocking", summary: "x" }] },
    blocking: true,
  },
  {
    name: "a severity nobody knows",
    change: { findings: [{ severity: "critical", summary: "x" }] },
    blocking: true,
  },
  {
    name: "a criterion of the reviewer's own that does not hold",
    change: { criteria: [first, second, { id: "AC9", status: "unsatisfied", evidence: "a.ts:1" }] },
    blocking: true,
  },
  {
    name: "a major finding alone",
    change: { findings: [{ severity: "major", summary: "x" }] },
    blocking: false,
  },
  {
    name: "a criterion that is not applicable",
    change: { criteria: [first, { ...second, status: "not-applicable" }] },
    blocking: false,
  },
])("$name: blocking is $blocking", ({ change, blocking }) => {
  expect(verdictOf({ ...clean, ...change }).blocking).toBe(blocking);
});

describe("what is read with good will", () => {
  test.each(["AC2", "ac2", " AC-2 ", "AC 02", "AC2: is tested", "2", 2])("%j names AC2", (id) => {
    expect(verdictOf({ ...clean, criteria: [first, { ...second, id }] })).toEqual(clean);
  });

  test.each(["AC20", "AC2x", "XAC2", "second"])("%j does not name AC2", (id) => {
    expect(verdictOf({ ...clean, criteria: [first, { ...second, id }] }).blocking).toBe(true);
  });

  test.each(["Satisfied", " SATISFIED "])("%j is satisfied", (status) => {
    expect(verdictOf({ ...clean, criteria: [first, { ...second, status }] })).toEqual(clean);
  });

  test.each(["not_applicable", "Not applicable"])("%j is not-applicable", (status) => {
    expect(verdictOf({ ...clean, criteria: [first, { ...second, status }] }).blocking).toBe(false);
  });

  test.each<{ given: unknown; line: number | null }>([
    { given: 12, line: 12 },
    { given: "12", line: 12 },
    { given: null, line: null },
    { given: undefined, line: null },
    { given: 0, line: null },
    { given: -1, line: null },
    { given: 1.5, line: null },
    { given: "L12", line: null },
    { given: Number.NaN, line: null },
    { given: 1e300, line: null },
  ])("line $given is $line", ({ given, line }) => {
    const findings = [{ severity: "Minor", line: given, summary: "x" }];
    expect(verdictOf({ ...clean, findings }).findings).toEqual([
      { severity: "minor", file: "", line, summary: "x" },
    ]);
  });

  test("evidence may be a list", () => {
    const [, judged] = verdictOf({
      ...clean,
      criteria: [first, { ...second, evidence: ["a:1", "b:2"] }],
    }).criteria;
    expect(judged?.evidence).toBe("a:1; b:2");
  });

  test("a bead without criteria needs none judged", () => {
    expect(verdictOf({ ...clean, criteria: [] }, []).blocking).toBe(false);
  });
});

describe("what is kept has bounds", () => {
  test("findings are worst first, and the worst are kept", () => {
    const minor = Array.from({ length: 5_000 }, (_, n) => ({ severity: "minor", summary: `m${n}` }));
    const verdict = verdictOf({
      ...clean,
      findings: [...minor, { severity: "blocking", summary: "the one" }],
    });
    expect(verdict.findings).toHaveLength(101);
    expect(verdict.findings[0]).toMatchObject({ severity: "blocking", summary: "the one" });
    expect(verdict.findings.at(-1)?.summary).toBe("4901 more findings were left out");
  });

  test("a criterion that is not kept still blocks", () => {
    const own = Array.from({ length: 200 }, (_, n) => ({
      id: `own ${n}`,
      status: "satisfied",
      evidence: "a:1",
    }));
    const given = [first, second, ...own, { id: "last", status: "unsatisfied", evidence: "a:1" }];
    const verdict = verdictOf({ ...clean, criteria: given });
    expect(verdict.criteria).toHaveLength(52);
    expect(verdict.blocking).toBe(true);
  });

  test("every acceptance criterion is kept, however many there are", () => {
    const many = acceptanceCriteria(Array.from({ length: 300 }, (_, n) => `c${n}`).join("\n"));
    expect(verdictOf({ ...clean, criteria: [] }, many).criteria).toHaveLength(300);
  });

  test("texts are one line, cut, and without secrets", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const verdict = verdictOf({
      ...clean,
      criteria: [first, { ...second, evidence: `one\ntwo \u202ethree ${secret}` }],
      findings: [{ severity: "minor", file: "f".repeat(9_000), summary: "s".repeat(900_000) }],
    });
    expect(verdict.criteria[1]?.evidence).toBe("one two \u{FFFD}three [redacted]");
    expect(verdict.findings[0]?.file).toHaveLength(300);
    expect(verdict.findings[0]?.summary).toHaveLength(1_500);
  });
});

test("enforcing only ever makes an answer stricter", () => {
  const status = fc.constantFrom("satisfied", "unsatisfied", "not-applicable", "fine", "");
  const answer = fc.record({
    blocking: fc.boolean(),
    criteria: fc.array(
      fc.record({
        id: fc.constantFrom("AC1", "AC2", "AC3"),
        status,
        evidence: fc.constantFrom("", "a.ts:1"),
      }),
    ),
    findings: fc.array(
      fc.record({ severity: fc.constantFrom("blocking", "major", "minor"), summary: fc.string() }),
    ),
  });
  fc.assert(
    fc.property(answer, (given) => {
      const verdict = verdictOf(given);
      const proven = (id: string) => {
        const [judgement, ...more] = given.criteria.filter((each) => each.id === id);
        return (
          more.length === 0 &&
          judgement?.evidence !== "" &&
          ["satisfied", "not-applicable"].includes(judgement?.status ?? "")
        );
      };
      const passes =
        !given.blocking &&
        given.findings.every((each) => each.severity !== "blocking") &&
        ["AC1", "AC2"].every(proven) &&
        (proven("AC3") || given.criteria.every((each) => each.id !== "AC3"));
      expect(verdict.blocking).toBe(!passes);
      expect(verdict.criteria.slice(0, 2).map(({ id }) => id)).toEqual(["AC1", "AC2"]);
    }),
    { numRuns: 300 },
  );
});
