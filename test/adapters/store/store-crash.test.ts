import { expect, test } from "vitest";
import { SqlInbox } from "../../../src/adapters/store/sql-inbox.js";
import { storeFile, testStore } from "../../support/app/store.js";
import { startScript } from "../../support/cli/node-script.js";
import { LONG } from "../../support/long.js";

/**
 * Adds and takes in a loop, and says so after each that is durable. Its output is a pipe, which Node writes to
 * before it goes on, so what it said was so.
 */
const SERVER = `
  const { openStore } = await built("adapters/store/open-store.js");
  const { SqlInbox } = await built("adapters/store/sql-inbox.js");
  const [file, round] = args;
  const inbox = new SqlInbox(await openStore(file));
  console.log("reclaimed " + (await inbox.reclaim()));
  const add = async (n) => {
    const id = round + "-" + String(n).padStart(6, "0");
    const answer = await inbox.add({ id, name: "x", lane: "intake", key: "k" + (n % 5), payload: "{}" });
    console.log(answer + " " + id + " k" + (n % 5));
  };
  const adder = async () => {
    for (let n = 0; ; n += 3) {
      await Promise.all([add(n), add(n + 1), add(n + 2)]);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const taker = async () => {
    for (;;) {
      const job = await inbox.take("intake", Date.now());
      if (job === null) { await new Promise((resolve) => setImmediate(resolve)); continue; }
      console.log("took " + job.id + " " + job.key);
      await inbox.done(job);
      console.log("done " + job.id + " " + job.key);
    }
  };
  await Promise.all([adder(), taker(), taker(), taker()]);`;

test("kill -9 at any moment loses nothing that was acknowledged and brings back nothing that was done", {
  timeout: LONG ? 600_000 : 60_000,
}, async () => {
  const file = storeFile();
  const rounds = LONG ? 40 : 3;
  const said: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = startScript(SERVER, file, `${round}`.padStart(3, "0"));
    // Not after a time but after an amount of work, another one each round.
    for (let lines = 0; lines < 60 + ((round * 37) % 250); lines += 1) said.push(await server.line());
    await server.kill();
    said.push(...(await server.rest()));
  }
  const words = said.map((line) => line.split(" "));
  const of = (verb: string) => words.filter(([first]) => first === verb).map(([, id = ""]) => id);
  const [added, done] = [of("added"), of("done")];
  expect(of("known")).toEqual([]);
  expect(new Set(done).size).toBe(done.length);
  expect(done.length).toBeGreaterThan(0);

  const inbox = new SqlInbox(await testStore(file));
  await inbox.reclaim();
  const left = new Set((await inbox.list()).map(({ id }) => id));
  for (const id of added) expect(await inbox.has(id), id).toBe(true);
  expect(done.filter((id) => left.has(id))).toEqual([]);
  // What is neither left nor said to be done was done, and the process died before it could say so.
  const doneSaid = new Set(done);
  const doneUnsaid = added.filter((id) => !left.has(id) && !doneSaid.has(id));
  expect(doneUnsaid.length).toBeLessThanOrEqual(3 * rounds);

  const ended = new Set<string>();
  for (const [verb, id = ""] of words) {
    if (verb === "took") expect(ended.has(id), `${id} came back`).toBe(false);
    if (verb === "done") ended.add(id);
  }
  for (const key of ["k0", "k1", "k2", "k3", "k4"]) {
    const order = words.filter(([verb, , its]) => verb === "done" && its === key).map(([, id]) => id);
    expect(order).toEqual([...order].sort());
  }
});

test("one process takes while others add, and everything comes through once", async () => {
  const file = storeFile();
  const inbox = new SqlInbox(await testStore(file));
  const adders = ["a", "b"].map((name) =>
    startScript(
      `const { openStore } = await built("adapters/store/open-store.js");
       const { SqlInbox } = await built("adapters/store/sql-inbox.js");
       const inbox = new SqlInbox(await openStore(args[0]));
       for (let n = 0; n < 100; n += 1)
         await inbox.add({ id: args[1] + n, name: "x", lane: "work", key: args[1], payload: "{}" });
       console.log("added");`,
      file,
      name,
    ),
  );
  const order: string[] = [];
  await expect
    .poll(
      async () => {
        for (
          let job = await inbox.take("work", Date.now());
          job;
          job = await inbox.take("work", Date.now())
        ) {
          order.push(job.id);
          await inbox.done(job);
        }
        return order.length;
      },
      { timeout: 30_000 },
    )
    .toBe(200);
  for (const name of ["a", "b"])
    expect(order.filter((id) => id.startsWith(name))).toEqual(
      Array.from({ length: 100 }, (_, n) => `${name}${n}`),
    );
  expect(await Promise.all(adders.map((adder) => adder.line()))).toEqual(["added", "added"]);
});
