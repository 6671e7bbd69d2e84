import { expect, test } from "vitest";
import type { WindowUsage } from "../../../src/core/govern/quota-level.js";
import type { EngineNews, EngineParts, EngineSettings } from "../../../src/engine/engine-parts.js";
import { Troubles } from "../../../src/engine/faults/troubles.js";
import { QuotaWatch } from "../../../src/engine/govern/quota-watch.js";
import type { QuotaLook } from "../../../src/ports/govern/account-quotas.js";
import { projectWith } from "../../support/core/slots.js";

/** An account of a hundred dollars that is looked at while time passes. */
function watched() {
  const there = { at: 0, spentUsd: 10 as number | null, looks: 0, fails: false };
  const news: EngineNews[] = [];
  const look = async (): Promise<QuotaLook> => {
    there.looks += 1;
    // It takes its time.
    await new Promise(setImmediate);
    if (there.fails) throw new Error("no such disk");
    const fiveHour: WindowUsage = { ceilingUsd: 100, spentUsd: there.spentUsd };
    const weekly: WindowUsage = { ceilingUsd: null, spentUsd: null };
    return { guard: null, accounts: new Map([["", { fiveHour, weekly }]]) };
  };
  const report = (heard: EngineNews) => news.push(heard);
  const parts = { steady: () => there.at, now: () => 0, quotas: { look }, report } as unknown as EngineParts;
  const settings = { config: projectWith(), options: {} } as unknown as EngineSettings;
  const watch = new QuotaWatch(parts, settings, new Troubles(report));
  /** What is known so many seconds later. */
  const after = async (seconds: number) => {
    there.at += seconds * 1000;
    const { accounts } = await watch.facts();
    await watch.settled();
    return accounts.get("")?.fiveHour.spentUsd;
  };
  const levels = () => news.map((heard) => (heard.kind === "quota" ? heard.level : heard.kind));
  return { there, after, levels };
}

test("an account is looked at once a minute, beside what goes on", async () => {
  const { there, after } = watched();
  expect(await after(0)).toBe(10);
  there.spentUsd = 20;
  expect(await after(59)).toBe(10);
  expect(there.looks).toBe(1);
  // This look begins; what was known before still holds for the tick that is under way.
  expect(await after(1)).toBe(10);
  expect(await after(1)).toBe(20);
  expect(there.looks).toBe(2);
});

test("what is old is not decided by, as after a sleep", async () => {
  const { there, after } = watched();
  await after(0);
  there.spentUsd = 99;
  expect(await after(3_600)).toBe(99);
});

test("what cannot be looked at any more counts as full, until it can", async () => {
  const { there, after, levels } = watched();
  await after(0);
  there.fails = true;
  expect(await after(120)).toBeNull();
  there.fails = false;
  expect(await after(120)).toBe(10);
  expect(levels()).toEqual(["trouble", "stop", "ok"]);
});

test("a level is told when it is reached, and not again", async () => {
  const { there, after, levels } = watched();
  await after(0);
  for (const spentUsd of [85, 86, 92, 70]) {
    there.spentUsd = spentUsd;
    await after(120);
  }
  expect(levels()).toEqual(["warn", "drain", "ok"]);
});
