import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RunSummary } from "../../src/core/replies/run/progress.js";
import type { Slot } from "../../src/core/run/ledger/slot.js";
import type { WaveCheck } from "../../src/ports/check-runs.js";
import { RunReporter } from "../../src/wiring/report/run-reporter.js";
import { ledgerWorld } from "../support/core/ledgers.js";
import { sha, slot } from "../support/core/slots.js";

const ENDED: RunSummary = {
  ...{ run: "r-1", reason: "drained", code: 0, ended: "drained" },
  ...{ dispatched: 60, landed: 60, pulls: 0, finished: 0, blocked: 0, conflicts: 0, failed: 0 },
  ...{ queued: 0, held: 0, left: [], earlier: [], passedOver: [], idle: null, pauses: [] },
  ...{ costUsd: 0, costKnown: true },
  models: { top: [], rest: { names: 0, agents: 0, costUsd: 0, costKnown: true } },
};

test("however much happens, GitHub is told at most every 15 seconds, and the last word at once", async () => {
  let now = Date.parse("2026-03-01T12:00:00Z");
  const told: WaveCheck[] = [];
  const begun: number[] = [];
  const ledger = ledgerWorld().ledger("a");
  // Each report begins with a look at the ledger, however long the rest of it takes.
  const recent = ledger.recent.bind(ledger);
  ledger.recent = (most) => {
    begun.push(now);
    return recent(most);
  };
  const reporter = new RunReporter({
    checks: {
      show: async (check) => {
        told.push(check);
        return { id: 1, heard: false };
      },
      open: async () => [],
      close: async () => {},
    },
    ledger,
    detailsUrl: "https://github.example/run",
    now: () => now,
    warn: (line) => expect.fail(line),
  });
  let slots: readonly Slot[] = [];
  const ignore = reporter.follow(() => slots, {
    ...{ id: () => "r-1", base: sha("a"), tip: () => sha("a"), mode: "rolling" },
  });
  // The reporter's own looks would come with the real clock; the news of the engine bring as many.
  ignore();
  for (let second = 0; second < 60; second += 1) {
    slots = [...slots, slot({ bead: `gh-${second + 1}` })];
    reporter.hear({ kind: "started", bead: `gh-${second + 1}`, pid: 7 });
    if (second === 0) await expect.poll(() => told).toHaveLength(1);
    await pause(5);
    now += 1_000;
  }
  for (const [index, at] of begun.entries())
    expect(at - (begun[index - 1] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(15_000);
  expect(begun.length).toBeGreaterThan(1);
  expect(told.at(-1)?.conclusion).toBeNull();

  await reporter.end(ENDED);
  expect(told.at(-1)).toMatchObject({ conclusion: expect.stringMatching(/success|neutral/) });
  expect(told.at(-1)?.summary).toContain("gh-60");
});
