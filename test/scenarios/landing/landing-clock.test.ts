import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LandHolder } from "../../../src/core/land/land-progress.js";
import type { LandingNews } from "../../../src/landing/landing-news.js";
import { DEFAULT_BRANCH, LandingClock } from "../../../src/wiring/news/landing-clock.js";

const START = new Date(2026, 0, 2, 3, 4, 5).getTime();
const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

const running = (command: string, number = 1) => ({ command, number, of: 2, since: Date.now() });
const runs = (command: string, number?: number): LandingNews => ({
  kind: "landing",
  bead: "b",
  step: { kind: "command", ...running(command, number) },
});
const behind = (change: Partial<LandHolder>): LandingNews => ({
  kind: "waiting",
  bead: "b",
  behind: { pid: 77, since: new Date(START).toISOString(), work: { by: "land", bead: "a" }, ...change },
});

function open() {
  const said: string[] = [];
  const clock = new LandingClock((bead, text) => said.push(`${bead}  ${text}`));
  return { clock, said };
}

test("a command of the gate is told when it starts, then at growing intervals, until its landing goes on", () => {
  const { clock, said } = open();
  clock.hear(runs("npm ci"));
  vi.advanceTimersByTime(2 * MINUTE);
  clock.hear(runs("npm test", 2));
  vi.advanceTimersByTime(16 * MINUTE);
  clock.hear({ kind: "landing", bead: "b", step: { kind: "pushing", head: "" } });
  vi.advanceTimersByTime(60 * MINUTE);
  expect(said).toEqual([
    "b  gate command 1 of 2: npm ci",
    "b  gate command 1 of 2, 1m 00s: npm ci",
    "b  gate command 2 of 2: npm test",
    "b  gate command 2 of 2, 1m 00s: npm test",
    "b  gate command 2 of 2, 5m 00s: npm test",
    "b  gate command 2 of 2, 15m 00s: npm test",
  ]);
});

test("so is the gate before the first agent, until it has its answer", () => {
  const { clock, said } = open();
  expect(clock.hear({ kind: "base-command", running: running("npm test") })).toBe(true);
  vi.advanceTimersByTime(2 * MINUTE);
  expect(clock.of(DEFAULT_BRANCH, Date.now())).toEqual(["gate command 1 of 2, 2m 00s: npm test"]);
  expect(clock.hear({ kind: "base-command", running: null })).toBe(true);
  vi.advanceTimersByTime(60 * MINUTE);
  expect(said).toEqual([
    "default branch  gate command 1 of 2: npm test",
    "default branch  gate command 1 of 2, 1m 00s: npm test",
  ]);
});

test("a wait for another landing names it at once and once, again when it changes, and ends with the turn", () => {
  const { clock, said } = open();
  const gate = behind({ work: { by: "run", bead: "a", running: running("npm test") } });
  for (const news of [behind({}), behind({}), gate, gate]) clock.hear(news);
  vi.advanceTimersByTime(MINUTE);
  expect(clock.of("b", Date.now())).toHaveLength(2);
  expect(clock.hear({ kind: "landing", bead: "b", step: { kind: "begun" } })).toBe(true);
  expect(clock.of("b", Date.now())).toEqual([]);
  vi.advanceTimersByTime(60 * MINUTE);
  expect(said).toEqual([
    "b  waits for koryph land (pid 77), which lands a since 03:04:05",
    "b  waits for koryph run (pid 77), which lands a since 03:04:05; its gate command 1 of 2, 0s: npm test",
    "b  waits for koryph run (pid 77), which lands a since 03:04:05; its gate command 1 of 2, 1m 00s: npm test",
  ]);
});

test.each([
  {
    name: "that says nothing",
    change: { work: null },
    says: "another koryph (pid 77), which lands something since 03:04:05",
  },
  {
    name: "of the same run",
    change: { own: true, work: { by: "run" as const, bead: "a" } },
    says: "its turn behind a, since 03:04:05",
  },
  {
    name: "of the same run's base check",
    change: { own: true, work: { by: "run" as const, bead: null } },
    says: "the gate of the default branch, since 03:04:05",
  },
  {
    name: "that cannot be read",
    change: { pid: 0, since: "an unknown time", work: null },
    says: "another koryph, which lands something",
  },
])("a lock $name is waited for all the same", ({ change, says }) => {
  const { clock, said } = open();
  clock.hear(behind(change));
  expect(said).toEqual([`b  waits for ${says}`]);
});
