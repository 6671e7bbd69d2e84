import { expect, test } from "vitest";
import { AppMemory } from "../../../src/adapters/store/app-memory.js";
import { SqlInbox } from "../../../src/adapters/store/sql-inbox.js";
import { LinkAccounts } from "../../../src/app/link/link-accounts.js";
import type { LinkAnswer } from "../../../src/comments/command-parts.js";
import type { CommentJob } from "../../../src/core/model/comment-job.js";
import { TryLater } from "../../../src/ports/try-later.js";
import { testStore } from "../../support/app/store.js";

const HOST = "https://github.com";
const COMMENT = "comment 5";
const MARIA = { login: "maria", id: 17, type: "User" };

const JOB: CommentJob = {
  repository: { fullName: "team/shop", id: 1 },
  installation: 7,
  thread: { number: 3, kind: "issue" },
  comment: {
    kind: "comment",
    id: 5,
    url: `${HOST}/c/5`,
    createdAt: "2026-01-02T03:04:05Z",
    body: "/koryph link",
  },
  author: MARIA,
  viaApp: null,
};

class Killed extends Error {}

/** A server that ends at one of the moments before and after its effects, and never says anything after that. */
class Death {
  readonly #at: number;
  #moment = 0;
  /** After what it ended; empty while it lives. */
  after = "";

  constructor(at: number) {
    this.#at = at;
  }

  /** The same object, each of whose doings is an effect. */
  around<T extends object>(object: T): T {
    const act = (name: string, run: () => unknown) => this.#act(name, run);
    return new Proxy(object, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => act(String(name), () => value.apply(target, args));
      },
    });
  }

  async #act(name: string, run: () => unknown): Promise<unknown> {
    this.#pass("");
    const result = await run();
    this.#pass(name);
    return result;
  }

  #pass(name: string): void {
    if (this.#moment === this.#at) this.after ||= name || "nothing";
    this.#moment += 1;
    if (this.#moment > this.#at) throw new Killed();
  }
}

/** GitHub and a person who enters whatever code she is shown. A token is given once. */
function gitHub() {
  let begun = 0;
  const given = new Set<string>();
  const page = { replies: 0, shown: null as LinkAnswer | null };
  const says = (answer: LinkAnswer | null) => (answer?.kind === "said" ? answer.said : "");
  const logins = {
    start: async () => {
      begun += 1;
      const [deviceCode, userCode] = [`device-${begun}`, `CODE-${begun}`];
      return {
        deviceCode,
        userCode,
        verificationUrl: `${HOST}/login`,
        expiresSeconds: 900,
        intervalSeconds: 5,
      };
    },
    ask: async (_: string, { deviceCode }: { readonly deviceCode: string }) => {
      if (given.has(deviceCode)) return { kind: "expired" as const };
      const entered = says(page.shown)
        .replaceAll("&#45;", "-")
        .includes(deviceCode.replace("device", "CODE"));
      if (!entered) return { kind: "pending" as const, intervalSeconds: 5 };
      given.add(deviceCode);
      return { kind: "token" as const, token: { token: "ghu_1", expiresSeconds: null, refreshToken: null } };
    },
    owner: async () => MARIA,
  };
  const thread = {
    reply: async (answer: LinkAnswer) => {
      page.replies += page.shown === null ? 1 : 0;
      page.shown = answer;
    },
  };
  return { page, logins, thread };
}

/** The code of a reply is only ever on record as what the reply shows, so a life of the server is: answer, then poll. */
async function live(death: Death, world: Awaited<ReturnType<typeof openWorld>>): Promise<void> {
  const { github, clock } = world;
  const [memory, inbox] = [death.around(world.memory), death.around(world.inbox)];
  const thread = death.around(github.thread);
  const linking = new LinkAccounts({
    logins: death.around(github.logins),
    memory,
    inbox,
    onAdded: () => {},
    clientId: async () => "Iv1.client",
    host: HOST,
    key: Buffer.alloc(32, 7),
    now: () => clock.now,
    tell: (_, outcome) => thread.reply(outcome),
  });
  await world.inbox.reclaim();
  if (!(await world.memory.handled(COMMENT))) {
    await thread.reply(await linking.begin(JOB));
    await memory.markHandled(COMMENT, clock.now);
  }
  for (let turn = 0; turn < 10; turn += 1) {
    clock.now += 6000;
    const job = await world.inbox.take("work", clock.now);
    if (job === null) return;
    try {
      await linking.poll(job);
      await inbox.done(job);
    } catch (error) {
      if (!(error instanceof TryLater)) throw error;
      await inbox.postpone(job, error.notBefore, error.message);
    }
  }
  throw new Error("the login never ends");
}

async function openWorld() {
  const store = await testStore();
  const clock = { now: Date.parse("2026-01-02T03:04:05Z") };
  return {
    clock,
    github: gitHub(),
    memory: new AppMemory(store),
    inbox: new SqlInbox(store, () => clock.now),
  };
}

test("wherever the server dies, the next one ends the login and tells how it ended, as it is", async () => {
  const lost: string[] = [];
  for (let at = 0; ; at += 1) {
    const world = await openWorld();
    const death = new Death(at);
    const died = await live(death, world).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Killed) return true;
        throw error;
      },
    );
    if (died) await live(new Death(Number.POSITIVE_INFINITY), world);
    const account = await world.memory.account(HOST, MARIA.id);
    const { page } = world.github;
    expect(page.replies).toBe(1);
    expect(await world.inbox.list(), `died after ${death.after}`).toEqual([]);
    if (account === null) {
      expect(page.shown).toMatchObject({ code: "link_expired" });
      lost.push(death.after);
    } else {
      expect(page.shown).toMatchObject({ kind: "said", said: expect.stringContaining("is linked") });
    }
    if (!died) break;
    expect(at).toBeLessThan(200);
  }
  // What GitHub said once and nobody wrote down is all that can be lost: before the answer came, and before it was kept.
  expect(lost).toEqual(["ask", "nothing"]);
});
