import { describe, expect } from "vitest";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { AppMemory } from "../../../src/adapters/store/app-memory.js";
import { openStore, type Store } from "../../../src/adapters/store/open-store.js";
import { SqlInbox } from "../../../src/adapters/store/sql-inbox.js";
import { USER_CAP } from "../../../src/core/commands/rate.js";
import type { RequestFault } from "../../../src/sandbox/http/faults.js";
import { AppProcess } from "../../support/app/app-process.js";
import { AppWorld, REPOSITORY, scenario, scenariosInOneWorld } from "../../support/app/app-world.js";
import { koryphWith } from "../../support/cli/standing-koryph.js";
import { longTest } from "../../support/long.js";

/** How often the log has it. */
function told(world: AppWorld, words: string): number {
  return world.log.filter((line) => line.includes(words)).length;
}

async function failedOnce(world: AppWorld): Promise<void> {
  const times = () => told(world, "a job failed, and koryph tries it again");
  await expect.poll(times).toBe(1);
}

/** Something goes wrong, the time until the next try passes, and all is done. */
async function triedAgain(world: AppWorld): Promise<void> {
  await failedOnce(world);
  world.clock.pass(10);
  await world.settled();
}

/** How often the bead of an issue was held. */
async function holdEvents(world: AppWorld, issue: number): Promise<number> {
  const lines = await world.events();
  const isHold = (line: string) => line.includes('"hold.placed"') && line.includes(`"gh-${issue}"`);
  return lines.filter(({ line, repeat }) => !repeat && isHold(line)).length;
}

const inOneWorld = scenariosInOneWorld();

describe("a reply of which nobody knows whether it got through", () => {
  for (const then of [502, "cut"] as const)
    inOneWorld(
      `is there once, when the answer to it is ${then}`,
      async (world) => {
        const issue = await world.as("maria").opens("Sell shoes");
        world.sandbox.faults.add({ operation: "issues/create-comment", times: 1, kind: { applyThen: then } });
        const asked = await world.as("walter").writes(issue, "/koryph hold");
        await triedAgain(world);
        expect(world.reply(issue)).toContain("is held");
        expect(world.reactions(issue, asked)).toEqual(["eyes", "+1"]);
        expect(await holdEvents(world, issue)).toBe(1);
      },
      { long: then === "cut" },
    );

  // In a world of its own: where stories went before, the status comment of an earlier issue may meet the fault.
  scenario(
    "is written when it did not",
    async (world) => {
      const issue = await world.as("maria").opens("Sell shoes");
      world.sandbox.faults.add({ operation: "issues/create-comment", times: 1, kind: { cut: true } });
      await world.as("walter").writes(issue, "/koryph hold");
      await triedAgain(world);
      expect(world.reply(issue)).toContain("is held");
      expect(await holdEvents(world, issue)).toBe(1);
    },
    { long: true },
  );
});

describe("GitHub in trouble", () => {
  inOneWorld("a reaction that cannot be given keeps nothing back", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const operation = "reactions/create-for-issue-comment";
    world.sandbox.faults.add({ operation, times: 2, kind: { status: 502 } });
    const asked = await world.as("walter").says(issue, "/koryph hold");
    expect(world.reply(issue)).toContain("is held");
    expect(world.reactions(issue, asked)).toEqual([]);
    expect(await holdEvents(world, issue)).toBe(1);
  });

  for (const status of [403, 429])
    inOneWorld(
      `a limit that is told with ${status} is waited for, and then it goes on`,
      async (world) => {
        const issue = await world.as("maria").opens("Sell shoes");
        const kind = { status, secondary: true, retryAfterSeconds: 1 };
        world.sandbox.faults.add({ operation: "issues/create-comment", times: 1, kind });
        const asked = await world.as("walter").says(issue, "/koryph hold");
        // The limit is for all that the App does: errands of its own that are due in that second wait as well.
        const waited = world.log.filter((line) => line.includes("a job has to wait"));
        expect(waited.filter((line) => line.includes('"issue_comment"'))).toHaveLength(1);
        for (const line of waited) expect(line).toMatch(/"name":"(issue_comment|koryph\.(beads|outcome))"/);
        expect(world.replies(issue)).toEqual([expect.stringContaining("is held")]);
        expect(world.reactions(issue, asked)).toEqual(["eyes", "+1"]);
      },
      { long: status === 429 },
    );

  scenario(
    "what somebody writes while a comment of theirs waits does not count against it",
    async (world) => {
      const issue = await world.as("maria").opens("Sell shoes");
      world.sandbox.faults.add({ operation: "issues/create-comment", times: 1, kind: { status: 502 } });
      await world.as("walter").writes(issue, "/koryph hold");
      await failedOnce(world);
      await withStore(world, async (store) => {
        const use = {
          repository: REPOSITORY,
          user: "walter",
          thread: 99,
          at: world.clock.now(),
          refused: false,
        };
        for (let id = 1; id <= USER_CAP.most; id += 1)
          await new AppMemory(store).use({ ...use, comment: `comment ${id}` });
      });
      world.clock.pass(10);
      await world.settled();
      expect(world.reply(issue)).toContain("is held");
    },
    { long: true },
  );
});

