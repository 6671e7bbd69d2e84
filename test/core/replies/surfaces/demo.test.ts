import { expect, test } from "vitest";
import type { BeadId } from "../../../../src/core/model/bead.js";
import {
  DEMO_WIDTH,
  demoSections,
  demoWords,
  plainReply,
  sectionLines,
} from "../../../../src/core/replies/surfaces/demo.js";
import { planSummary } from "../../../../src/core/replies/surfaces/demo-plan.js";
import { demoResult } from "../../../../src/core/replies/surfaces/demo-result.js";
import { storyLines, tellRun } from "../../../../src/core/replies/surfaces/demo-story.js";
import type { EventData, EventType } from "../../../../src/core/run/ledger/event-data.js";
import { type LedgerEvent, readEvent } from "../../../../src/core/run/ledger/ledger-event.js";

const HEAD = "68ef7a4a2066c0ffee0000000000000000000000";

/** As the ledger has it, `tenths` of a second after noon. */
function event<T extends EventType>(tenths: number, type: T, bead: string | null, data: object): LedgerEvent {
  const at = new Date(Date.UTC(2026, 0, 1, 12) + tenths * 100).toISOString();
  const id = String(tenths).padStart(26, "0");
  const line = JSON.stringify({ id, at, actor: "a", run: "r-1", type, data, ...(bead && { bead }) });
  const reading = readEvent(line);
  if (reading.kind !== "event") throw new Error(`${type}: ${JSON.stringify(reading)}`);
  return reading.event;
}

function dispatching(tenths: number, bead: string, more: Partial<EventData<"slot.dispatching">> = {}) {
  return event(tenths, "slot.dispatching", bead, {
    attempt: 1,
    title: `Title of ${bead}`,
    footprint: { reads: [], writes: [`src/${bead}`] },
    resources: [],
    runtime: "demo",
    model: "sonnet",
    model_why: "",
    merge_policy: "auto",
    risk_tier: 2,
    timeout_seconds: 60,
    estimate_usd: 0,
    start: "fresh",
    session: null,
    ...more,
  });
}

function ended(tenths: number, bead: string, outcome = "completed", detail = "") {
  const usage = { cost_usd: 0.01, cost_known: true };
  return event(tenths, "slot.ended", bead, {
    attempt: 1,
    outcome,
    detail,
    session: null,
    usage,
    commits: 1,
    head: HEAD,
  });
}

const began = event(0, "run.started", null, {
  mode: "rolling",
  engine_version: "0.1.0",
  budget_usd: null,
  resumed: false,
  review: true,
});
const queued = (tenths: number, bead: string, more: object) =>
  event(tenths, "slot.queued", bead, { reason: "", counts: "none", start: "fresh", not_before: 0, ...more });
const reviewed = (tenths: number, bead: string, verdict: string, note: string) =>
  event(tenths, "slot.reviewed", bead, { attempt: 2, head: HEAD, verdict, note });
const accepted = (tenths: number, bead: string, commits: number) =>
  event(tenths, "slot.accepted", bead, { branch: "main", from: HEAD, base: HEAD, head: HEAD, commits });
const landed = (tenths: number, bead: string) =>
  event(tenths, "land.landed", bead, { request: "x", from: HEAD, head: HEAD });
const review = { task: "review", start: "resume", attempt: 2 } as const;

/** k-1 dies once, k-2 is sent back and waited for by k-3, k-10 touches what no agent may. */
const run = [
  began,
  dispatching(1, "k-1"),
  dispatching(2, "k-2"),
  ended(10, "k-1", "failed", "exit code 1: lost the thread"),
  queued(11, "k-1", { counts: "death" }),
  dispatching(12, "k-10"),
  ended(13, "k-2"),
  accepted(13, "k-2", 1),
  dispatching(14, "k-2", review),
  ended(15, "k-2"),
  reviewed(15, "k-2", "blocking", "review blocks; criteria: 1 unsatisfied; findings: 1 blocking"),
  queued(16, "k-2", { counts: "bounce", start: "resume", report: "review" }),
  dispatching(17, "k-2", { start: "resume", attempt: 3 }),
  dispatching(18, "k-1", { attempt: 2 }),
  ended(20, "k-10"),
  accepted(20, "k-10", 1),
  event(21, "slot.blocked", "k-10", {
    reason: "protected: it changes .github/quiet.yml, which no agent may land; a person has to look at it",
  }),
  accepted(25, "k-2", 2),
  dispatching(26, "k-2", { ...review, attempt: 4 }),
  reviewed(27, "k-2", "clean", "review passed"),
  landed(30, "k-2"),
  dispatching(31, "k-3", { footprint: { reads: [], writes: ["src/k-2"] } }),
  event(32, "land.refused", "k-1", {
    request: "x",
    result: "gate-failed",
    code: "",
    detail: "npm test ended with 1",
  }),
  queued(33, "k-1", { counts: "gate", start: "resume", report: "gate" }),
  dispatching(34, "k-1", { start: "resume", attempt: 4 }),
];

test("a gate that is red before the review is told like one at the landing", () => {
  const before = run.map((each) =>
    each.type === "land.refused"
      ? event(32, "slot.refused", "k-1", {
          head: HEAD,
          result: "gate-failed",
          code: "",
          detail: each.data.detail,
        })
      : each,
  );
  expect(tellRun(before)).toEqual(tellRun(run));
});

