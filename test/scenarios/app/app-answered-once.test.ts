import { copyFile, rm } from "node:fs/promises";
import { describe, expect } from "vitest";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { openLog } from "../../../src/app/http/server-log.js";
import { readSettings } from "../../../src/app/serve/read-settings.js";
import { startApp } from "../../../src/app/start-app.js";
import { runStarted } from "../../support/app/app-events.js";
import { type AppWorld, scenario } from "../../support/app/app-world.js";
import { tempFolder } from "../../support/temp-folder.js";

const KNOWN = "a comment has its answer already";

function told(log: readonly string[], words: string): number {
  return log.filter((line) => line.includes(words)).length;
}

/** The App's database as it is now, put back when the returned function is called; the server runs before and after. */
async function backup(world: AppWorld): Promise<() => Promise<void>> {
  const { appStore } = new KoryphHome(world.home);
  const copy = `${tempFolder()}.db`;
  await world.stop();
  await copyFile(appStore, copy);
  await world.start();
  return async () => {
    await world.stop();
    for (const suffix of ["-wal", "-shm"]) await rm(`${appStore}${suffix}`, { force: true });
    await copyFile(copy, appStore);
    await rm(copy);
    await world.start();
  };
}

async function lookedAt(world: AppWorld, log: readonly string[] = world.log): Promise<void> {
  await expect.poll(() => told(log, KNOWN)).toBe(1);
  await world.settled();
}

describe("an old copy of the database is put back, and the sweep finds what was answered since", () => {
  scenario("a refused command is not carried out on a run that began after it", async (world) => {
    const number = await world.opensAgentPull("shoes");
    const putBack = await backup(world);
    const asked = await world.as("maria").says(number, "/koryph stop --run");
    await world.record(runStarted());
    await putBack();
    await lookedAt(world);
    expect(world.reply(number)).toContain("no_run");
    expect(world.reactions(number, asked)).toEqual(["eyes", "-1"]);
    expect((await world.state()).requests).toEqual([]);
    // It is known from now on, so the next look costs nothing.
    const looks = () => world.sandbox.requests.filter(({ operation }) => operation === "graphql").length;
    const [before, asking] = [looks(), world.sandbox.requests.length];
    await world.stop();
    await world.start();
    await expect.poll(looks).toBeGreaterThan(before);
    await world.settled();
    const since = world.sandbox.requests.slice(asking).map(({ operation }) => operation);
    expect(since).not.toContain("issues/list-comments");
  });

  for (const kind of ["comment", "review"] as const)
    scenario(
      `a ${kind} whose reply was deleted is known by our reaction to it`,
      async (world) => {
        const number = await world.opensAgentPull("shoes");
        const putBack = await backup(world);
        if (kind === "comment") await world.as("maria").says(number, "/koryph hold");
        else await world.as("maria").reviews(number, { state: "COMMENTED", body: "/koryph hold" });
        expect(world.reply(number)).toContain("is held");
        const issue = world.issue(number);
        issue.comments = issue.comments.filter(({ viaApp }) => viaApp === null);
        await world.as("maria").says(number, "/koryph unhold");
        const events = (await world.events()).length;
        await putBack();
        await expect.poll(() => told(world.log, KNOWN)).toBe(2);
        await world.settled();
        expect(world.reply(number)).toContain("not held any more");
        expect(await world.events()).toHaveLength(events);
      },
      { long: true },
    );

  scenario("what was seen and not answered is answered", async (world) => {
    const number = await world.opensAgentPull("shoes");
    const putBack = await backup(world);
    // Nobody looks before our reaction is there.
    await world.stop();
    world.sandbox.faults.add({ webhooks: "lost", by: "maria", times: 1 });
    const asked = await world.as("maria").writes(number, "/koryph hold");
    const eyes = {
      id: 1,
      content: "eyes",
      user: "koryph[bot]",
      createdAt: new Date().toISOString(),
    } as const;
    world.comment(number, asked)?.reactions.push(eyes);
    await putBack();
    await expect.poll(() => world.reactions(number, asked)).toEqual(["eyes", "+1"]);
    await world.settled();
    expect(world.reply(number)).toContain("is held");
    expect(told(world.log, KNOWN)).toBe(0);
  });
});

scenario(
  "a second server with a home of its own answers nothing that the first has answered",
  async (world) => {
    const number = await world.opensAgentPull("shoes");
    const log: string[] = [];
    const second = async () => {
      const settings = readSettings({ ...world.env, KORYPH_HOME: home }, {});
      const write = (line: string) => log.push(line);
      return startApp(settings, openLog({ level: "debug", format: "json", secrets: [], write }), {
        now: world.clock.now,
      });
    };
    const home = tempFolder();
    await (await second()).stop();
    await world.as("maria").says(number, "/koryph hold");
    const app = await second();
    try {
      await lookedAt(world, log);
    } finally {
      await app.stop();
    }
    expect(world.reply(number)).toContain("is held");
    expect(await world.events()).toHaveLength(1);
  },
  { long: true },
);