describe("a ledger that cannot be reached", () => {
  const kinds: { name: string; fault: RequestFault }[] = [
    {
      name: "git is not answered",
      fault: { operation: "git-info-refs", times: 1, kind: { status: 503 } },
    },
    {
      name: "the push is turned away again and again",
      fault: { operation: "git-receive-pack", times: 4, kind: { status: 502 } },
    },
  ];
  for (const { name, fault } of kinds)
    inOneWorld(
      `${name}: it is tried again, and said once it is true`,
      async (world) => {
        const issue = await world.as("maria").opens("Sell shoes");
        world.sandbox.faults.add(fault);
        await world.as("walter").writes(issue, "/koryph hold");
        await triedAgain(world);
        expect(world.reply(issue)).toMatch(/✅.*is held/);
        expect(await holdEvents(world, issue)).toBe(1);
      },
      { long: true },
    );

  inOneWorld(
    "what is on record and not shared yet stands, whatever becomes of the comment and its author",
    async (world) => {
      const issue = await world.as("maria").opens("Sell shoes");
      world.sandbox.faults.add({ operation: "git-receive-pack", times: 4, kind: { status: 502 } });
      const asked = await world.as("walter").writes(issue, "/koryph hold");
      await failedOnce(world);
      await world.as("walter").edits(asked, "never mind");
      world.repository.collaborators.walter = { role: "read" };
      world.clock.pass(10);
      await world.settled();
      expect(world.reply(issue)).toMatch(/✅.*is held/);
      expect(await holdEvents(world, issue)).toBe(1);
      world.repository.collaborators.walter = { role: "write" };
    },
    { long: true },
  );

  inOneWorld("a push that arrived although it looked otherwise is not made again", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const before = await world.events();
    world.sandbox.faults.add({ operation: "git-receive-pack", times: 1, kind: { applyThen: 502 } });
    await world.as("walter").says(issue, "/koryph hold");
    expect(world.reply(issue)).toMatch(/✅.*is held/);
    expect(await world.events()).toHaveLength(before.length + 1);
  });
});

describe("a webhook that did not come", () => {
  inOneWorld("is made up for on an agent's pull request by looking there", async (world) => {
    const { sandbox } = world;
    await sandbox.commit(REPOSITORY, "agent/shoes", { "shoes.txt": "shoes\n" });
    const { number } = await sandbox.openPull(REPOSITORY, {
      author: "walter",
      head: "agent/shoes",
      title: "Shoes",
    });
    sandbox.faults.add({ webhooks: "lost", by: "walter", times: 1 });
    const asked = await world.as("walter").says(number, "/koryph hold");
    expect(world.replies(number)).toEqual([]);
    await world.stop();
    await world.start();
    await expect.poll(() => world.reactions(number, asked)).toEqual(["eyes", "+1"]);
    await world.settled();
    expect(world.reply(number)).toContain("`shoes` is held");
  });

  inOneWorld(
    "is asked for again where GitHub knows that it failed",
    async (world) => {
      const issue = await world.as("maria").opens("Sell shoes");
      world.sandbox.faults.add({ webhooks: "failed", times: 1 });
      const asked = await world.as("walter").says(issue, "/koryph hold");
      expect(world.replies(issue)).toEqual([]);
      await world.stop();
      await world.start();
      await expect.poll(() => world.reactions(issue, asked)).toEqual(["eyes", "+1"]);
      await world.settled();
      expect(world.reply(issue)).toContain("is held");
    },
    { long: true },
  );

  inOneWorld("because the App was down: all is answered once when it is back", async (world) => {
    const issues = [
      await world.as("maria").opens("Sell shoes"),
      await world.as("maria").opens("Sell shirts"),
    ];
    await world.stop();
    const asked: { issue: number; id: number }[] = [];
    for (const issue of issues) {
      for (const login of ["walter", "maria"])
        asked.push({ issue, id: await world.as(login).writes(issue, `/koryph hold says ${login}`) });
    }
    await world.sandbox.settled();
    await world.start();
    const answers = () => asked.map(({ issue, id }) => world.reactions(issue, id));
    await expect.poll(answers).toEqual(asked.map(() => ["eyes", "+1"]));
    await world.settled();
    for (const issue of issues) {
      expect(world.replies(issue)).toHaveLength(2);
      expect(await holdEvents(world, issue)).toBe(2);
    }
  });
});

