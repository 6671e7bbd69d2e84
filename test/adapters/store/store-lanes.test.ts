import { describe, expect, onTestFinished, test } from "vitest";
import { failureText, judgeFailure } from "../../../src/app/lanes/lane-failure.js";
import { Lanes, type LanesParts } from "../../../src/app/lanes/lanes.js";
import type { Job } from "../../../src/ports/inbox.js";
import { Hopeless, TryLater } from "../../../src/ports/try-later.js";
import { HandClock, newJob, testInbox } from "../../support/app/store.js";

/** Lanes over a real inbox; `log` is what began and ended, in order. */
async function laneLab(handle: LanesParts["handle"], more: Partial<LanesParts> = {}) {
  const { inbox, clock, store } = await testInbox();
  const log: string[] = [];
  const lanes = new Lanes({
    inbox,
    now: clock.now,
    chance: () => 0,
    onEnd: ({ id }, { kind }) => log.push(`${id} ${kind}`),
    onTrouble: (error) => log.push(`trouble: ${failureText(error)}`),
    handle: (job, signal) => {
      log.push(`${job.id} begins`);
      return handle(job, signal);
    },
    ...more,
  });
  onTestFinished(() => lanes.stop(0));
  return { inbox, clock, store, lanes, log };
}

/** The machine may be busy with other things. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 30_000, interval: 10 });

/** A promise that the test settles. */
function gate() {
  let open = () => {};
  let fail = (_error: Error) => {};
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { passed, open: () => open(), fail: (error: Error) => fail(error) };
}

describe("taking", () => {
  test("nothing is taken before the start, and everything after", async () => {
    const { inbox, lanes, log } = await laneLab(async () => {});
    for (const id of ["a", "b", "c"]) await inbox.add(newJob(id));
    lanes.wake();
    expect(log).toEqual([]);
    lanes.start();
    await soon(() => inbox.list()).toEqual([]);
    expect(log).toEqual(["a begins", "a done", "b begins", "b done", "c begins", "c done"]);
  });

  test("a lane that is full holds up no other", async () => {
    const blocked = gate();
    const { inbox, lanes, log } = await laneLab(({ lane }) =>
      lane === "work" ? blocked.passed : Promise.resolve(),
    );
    for (const n of [1, 2, 3, 4, 5, 6]) await inbox.add(newJob(`w${n}`, { lane: "work", key: `${n}` }));
    lanes.start();
    await soon(() => log).toHaveLength(4);
    await inbox.add(newJob("quick"));
    await inbox.add(newJob("land", { lane: "landing" }));
    lanes.wake();
    await soon(() => log).toEqual(expect.arrayContaining(["quick done", "land done"]));
    expect(log.filter((line) => line.startsWith("w"))).toHaveLength(4);
    blocked.open();
    await soon(() => inbox.list()).toEqual([]);
  });

  test("jobs that hang step aside for others, keep their own thread, and are tried again in the end", async () => {
    const hung = gate();
    const limitMs = { intake: 20, landing: 20, work: 20, analysis: 20 };
    const { inbox, lanes, log, clock } = await laneLab(
      ({ id, attempt }) => (id.startsWith("hung") && attempt === 1 ? hung.passed : Promise.resolve()),
      { limitMs },
    );
    for (let n = 0; n < 8; n += 1) await inbox.add(newJob(`hung${n}`, { key: `${n}` }));
    await inbox.add(newJob("same thread", { key: "0" }));
    await inbox.add(newJob("other thread", { key: "other" }));
    lanes.start();
    await soon(() => log).toContain("other thread done");
    expect(log).toContain("hung0 overdue");
    await soon(() => log).toContain("hung0 postponed");
    expect(log).not.toContain("same thread begins");
    await soon(async () => {
      clock.time += 10_000;
      lanes.wake();
      return inbox.list();
    }).toEqual([]);
    expect(log.indexOf("hung0 done")).toBeLessThan(log.indexOf("same thread begins"));
  });

  test("jobs of one key never overlap, and keep their order through failures", async () => {
    const clock = { atWork: new Map<string, number>(), most: 0 };
    const done: string[] = [];
    const fails = new Set(["a0", "a3", "b1"]);
    const lab = await laneLab(async ({ id, key }) => {
      clock.atWork.set(key, (clock.atWork.get(key) ?? 0) + 1);
      clock.most = Math.max(clock.most, ...clock.atWork.values());
      await new Promise((resolve) => setImmediate(resolve));
      clock.atWork.set(key, (clock.atWork.get(key) ?? 0) - 1);
      if (fails.delete(id)) throw new Error("GitHub was away");
      done.push(id);
    });
    for (let n = 0; n < 6; n += 1)
      for (const key of ["a", "b"]) await lab.inbox.add(newJob(`${key}${n}`, { key }));
    lab.lanes.start();
    await soon(async () => {
      lab.clock.time += 10_000;
      lab.lanes.wake();
      return lab.inbox.list();
    }).toEqual([]);
    expect(done.filter((id) => id.startsWith("a"))).toEqual(["a0", "a1", "a2", "a3", "a4", "a5"]);
    expect(done.filter((id) => id.startsWith("b"))).toEqual(["b0", "b1", "b2", "b3", "b4", "b5"]);
    expect(clock.most).toBe(1);
  });

  test("a job becomes due by itself, without anybody waking the lane", async () => {
    const { inbox, lanes, log } = await laneLab(async () => {}, { now: Date.now });
    await inbox.add(newJob("later", { notBefore: Date.now() + 100 }));
    lanes.start();
    await soon(() => log).toEqual(["later begins", "later done"]);
  });

  test("what somebody else rearms is found by itself", async () => {
    let wrong = true;
    const { inbox, lanes, log } = await laneLab(async () => {
      if (wrong) throw new Hopeless("no such thing");
    });
    await inbox.add(newJob("a"));
    lanes.start();
    await soon(() => log).toEqual(["a begins", "a buried"]);
    expect(await inbox.list()).toMatchObject([{ state: "dead", error: "no such thing", attempt: 1 }]);
    wrong = false;
    await inbox.rearm("a");
    await soon(() => log).toEqual(["a begins", "a buried", "a begins", "a done"]);
  });
});

