import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { SqlInbox } from "../../../src/adapters/store/sql-inbox.js";
import { LANES, type Lane } from "../../../src/ports/inbox.js";
import { HandClock, newJob, storeFile, taken, testInbox, testStore } from "../../support/app/store.js";
import { type InboxStep, inboxSteps, PlainInbox } from "../../support/app/store-model.js";
import { LONG } from "../../support/long.js";

test("a job comes out as it went in, with its attempt", async () => {
  const { inbox, clock } = await testInbox();
  const payload = JSON.stringify({ body: "naïve 😀 \u0000 'quoted'" });
  await inbox.add(newJob("a", { payload, key: "o/r#7" }));
  expect(await inbox.take("intake", clock.time)).toEqual({
    id: "a",
    name: "issue_comment",
    lane: "intake",
    key: "o/r#7",
    payload,
    receivedAt: 1_000_000,
    attempt: 1,
  });
});

test("a name that is known is not added again, whatever became of the job", async () => {
  const { inbox, clock } = await testInbox();
  const together = await Promise.all([inbox.add(newJob("a")), inbox.add(newJob("a"))]);
  expect(together).toEqual(["added", "known"]);
  expect(await inbox.has("a")).toBe(true);
  expect(await inbox.has("b")).toBe(false);
  const job = await taken(inbox, clock);
  expect(await inbox.add(newJob("a"))).toBe("known");
  await inbox.done(job);
  expect(await inbox.add(newJob("a", { lane: "work" }))).toBe("known");
  expect(await inbox.list()).toEqual([]);
});

test("a job that steps aside holds back its own key and no other", async () => {
  const { inbox, clock } = await testInbox();
  for (const [id, key] of [
    ["a1", "a"],
    ["a2", "a"],
    ["b1", "b"],
  ])
    await inbox.add(newJob(id ?? "", { key: key ?? "" }));
  await inbox.postpone(await taken(inbox, clock), clock.time + 100, "GitHub was away");
  const second = await taken(inbox, clock);
  expect(second.id).toBe("b1");
  await inbox.done(second);
  expect(await inbox.take("intake", clock.time)).toBeNull();
  expect(await inbox.nextDue("intake")).toBe(clock.time + 100);
  clock.time += 100;
  const again = await taken(inbox, clock);
  expect(again).toMatchObject({ id: "a1", attempt: 2 });
  await inbox.done(again);
  expect((await taken(inbox, clock)).id).toBe("a2");
});

test("a job that was given up lets those behind it pass, and comes back in its old place", async () => {
  const { inbox, clock } = await testInbox();
  for (const id of ["a", "b", "c"]) await inbox.add(newJob(id));
  await inbox.bury(await taken(inbox, clock), "wrong");
  const second = await taken(inbox, clock);
  expect(second.id).toBe("b");
  expect(await inbox.rearm("a")).toBe("rearmed");
  expect(await inbox.take("intake", clock.time)).toBeNull();
  await inbox.done(second);
  expect(await taken(inbox, clock)).toMatchObject({ id: "a", attempt: 1 });
});

test("rearming says what it found", async () => {
  const { inbox, clock } = await testInbox();
  await inbox.add(newJob("a"));
  expect(await inbox.rearm("nobody")).toBe("absent");
  const job = await taken(inbox, clock);
  expect(await inbox.rearm("a")).toBe("in-hand");
  await inbox.postpone(job, clock.time + 1000, "later");
  expect(await inbox.rearm("a")).toBe("rearmed");
  await inbox.done(await taken(inbox, clock));
  expect(await inbox.rearm("a")).toBe("done");
  expect(await inbox.rearmAllDead()).toEqual([]);
});

test("what is put back was never taken", async () => {
  const { inbox, clock } = await testInbox();
  await inbox.add(newJob("a"));
  await inbox.putBack(await taken(inbox, clock));
  expect(await taken(inbox, clock)).toMatchObject({ id: "a", attempt: 1 });
});

test("what a dead process had in hand waits again, in its place, and the try counts", async () => {
  const { store, inbox, clock } = await testInbox();
  for (const id of ["a", "b"]) await inbox.add(newJob(id));
  await taken(inbox, clock);
  const next = new SqlInbox(store, clock.now);
  expect(await next.take("intake", clock.time)).toBeNull();
  expect(await next.reclaim()).toBe(1);
  expect(await taken(next, clock)).toMatchObject({ id: "a", attempt: 2 });
});