describe("a job that keeps failing", () => {
  scenario("is given up, is seen by the operator, and is done when they say so", async (world) => {
    const koryph = (...args: string[]) =>
      koryphWith({ KORYPH_HOME: world.home }, world.home, "inbox", ...args);
    const issue = await world.as("maria").opens("Sell shoes");
    world.sandbox.faults.add({ operation: "repos/get-content", times: 1_000, kind: { status: 500 } });
    await world.as("walter").writes(issue, "/koryph hold");
    await failedOnce(world);
    await world.stop();
    await nextIsTheLast(world);
    await world.start();
    await expect.poll(() => told(world, "koryph gave a job up")).toBe(1);
    expect((await koryph("list", "--dead")).stdout).toMatch(
      new RegExp(`given up after 14 tries +${REPOSITORY}#${issue} `),
    );
    expect(world.replies(issue)).toEqual([]);

    world.sandbox.faults.clear();
    expect((await koryph("retry", "--all-dead")).code).toBe(0);
    await expect.poll(() => world.replies(issue)).toHaveLength(1);
    await world.settled();
    expect((await koryph("list", "--dead")).stdout).not.toContain("given up after");
  });
});

describe("a disk that is full", () => {
  longTest(
    "what cannot be kept is answered with 503, and everything is answered once when there is room",
    async () => {
      const world = await AppWorld.open();
      try {
        const app = await AppProcess.open(world);
        await app.start({ mostBlocks: 1_024 });
        const issue = await world.as("maria").opens("Sell shoes");
        const asked: number[] = [];
        const { deliveries } = world.sandbox.state;
        while (!deliveries.some(({ statusCode }) => statusCode === 503)) {
          expect(asked.length).toBeLessThan(20);
          asked.push(
            await world
              .as("walter")
              .writes(
                issue,
                `/koryph hold reason ${asked.length}\n\n\`\`\`\n${"All of it. ".repeat(5_000)}\n\`\`\``,
              ),
          );
          await world.sandbox.settled();
        }
        await app.kill();
        await app.start();
        const answers = () => asked.map((id) => world.reactions(issue, id));
        await expect.poll(answers, { timeout: 30_000 }).toEqual(asked.map(() => ["eyes", "+1"]));
        await app.settled(20_000);
        expect(world.replies(issue)).toHaveLength(asked.length);
        expect(await holdEvents(world, issue)).toBe(asked.length);
        expect(world.sandbox.problems).toEqual([]);
      } finally {
        await world.close();
      }
    },
  );
});

/** As after an hour of failures. */
function nextIsTheLast(world: AppWorld): Promise<void> {
  return withStore(world, async (store) => {
    const inbox = new SqlInbox(store);
    const job = await inbox.take("intake", Number.MAX_SAFE_INTEGER);
    if (job === null) throw new Error("there is no job");
    await inbox.postpone({ ...job, attempt: 13 }, 0, "GitHub was away");
  });
}

/** The App's database, as another process may have it open. */
async function withStore(world: AppWorld, action: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(new KoryphHome(world.home).appStore);
  try {
    await action(store);
  } finally {
    await store.close();
  }
}
