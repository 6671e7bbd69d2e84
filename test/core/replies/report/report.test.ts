import { describe, expect, test } from "vitest";
import { checkReports, gateAnnotations } from "../../../../src/core/replies/report/check-report.js";
import { rowCells } from "../../../../src/core/replies/report/row-cells.js";
import { runSummaryPage } from "../../../../src/core/replies/report/run-summary.js";
import { summarise } from "../../../../src/core/replies/run/progress.js";
import type { Slot } from "../../../../src/core/run/ledger/slot.js";
import { adaptivePools } from "../../../../src/core/run/metrics/run-limits.js";
import {
  groupSlots,
  NO_GROUPS,
  type RunReport,
  reportRow,
  runReport,
} from "../../../../src/core/run/plan/run-report.js";
import { byteLength } from "../../../../src/lib/fit/cut-bytes.js";
import { bead } from "../../../support/core/beads.js";
import { adaptivePool, governor, NOON } from "../../../support/core/governor.js";
import { HOSTILE_TEXTS } from "../../../support/core/hostile-texts.js";
import { slot, stateWith } from "../../../support/core/slots.js";

type Rest = Partial<Pick<RunReport, "mode" | "ended">>;

function reportOf(slots: readonly Slot[], { mode = "rolling", ended = null }: Rest = {}): RunReport {
  const begun = slots.map(({ bead }) => ({ bead, status: "running" as const }));
  const groups = groupSlots(groupSlots(NO_GROUPS, begun, { mode, now: 1_000 }), slots, { mode, now: 3_000 });
  return runReport(slots, groups, { run: "r-1", mode, ended, now: 5_000 });
}

const ENDED = { reason: "it ended (drained)", outcome: "complete" };