test("the ledger of a run is told as one row for each turn of a bead, with why it waited and without its reviews", () => {
  expect(tellRun(run).flatMap(storyLines)).toEqual([
    "    0.1 s  k-1       starts     Title of k-1",
    "    0.2 s  k-2       starts     Title of k-2",
    "    1.0 s  k-1       died       exit code 1: lost the thread",
    "    1.2 s  k-10      starts     Title of k-10",
    "                                waited: all slots were taken",
    "    1.5 s  k-2       sent back  criteria: 1 unsatisfied; findings: 1 blocking",
    "    1.7 s  k-2       again      attempt 2, with the review's findings",
    "    1.8 s  k-1       again      attempt 2, from the start",
    "    2.1 s  k-10      blocked    protected: it changes .github/quiet.yml, which",
    "                                no agent may land; a person has to look at it",
    "    3.0 s  k-2       landed     as 68ef7a4: review passed, gate green",
    "    3.1 s  k-3       starts     Title of k-3",
    "                                waited: k-2 had src/k-2",
    "    3.2 s  k-1       gate red   npm test ended with 1",
    "    3.4 s  k-1       again      attempt 3, with the gate's output",
  ]);
});

test("what was told stays as it is when more happens", () => {
  const whole = tellRun(run);
  for (const length of run.keys()) {
    const part = tellRun(run.slice(0, length));
    expect(part).toEqual(whole.slice(0, part.length));
  }
});

test("the last screen counts attempts without reviews and says what waits for a person", () => {
  expect(demoResult(run)).toEqual([
    "   1 of 4 beads landed in 3.4 s, for $0.04 as the agents say.",
    "",
    "   bead  result   attempts  reviews  commits    time  cost   on its way",
    "   k-1   again           3        0        0   3.3 s  $0.01  agent died, gate was red",
    "   k-2   landed          2        2        2   2.8 s  $0.02  sent back",
    "   k-3   starts          1        0        0   0.0 s  $0.00  waited",
    "   k-10  blocked         1        0        1   0.9 s  $0.01  protected path",
    "",
    "   k-10: protected: it changes .github/quiet.yml, which no agent may land; a",
    "   person has to look at it",
    "     $ koryph land k-10 --allow-protected    # what a person does next",
  ]);
});

const waiting = (
  id: string,
  reason_code: "conflict" | "wave_full" | "no_dispatch",
  by: string | null = null,
) => ({
  id: id as BeadId,
  title: "",
  priority: 2,
  reason_code,
  reason: reason_code === "no_dispatch" ? "no-dispatch label" : "",
  by,
});

test("a plan has six lines, and one that is too long is cut", () => {
  const many = Array.from({ length: 12 }, (_, at) => waiting(`k-${at + 20}`, "wave_full"));
  const plan = {
    project_id: "k",
    mode: "dry-run",
    width: 4,
    ready: 15,
    dispatch: [],
    deferred: [waiting("k-4", "conflict", "k-3"), ...many, waiting("k-5", "no_dispatch")],
    skipped: [],
  };
  expect(planSummary(plan)).toEqual([
    "   15 beads are ready, and 4 may run at once",
    "   start now    0",
    "   same files   1  k-4 waits for k-3",
    "   slots full  12  k-20, k-21, k-22, k-23, k-24, k-25, k-26, k-27, k-28 …",
    "   held back    1  k-5 no-dispatch",
    "   for people   0",
  ]);
});

test("a pull request that opens, or is closed by hand, is a row", () => {
  const pull = { pull: 12, url: "https://github.com/x/y/pull/12" };
  const rows = tellRun([
    began,
    dispatching(1, "k-1"),
    event(5, "pull.opened", "k-1", { ...pull, request: "x", base: HEAD, head: HEAD }),
    event(9, "pull.closed", "k-1", { pull: 12, reason: "closed without landing" }),
  ]);
  expect(rows.flatMap(storyLines)).toEqual([
    "    0.1 s  k-1       starts     Title of k-1",
    "    0.5 s  k-1       opened     pull request #12: gate green",
    "    0.9 s  k-1       closed     closed without landing",
  ]);
});

test("of a reply, the demo shows what a person reads on the page first", () => {
  const reply =
    "<!-- koryph:reply comment 7 -->\n✅ [<code>/koryph approve</code>](http://127.0.0.1/x#issuecomment-7): <code>b13d5bae12f1</code> is approved by you&#58;&#8203; for landing; for GitHub's own count, [approve it](http://x)";
  expect(plainReply(reply)).toBe("b13d5bae12f1 is approved by you: for landing");
});

test("no sentence of the demo is wider than a terminal", () => {
  const lines = [
    ...Object.values(demoSections).flatMap((section) => sectionLines(1, section)),
    ...sectionLines(4, { title: "", says: demoWords.killed(3) }),
    ...demoWords.made(18),
    ...demoWords.landedAsIs(HEAD),
    ...demoWords.landedAnew(HEAD, HEAD),
    ...demoWords.synced("gh-6"),
    ...demoWords.failed("verify says no"),
    ...demoWords.next(false),
    ...demoWords.kept("http://127.0.0.1:43535/_/corner/kiosk", 15, "http://127.0.0.1:33845"),
  ];
  expect(lines.filter((line) => line.length > DEMO_WIDTH)).toEqual([]);
});

test("a demo that stays does not advise to start another one that stays", () => {
  expect(demoWords.next(false).join("\n")).toContain("koryph demo --keep");
  expect(demoWords.next(true).join("\n")).not.toContain("--keep");
});