test("a done job keeps its name for as long as it is told to, and not what people wrote", async () => {
  const { store, inbox, clock } = await testInbox();
  await inbox.add(newJob("a", { payload: JSON.stringify("private") }));
  await inbox.done(await taken(inbox, clock));
  expect(await store.db.selectFrom("jobs").select("payload").execute()).toEqual([{ payload: null }]);
  expect(await inbox.forget(clock.time)).toBe(0);
  expect(await inbox.add(newJob("a"))).toBe("known");
  expect(await inbox.forget(clock.time + 1)).toBe(1);
  expect(await inbox.add(newJob("a"))).toBe("added");
});

test("depth counts every lane and state", async () => {
  const { inbox, clock } = await testInbox();
  for (const id of ["a", "b", "c"]) await inbox.add(newJob(id, { key: id === "a" ? "x" : "y" }));
  await inbox.add(newJob("w", { lane: "work" }));
  await inbox.bury(await taken(inbox, clock), "wrong");
  await taken(inbox, clock, "work");
  const seen = (await inbox.depth()).filter(({ count }) => count > 0);
  expect(seen).toEqual([
    { lane: "intake", state: "waiting", count: 2 },
    { lane: "intake", state: "dead", count: 1 },
    { lane: "work", state: "in-hand", count: 1 },
  ]);
  expect(await inbox.depth()).toHaveLength(LANES.length * 3);
  expect((await inbox.list({ state: "dead" })).map(({ id }) => id)).toEqual(["a"]);
  expect((await inbox.list({ lane: "intake", most: 2 })).map(({ id }) => id)).toEqual(["a", "b"]);
});

test("whatever is done with it, it is what a plain list of jobs would be", async () => {
  const store = await testStore(storeFile());
  // Nothing here is about the disk.
  await sql`pragma synchronous = off`.execute(store.db);
  await fc.assert(
    fc.asyncProperty(inboxSteps, async (steps) => {
      await store.write((db) => db.deleteFrom("jobs").execute());
      const clock = new HandClock();
      const inbox = new SqlInbox(store, clock.now);
      const model = new PlainInbox(clock);
      for (const step of steps) {
        expect(await apply(step, inbox, clock), JSON.stringify(step)).toEqual(model.apply(step));
        const observations = await inbox.list();
        expect(observations.map(({ id, state, attempt }) => ({ id, state, attempt }))).toEqual(
          model.observations(),
        );
        for (const lane of LANES) expect(await inbox.nextDue(lane)).toBe(model.nextDue(lane));
      }
    }),
    { numRuns: LONG ? 2000 : 50 },
  );
});

/** The model names jobs by id; what is in hand is known by what `take` returned. */
async function apply(step: InboxStep, inbox: SqlInbox, clock: HandClock): Promise<unknown> {
  const held = (id: number, attempt: number, lane: Lane, key: string) => ({
    ...newJob(`${id}`, { lane, key }),
    receivedAt: 0,
    attempt,
  });
  switch (step.kind) {
    case "add": {
      const { id, lane, key, delay } = step;
      return inbox.add(newJob(`${id}`, { lane, key, notBefore: clock.time + delay }));
    }
    case "take": {
      const job = await inbox.take(step.lane, clock.time);
      return job && { id: job.id, attempt: job.attempt };
    }
    case "end": {
      const observation = (await inbox.list({ state: "in-hand" }))[step.which];
      if (!observation) return undefined;
      const job = held(Number(observation.id), observation.attempt, observation.lane, observation.key);
      if (step.how === "done") return inbox.done(job);
      if (step.how === "bury") return inbox.bury(job, "wrong");
      if (step.how === "put-back") return inbox.putBack(job);
      return inbox.postpone(job, clock.time + step.delay, "later");
    }
    case "rearm":
      return inbox.rearm(`${step.id}`);
    case "rearm-all":
      return inbox.rearmAllDead();
    case "reclaim":
      return inbox.reclaim();
    case "wait":
      clock.time += step.ms;
      return undefined;
  }
}