describe("a row", () => {
  test.each<{ name: string; given: Partial<Slot>; state: string }>([
    { name: "an agent at work has its attempt", given: { tries: 2 }, state: "▶️ attempt 2" },
    { name: "a stage has its name", given: { task: "stage:docs" }, state: "▶️ stage:docs" },
    {
      name: "a stop that was decided shows",
      given: { stopping: { why: "", force: false } },
      state: "▶️ stopping",
    },
    { name: "work between agents is checked", given: { status: "passed" }, state: "▶️ checking" },
    { name: "what landed has landed", given: { status: "merged", note: "x" }, state: "✅ landed" },
    {
      name: "a blocked bead says why",
      given: { status: "blocked", note: "no | key" },
      state: "🟠 blocked: no &#124; key",
    },
    {
      name: "a degraded review is none that was clean, also after the landing",
      given: { status: "merged", review: { head: "h", verdict: "degraded", note: "no verdict" } },
      state: "✅ landed; the review is degraded&#58; no verdict",
    },
  ])("$name", ({ given, state }) => {
    expect(rowCells(reportRow(slot(given)))[4]).toBe(state);
  });

  test("a cost that is partly an estimate says so, and none at all is left out", () => {
    const cost = (given: Partial<Slot>) => rowCells(reportRow(slot(given)))[6];
    expect(cost({ costUsd: 1.5 })).toBe("&#36;1.50");
    expect(cost({ costUsd: 1.5, costKnown: false })).toBe("about &#36;1.50");
    expect(cost({ costKnown: false })).toBe("");
  });

  test("a pull request is a link, and an address that is none leads nowhere", () => {
    const link = (url: string) => rowCells(reportRow(slot({ pull: { number: 7, url } })))[7];
    expect(link("https://github.com/o/r/pull/7")).toBe("[&#35;7](https://github.com/o/r/pull/7)");
    expect(link("javascript:alert(1)")).toBe("[&#35;7]()");
    expect(link("https://x) [y](https://z")).toBe("[&#35;7]()");
  });

  test("what strangers wrote stays inside its cell", () => {
    for (const text of HOSTILE_TEXTS) {
      const cells = rowCells(reportRow(slot({ title: text, note: text, model: text, status: "blocked" })));
      expect(cells.join("")).not.toMatch(/[\n|@`[]/);
    }
  });
});

describe("a check run", () => {
  test("says what agents wait for, while the run goes on", () => {
    const by = { project: "x", bead: "task-3", attempt: 1 };
    const waits = [{ bead: "b-2", why: { code: "resource_at_capacity", resource: "gpu", by } as const }];
    const said = "b-2 its agent waits&#58; res&#58;gpu is held by task-3 of project x";
    const context = { heard: false, requests: [], waits };
    expect(checkReports(reportOf([slot()]), context)[0]?.summary).toContain(said);
    const over = reportOf([slot({ status: "merged" })], { ended: ENDED });
    expect(checkReports(over, context)[0]?.summary).not.toContain("waits");
  });

  test("is under way while its run is, and names what to type", () => {
    const [check] = checkReports(reportOf([slot()]));
    expect(check).toMatchObject({
      name: "koryph / run",
      conclusion: null,
      title: "1 at work",
      beads: ["b-1"],
    });
    expect(check?.summary).toContain("`/koryph drain`");
  });

  test.each<{ name: string; status: Slot["status"]; conclusion: string }>([
    { name: "a run whose beads all landed", status: "merged", conclusion: "success" },
    { name: "one that opened pull requests", status: "pr-opened", conclusion: "success" },
    { name: "one that left something blocked", status: "blocked", conclusion: "neutral" },
    { name: "one that was interrupted", status: "queued", conclusion: "neutral" },
  ])("$name ends with $conclusion", ({ status, conclusion }) => {
    expect(checkReports(reportOf([slot({ status })], { ended: ENDED }))[0]?.conclusion).toBe(conclusion);
  });

  test("in wave mode each wave has its own, and those before the last are over", () => {
    const first = [slot({ bead: "a", status: "blocked" })];
    const both = [...first, slot({ bead: "b" })];
    const facts = { mode: "wave" as const, now: 0 };
    const groups = groupSlots(groupSlots(NO_GROUPS, first, facts), both, facts);
    const checks = checkReports(runReport(both, groups, { run: "r-1", mode: "wave", ended: null, now: 0 }));
    expect(checks.map(({ name, conclusion, beads }) => [name, conclusion, ...beads])).toEqual([
      ["koryph / wave 1", "neutral", "a"],
      ["koryph / wave 2", null, "b"],
    ]);
  });

  test("lines that a red gate complained about are annotations, warnings at most", () => {
    const [first] = gateAnnotations("gh-12", [{ file: "src/a.ts", line: 3, message: "no\u001b[31m red" }]);
    expect(first).toMatchObject({
      path: "src/a.ts",
      line: 3,
      level: "warning",
      title: "gh-12: the gate is red",
    });
    expect(first?.message).not.toContain("\u001b");
  });
});

describe("a job summary", () => {
  const page = (slots: readonly Slot[]) => {
    const passedOver = [
      { bead: bead({ id: "z", title: "A bead" }), refusal: { code: "no_dispatch" as const } },
    ];
    const summary = summarise(stateWith(...slots), "r-1", { reason: "drained", code: 4, passedOver });
    return runSummaryPage(reportOf(slots, { ended: ENDED }), summary);
  };

  test("has the rows, what waits with what brings it on, what was deferred and why, and a timeline", () => {
    const text = page([slot({ bead: "gh-1", status: "merged" }), slot({ bead: "gh-2", status: "blocked" })]);
    expect(text).toContain(
      "| <code>gh-1</code> | A bead | <code>x</code> | <code>sonnet</code> | ✅ landed | 1 |",
    );
    expect(text).toContain("| <code>gh-2</code> | <code>koryph retry gh-2</code> lets it try again |");
    expect(text).toContain("| <code>z</code> | A bead | no-dispatch label |");
    expect(text).toContain("```mermaid\ngantt\n  dateFormat x\n");
  });

  test("says what each model cost, and how an account stands whose cap moves by itself", () => {
    const slots = [slot({ bead: "gh-1", status: "merged" })];
    const model = (costUsd: number, costKnown = true) => ({ agents: 1, costUsd, costKnown });
    const runCosts = { "claude/haiku": model(0.5), "claude/*opus*": model(3, false), "own/none": model(0) };
    const run = {
      ...{ id: "r-1", startedAt: "", mode: "rolling" as const, engineVersion: "1", budgetUsd: null },
      ...{ review: false, choices: {}, ended: null },
    };
    const end = { reason: "drained" as const, code: 4 as const };
    const summary = summarise({ ...stateWith(...slots), run, runCosts }, "r-1", end);
    const state = governor({ pools: [adaptivePool({ cap: 2 })] });
    const machine = { state, dead: new Set<string>(), availableMb: null, totalMb: null, now: NOON };
    const text = runSummaryPage(reportOf(slots, { ended: ENDED }), summary, adaptivePools(machine));
    // Escaped, as all sentences are that may quote somebody.
    const paragraphs = text.split("\n\n");
    expect(paragraphs[2]).toBe("account claude&#58; 0 of 2 (adaptive, from 2, at most 4)");
    expect(paragraphs[3]).toMatchInlineSnapshot(
      `"cost by model&#58; claude/&#42;opus&#42; about <span>&#36;</span>3&#46;00, claude/haiku <span>&#36;</span>0&#46;50"`,
    );
  });

  test("of a run that was resumed says so, and what the timeline leaves out", () => {
    const slots = [slot({ bead: "gh-1", status: "merged" }), slot({ bead: "gh-2" })];
    const first = groupSlots(NO_GROUPS, slots.slice(0, 1), { mode: "rolling", now: 1_000 });
    const groups = groupSlots({ ...first, freed: true }, slots, { mode: "rolling", now: 2_000 });
    const rest = { run: "r-1", mode: "rolling" as const, ended: ENDED, now: 5_000 };
    const summary = summarise(stateWith(...slots), "r-1", { reason: "drained", code: 4 });
    const text = runSummaryPage(runReport(slots, groups, { ...rest, resumed: { earlier: true } }), summary);
    expect(text).toMatch(
      /### Before it was resumed\n\n[\s\S]*?<code>gh-1<[\s\S]*?### First dispatch since it was resumed\n\n[\s\S]*?<code>gh-2</,
    );
    expect(text).toContain("### Timeline\n\nThis run was resumed, and the timeline begins there:");
    expect(text).not.toContain("  section Before it was resumed");
    expect(text).toContain("  section First dispatch since it was resumed\n  gh-2 :active");
    const empty = runSummaryPage(runReport(slots, groups, { ...rest, resumed: { earlier: false } }), summary);
    expect(empty).not.toContain("Before it was resumed");
  });

  test("a bead that is called as Mermaid's own words are is no word of Mermaid's", () => {
    expect(page([slot({ bead: "click" })])).toContain("  bead click :active, 1000, 5000");
  });
});

test("200 slots keep within GitHub's limits, in the check run and in the summary", () => {
  const long = "</details>🟠|".repeat(40);
  const slots = Array.from({ length: 200 }, (_, n) =>
    slot({
      ...{ bead: `gh-${n}`, title: long, note: long, status: "blocked", model: long },
      footprint: { writes: Array.from({ length: 9 }, (_, token) => `${long}${token}`), reads: [] },
      pull: { number: n, url: `https://github.com/o/r/pull/${n}` },
    }),
  );
  const [check] = checkReports(reportOf(slots, { ended: ENDED }));
  expect(byteLength(check?.summary ?? "")).toBeLessThanOrEqual(65_535);
  expect(check?.summary).toMatch(
    /… and \d+ more lines; the job summary and `koryph status` have them all\.$/,
  );
  const summary = summarise(stateWith(...slots), "r-1", { reason: "drained", code: 4 });
  const page = runSummaryPage(reportOf(slots, { ended: ENDED }), summary);
  expect(byteLength(page)).toBeLessThan(1_048_576);
  expect(page).toContain("<code>gh-199</code>");
});