describe("failing", () => {
  test("a job is tried fourteen times, then given up, and those behind it go on", async () => {
    const { inbox, lanes, clock, log } = await laneLab(async ({ id }) => {
      if (id === "bad") throw new Error("token=hunter2hunter2 is wrong");
    });
    await inbox.add(newJob("bad"));
    await inbox.add(newJob("good"));
    lanes.start();
    await soon(() => {
      clock.time += 600_000;
      lanes.wake();
      return log.at(-1);
    }).toBe("good done");
    expect(log.filter((line) => line === "bad begins")).toHaveLength(14);
    const [dead] = await inbox.list();
    expect(dead).toMatchObject({ id: "bad", state: "dead", attempt: 14 });
    expect(dead?.error).toBe("token=[redacted] is wrong");
  });

  test("being told to try later costs no attempt", async () => {
    let limits = 12;
    const { inbox, lanes, clock, log } = await laneLab(async () => {
      limits -= 1;
      if (limits > 0) throw new TryLater("rate limit", clock.time + 60_000);
    });
    await inbox.add(newJob("a"));
    lanes.start();
    await soon(() => log).toEqual(["a begins", "a postponed"]);
    expect(await inbox.list()).toMatchObject([{ attempt: 0, notBefore: clock.time + 60_000 }]);
    await soon(() => {
      clock.time += 60_000;
      lanes.wake();
      return log.at(-1);
    }).toBe("a done");
  });

  test("a job that was in hand at every death of a process is given up", async () => {
    const { inbox, lanes, clock, log } = await laneLab(async () => {});
    await inbox.add(newJob("poison"));
    for (let deaths = 0; deaths < 25; deaths += 1) {
      await inbox.take("intake", clock.time);
      await inbox.reclaim();
    }
    lanes.start();
    await soon(() => log).toEqual(["poison buried"]);
  });

  test("an inbox that fails is asked again", async () => {
    const { inbox, lanes, log, store } = await laneLab(async () => {});
    await store.write((db) => db.schema.alterTable("jobs").renameTo("gone").execute());
    lanes.start();
    await soon(() => log.length).toBeGreaterThan(0);
    expect(log[0]).toContain("trouble: no such table");
    await store.write((db) => db.schema.alterTable("gone").renameTo("jobs").execute());
    await inbox.add(newJob("a"));
    await soon(() => log).toContain("a done");
  });

  const base = { attempt: 1, receivedAt: 0 };
  const DAY = 86_400_000;
  test.each<{
    name: string;
    job?: Partial<Job>;
    error?: Error;
    now?: number;
    chance?: number;
    verdict: object;
  }>([
    { name: "waits five seconds at most", chance: 1, verdict: { notBefore: 5000, counted: true } },
    { name: "or half of it, as chance has it", verdict: { notBefore: 2500 } },
    { name: "waits twice as long the next time", job: { attempt: 2 }, verdict: { notBefore: 5000 } },
    {
      name: "waits ten minutes at most",
      job: { attempt: 13 },
      chance: 1,
      verdict: { notBefore: 600_000 },
    },
    { name: "is given up the fourteenth time", job: { attempt: 14 }, verdict: { kind: "bury" } },
    { name: "is given up at once when it is hopeless", error: new Hopeless("no"), verdict: { kind: "bury" } },
    {
      name: "waits as long as it is told to, uncounted",
      job: { attempt: 14 },
      error: new TryLater("limit", 99_000),
      verdict: { kind: "postpone", notBefore: 99_000, counted: false },
    },
    {
      name: "counts what it is told after a day",
      error: new TryLater("limit", DAY + 99_000),
      now: DAY,
      verdict: { kind: "postpone", notBefore: DAY + 99_000, counted: true },
    },
    {
      name: "and is given up in the end",
      job: { attempt: 14 },
      error: new TryLater("limit", DAY + 1),
      now: DAY,
      verdict: { kind: "bury" },
    },
    {
      name: "does not come back in the past",
      error: new TryLater("limit", 5),
      now: 100,
      verdict: { notBefore: 100 },
    },
  ])("a job that fails $name", ({ job, error = new Error("x"), now = 0, chance = 0, verdict }) => {
    expect(judgeFailure({ ...base, ...job }, error, { now, chance })).toMatchObject(verdict);
  });

  test.each([
    { error: new Error("a\nb\u001b[31m"), text: "a b\u{FFFD}[31m" },
    { error: new Error("outer", { cause: new Error("inner") }), text: "outer: inner" },
    { error: "thrown text", text: "thrown text" },
    { error: new Error(""), text: "an error without a word" },
    { error: null, text: "null" },
  ])("what went wrong is kept as $text", ({ error, text }) => expect(failureText(error)).toBe(text));

  test("of a long error the beginning is kept", () => {
    expect(failureText(new Error("x".repeat(1_000_000)))).toHaveLength(500);
  });
});

