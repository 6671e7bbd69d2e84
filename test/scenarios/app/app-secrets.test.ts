import { expect } from "vitest";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { openStore } from "../../../src/adapters/store/open-store.js";
import { runStarted, slotDispatched, slotStarted } from "../../support/app/app-events.js";
import { type AppWorld, scenario } from "../../support/app/app-world.js";

const SECRET = `ghp_${"s3cret".repeat(6)}`;

/** Every row of every table in the App's database. */
async function stored(world: AppWorld): Promise<string> {
  const store = await openStore(new KoryphHome(world.home).appStore);
  try {
    const tables = [
      "accounts",
      "comments",
      "decisions",
      "jobs",
      "meta",
      "redeliveries",
      "replies",
      "uses",
    ] as const;
    const rows = await Promise.all(tables.map((table) => store.db.selectFrom(table).selectAll().execute()));
    return JSON.stringify(rows);
  } finally {
    await store.close();
  }
}

scenario("a secret in a command is repeated nowhere", async (world) => {
  const issue = await world.as("maria").opens("Sell shoes");
  await world.record(runStarted(), slotDispatched(`gh-${issue}`, "Shoes"), slotStarted(`gh-${issue}`));
  const bodies = [
    [`hold the key is ${SECRET}`, `nudge use ${SECRET} to log in`, `nudge ${"x".repeat(98)} ${SECRET}`],
    [`resize ${SECRET}`, `resize max=${SECRET}`, SECRET, `help ${SECRET}`, `status ${SECRET}`],
    [`stop ${SECRET}`, `hold bead=${SECRET}`, `drain ${SECRET}`, "status password =s3crets3cret"],
  ].map((calls) => calls.map((call) => `/koryph ${call}`).join("\n"));
  const asked: number[] = [];
  for (const body of bodies) asked.push(await world.as("maria").says(issue, body));
  await world.as("maria").edits(asked[0] ?? 0, "nothing to see");
  await world.settled();
  const replies = world.replies(issue);
  expect(replies[0]).toContain("`/koryph hold the key is [redacted]`");
  expect(replies[1]).toContain("found `[redacted]`, needed is a whole number");
  expect(replies[1]).toContain("there is no command `[redacted]`");
  expect(replies[2]).toContain("found `[redacted]`, needed is the id of a bead");
  const known = /s3crets3cret/;
  for (const reply of replies) expect(reply).not.toMatch(known);
  expect(await stored(world)).not.toMatch(known);
  expect((await world.events()).map(({ line }) => line).join()).not.toMatch(known);
  // At the finest level the log has whole requests.
  const coarser = world.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 30);
  expect(coarser.join()).not.toMatch(known);
});

const COSTLY = "[a](".repeat(3_000);

scenario("a comment that would take too long to read is told so by a reaction, once", async (world) => {
  const number = await world.opensAgentPull("shoes");
  const plain = await world.as("rita").says(number, COSTLY);
  const asked = await world.as("rita").says(number, `/koryph status\n${COSTLY}`);
  world.sandbox.faults.add({ webhooks: "lost", by: "rita", times: 1 });
  const lost = await world.as("rita").says(number, `${COSTLY}\n/koryph status`);
  await world.stop();
  await world.start();
  await expect.poll(() => world.reactions(number, lost)).toEqual(["confused"]);
  await world.settled();
  expect(world.reactions(number, asked)).toEqual(["confused"]);
  expect(world.reactions(number, plain)).toEqual([]);
  expect(world.replies(number)).toEqual([]);
  const lines = world.log.filter((line) => line.includes("did not read a comment for commands"));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    [asked, lost].map(() => ({ level: 30, by: "rita", thread: `team/shop#${number}` })),
  );
});
