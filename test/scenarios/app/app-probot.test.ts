import { randomUUID } from "node:crypto";
import { Probot } from "probot";
import { expect } from "vitest";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { openStore, type Store } from "../../../src/adapters/store/open-store.js";
import { SqlInbox } from "../../../src/adapters/store/sql-inbox.js";
import { enqueueDeliveries } from "../../../src/app/enqueue.js";
import { type AppWorld, REPOSITORY, scenario } from "../../support/app/app-world.js";
import { APP_KEY } from "../../support/app/sandbox-lab.js";
import { newJob } from "../../support/app/store.js";

async function withInbox(world: AppWorld, act: (inbox: SqlInbox, store: Store) => Promise<void>) {
  const store = await openStore(new KoryphHome(world.home).appStore);
  try {
    await act(new SqlInbox(store, world.clock.now), store);
  } finally {
    await store.close();
  }
}

scenario("an event that nothing reacts to is a dead letter, not done", async (world) => {
  await withInbox(world, async (inbox) => {
    await inbox.add(newJob("1", { name: "star" }));
    await expect
      .poll(() => inbox.list({ state: "dead" }), { timeout: 10_000 })
      .toMatchObject([{ name: "star", error: "nothing reacts to the event star" }]);
  });
});

scenario(
  "somebody else's Probot only puts deliveries into the inbox, and the server answers them",
  async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    world.sandbox.faults.add({ webhooks: "lost", times: 1 });
    const asked = await world.as("maria").writes(issue, "/koryph status");
    const comment = world.comment(issue, asked);
    const payload = {
      action: "created",
      installation: { id: world.sandbox.state.apps[0]?.installations[0]?.id },
      repository: { id: world.repository.id, full_name: REPOSITORY },
      issue: { number: issue },
      comment: {
        id: asked,
        html_url: "https://github.test/1",
        body: comment?.body,
        created_at: comment?.createdAt,
        user: { login: "maria", id: 2, type: "User" },
      },
    };
    await world.stop();
    await withInbox(world, async (inbox) => {
      const theirs = new Probot({ appId: 1, privateKey: APP_KEY, secret: "theirs", logLevel: "fatal" });
      await theirs.load((app) => enqueueDeliveries(app, inbox), { cwd: ".", addHandler: () => {} });
      const event = { id: randomUUID(), name: "issue_comment", payload } as unknown;
      for (const _ of [1, 2]) await theirs.receive(event as Parameters<Probot["receive"]>[0]);
      expect(await inbox.list()).toMatchObject([{ name: "issue_comment", state: "waiting", attempt: 0 }]);
      const nameless = { id: "7", name: "issue_comment", payload } as unknown;
      await expect(theirs.receive(nameless as Parameters<Probot["receive"]>[0])).rejects.toThrow("7 is not");
    });
    expect(world.replies(issue)).toEqual([]);
    await world.start();
    await world.settled();
    expect(world.reply(issue)).toContain("status");
  },
);