describe("stopping", () => {
  test("waits for what is in hand, and takes no more", async () => {
    const work = gate();
    const { inbox, lanes, log } = await laneLab(() => work.passed);
    await inbox.add(newJob("a"));
    await inbox.add(newJob("b"));
    lanes.start();
    await soon(() => log).toEqual(["a begins"]);
    const stopped = lanes.stop(60_000);
    expect(lanes.running).toBe(false);
    work.open();
    await stopped;
    expect(log).toEqual(["a begins", "a done"]);
    expect(await inbox.list()).toMatchObject([{ id: "b", state: "waiting", attempt: 0 }]);
  });

  test("gives back what ends when it is told to end", async () => {
    const { inbox, lanes, log } = await laneLab(
      (_job, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("told to stop")));
        }),
    );
    await inbox.add(newJob("a"));
    lanes.start();
    await soon(() => log).toEqual(["a begins"]);
    await lanes.stop(0);
    expect(log).toEqual(["a begins", "a put-back"]);
    expect(await inbox.list()).toMatchObject([{ id: "a", state: "waiting", attempt: 0, error: "" }]);
  });

  test("gives back what does not end", async () => {
    const work = gate();
    const { inbox, lanes, log } = await laneLab(() => work.passed);
    await inbox.add(newJob("a"));
    lanes.start();
    await soon(() => log).toEqual(["a begins"]);
    await lanes.stop(0);
    expect(await inbox.list()).toMatchObject([{ id: "a", state: "waiting", attempt: 0 }]);
    work.open();
  });

  test("what is done after all, late, is done", async () => {
    const clock = new HandClock();
    const { inbox } = await testInbox(clock);
    await inbox.add(newJob("a"));
    const job = await inbox.take("intake", clock.time);
    if (job === null) throw new Error("nothing was taken");
    await inbox.putBack(job);
    await inbox.done(job);
    expect(await inbox.list()).toEqual([]);
  });
});
