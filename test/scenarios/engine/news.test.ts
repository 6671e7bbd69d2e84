import { expect, test } from "vitest";
import type { NewEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { FRESH_MEMORY } from "../../../src/core/run/tick/tick-facts.js";
import type { EngineNews, EngineParts, EngineSettings } from "../../../src/engine/engine-parts.js";
import { newsOf } from "../../../src/engine/news.js";
import { StaggerNews } from "../../../src/engine/stagger-news.js";
import { PLAIN } from "../../../src/lib/paint.js";
import { newsFilter, newsLine, newsText } from "../../../src/wiring/news/news-text.js";
import { dispatching } from "../../support/core/ledgers.js";
import { projectWith, slot } from "../../support/core/slots.js";

const waiting = (holder: string) =>
  ({ kind: "waiting-for-lease", holder, host: "build-2#0123456789ab", seconds: 90 }) as const;

test("a wait for a lease is told when it begins, then at most every 30 s", () => {
  let now = 1_000;
  const worthALine = newsFilter(() => now);
  const told = Array.from({ length: 13 }, () => {
    const worth = worthALine(waiting("a"));
    now += 5_000;
    return worth;
  });
  expect(told.flatMap((worth, at) => (worth ? [at * 5] : []))).toEqual([0, 30, 60]);
  expect(worthALine(waiting("b"))).toBe(true);
});

test("all other news is told, however often", () => {
  const worthALine = newsFilter(() => 0);
  const news = { kind: "trouble", what: "the same again" } as const;
  expect([worthALine(news), worthALine(news)]).toEqual([true, true]);
});

test("whose lease it is, is said as people say it", () => {
  const holder = `build-2#0123456789ab/77/${"ab".repeat(12)}`;
  expect(newsText(waiting(holder), PLAIN)).toBe("waiting for the lease of pid 77 on build-2, 90 s at most");
});

test("what an agent's end is called is not said twice", () => {
  const end = { kind: "ended", bead: "a", outcome: "stopped", costUsd: 0 } as const;
  const again = { kind: "queued", bead: "a", inSeconds: 0 } as const;
  expect([
    newsText({ ...end, detail: "stopped on request" }, PLAIN),
    newsText({ ...again, reason: "stopped: stopped on request" }, PLAIN),
    newsText({ ...end, outcome: "failed", detail: "exit code 3" }, PLAIN),
    newsText({ ...again, reason: "rate limit: too many requests" }, PLAIN),
  ]).toEqual([
    "a  agent ended: stopped on request",
    "a  queued again in 0 s: stopped on request",
    "a  agent ended: failed, exit code 3",
    "a  queued again in 0 s: rate limit: too many requests",
  ]);
});

test("a bead that is held is not said to start again by itself", () => {
  const news = {
    kind: "queued",
    bead: "a",
    reason: "stopped on request",
    inSeconds: 15,
    held: true,
  } as const;
  expect(newsText(news, PLAIN)).toBe("a  queued until koryph unhold a: stopped on request");
});

test("each line of a run has its time", () => {
  const at = new Date(2026, 0, 2, 3, 4, 5).getTime();
  expect(newsLine({ kind: "trouble", what: "no network" }, at, PLAIN)).toBe("03:04:05  trouble: no network");
});

test("a bead in conflict is called so, and one that is blocked is called that", () => {
  const news = { kind: "blocked", bead: "a", reason: "3 times in a row" } as const;
  expect(newsText({ ...news, status: "conflict" }, PLAIN)).toBe("a  conflict: 3 times in a row");
  expect(newsText({ ...news, status: "blocked" }, PLAIN)).toBe("a  blocked: 3 times in a row");
});

test("what became of a bead is told as the ledger has it", () => {
  const told = (data: object) => newsOf({ type: "slot.blocked", bead: "a", data } as NewEvent, 0);
  expect(told({ reason: "again", status: "conflict" })).toMatchObject({ status: "conflict" });
  expect(told({ reason: "again" })).toMatchObject({ status: "blocked" });
});

test("attempts are told without the reviews between them, and a review with its own model", () => {
  const asides = [
    { task: "review", model: "opus", model_why: "", timeout_seconds: 60, estimate_usd: 1, optional: false },
  ];
  const told = (task: "implement" | "review") =>
    newsOf(
      { type: "slot.dispatching", bead: "a", data: { ...dispatching, attempt: 3, task, asides } },
      0,
      slot({ attempt: 3, tries: 2 }),
    );
  expect(told("implement")).toMatchObject({ attempt: 2, model: "sonnet" });
  expect(told("review")).toMatchObject({ task: "review", model: "opus" });
});

test("that a runtime is paused is told once, and again when it lasts longer or comes back", () => {
  const worthALine = newsFilter(() => 0);
  const paused = (until: number | null) =>
    worthALine({
      kind: "runtime-paused",
      pause: { runtime: "claude", model: null, kind: "limited", until, detail: "429" },
    });
  expect([paused(15_000), paused(16_000), paused(45_000), paused(45_500)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  worthALine({ kind: "runtime-resumed", runtime: "claude" });
  expect([paused(null), paused(null)]).toEqual([true, false]);
});

test("the first line tells the width in force, and what became of a wish for more", () => {
  const run = { kind: "run", run: "r-1", resumed: false, width: 2 } as const;
  expect([newsText(run, PLAIN), newsText({ ...run, clipped: 99 }, PLAIN)]).toEqual([
    "run r-1, width 2",
    "run r-1, width 2 (--max 99 is above max_concurrent_slots)",
  ]);
});

test("an agent without a model is said to have none", () => {
  const news = { kind: "dispatching", bead: "a", title: "T", attempt: 1, start: "fresh" } as const;
  const on = (runtime: string, model: string) =>
    newsText({ ...news, task: "implement", insteadOf: null, runtime, model }, PLAIN);
  expect([on("claude", "sonnet"), on("shell", "none")]).toEqual([
    "a  dispatched on sonnet: T",
    "a  dispatched on shell, without a model: T",
  ]);
});

test("the pause between two starts is told once for the places that are being filled", () => {
  const said: EngineNews[] = [];
  const config = projectWith({ dispatch_stagger_seconds: 3 });
  const parts = { report: (news: EngineNews) => said.push(news) } as unknown as EngineParts;
  const news = new StaggerNews(parts, { config } as EngineSettings);
  const tick = (staggered: boolean, filling: boolean) =>
    news.tell({ staggered, memory: { ...FRESH_MEMORY, filling } });
  for (const staggered of [false, true, false, true]) tick(staggered, true);
  expect(said).toEqual([{ kind: "stagger", seconds: 3 }]);
  tick(false, false);
  tick(true, true);
  expect(said).toHaveLength(2);
});
