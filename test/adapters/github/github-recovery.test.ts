import nock from "nock";
import { afterEach, describe, expect, test, vi } from "vitest";
import { HookDeliveries } from "../../../src/adapters/github/hook-deliveries.js";
import { readOpenPulls } from "../../../src/adapters/github/open-pulls.js";
import { redeliver } from "../../../src/app/recovery/redeliver.js";
import { repeat } from "../../../src/app/recovery/repeat.js";
import { type SweepPlace, sweepComments } from "../../../src/app/recovery/sweep-comments.js";
import { readCommands } from "../../../src/core/commands/read-commands.js";
import { readKeptComment } from "../../../src/core/model/comment-job.js";
import type { DeliveryAttempt } from "../../../src/core/recovery/choose-redeliveries.js";
import { chooseSwept, type SweptPull } from "../../../src/core/recovery/choose-swept.js";
import type { NewJob } from "../../../src/ports/inbox.js";
import { TryLater } from "../../../src/ports/try-later.js";
import {
  API,
  closeNetwork,
  endNock,
  giveToken,
  INSTALLATION,
  nockWorld,
} from "../../support/app/github-nock.js";

vi.mock("../../../src/core/commands/read-commands.js", { spy: true });

closeNetwork();
afterEach(() => expect(endNock()).toEqual([]));

const NOW = Date.parse("2026-01-10T00:00:00Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const { signal } = new AbortController();
const time = (ms: number) => new Date(ms).toISOString();

describe("deliveries as GitHub lists them", () => {
  /** As text: a delivery's id is larger than a number can be. */
  const listed = (id: string, deliveredAt: number) =>
    `{"id":${id},"guid":"g${id}","delivered_at":"${time(deliveredAt)}","status":"x","status_code":502}`;
  const page = (cursor: string | null, next: string | null, ...entries: string[]) =>
    nock(API)
      .get("/app/hook/deliveries")
      .query({ per_page: 100, ...(cursor && { cursor }) })
      .reply(200, `[${entries.join()}]`, {
        "content-type": "application/json",
        ...(next && { link: `<${API}/app/hook/deliveries?per_page=100&cursor=${next}>; rel="next"` }),
      });
  const ids = async (since: number) => {
    const found = await new HookDeliveries(nockWorld().app).since(since);
    return found.map(({ id }) => id);
  };

  test("are read page by page until they are too old, ids to the last digit", async () => {
    page(null, "c1", listed("90071992547409931", NOW));
    page("c1", "c2", listed("90071992547409929", NOW - MINUTE), listed("2", NOW - 2 * DAY));
    page("c2", "c3", listed("1", NOW - 3 * DAY));
    expect(await ids(NOW - DAY)).toEqual(["90071992547409931", "90071992547409929"]);
  });

  test("are read to the last page", async () => {
    page(null, "c1", listed("2", NOW));
    page("c1", null, listed("1", NOW));
    expect(await ids(0)).toEqual(["2", "1"]);
  });

  test("are not read in circles", async () => {
    page(null, "c1", listed("2", NOW));
    page("c1", "c1", listed("2", NOW));
    expect(await ids(0)).toEqual(["2"]);
  });

  test.each([
    { status: 202, outcome: "asked" },
    { status: 404, outcome: "gone" },
    { status: 422, outcome: "gone" },
  ])("are asked for again: $status means $outcome", async ({ status, outcome }) => {
    nock(API).post("/app/hook/deliveries/90071992547409931/attempts").reply(status, {});
    expect(await new HookDeliveries(nockWorld().app).askAgain("90071992547409931")).toBe(outcome);
  });

  test("one that lay in the inbox for long is found further back, as GitHub sent it", async () => {
    page(null, "c1", listed("2", NOW));
    page("c1", "c2", listed("1", NOW - MINUTE));
    nock(API)
      .get("/app/hook/deliveries/1")
      .reply(200, { event: "check_run", request: { payload: { action: "requested_action" } } });
    expect(await new HookDeliveries(nockWorld().app).sent("G1")).toEqual({
      event: "check_run",
      at: NOW - MINUTE,
      payload: { action: "requested_action" },
    });
  });

  test("are asked for again: 502 is an error", async () => {
    nock(API).post("/app/hook/deliveries/1/attempts").reply(502, {});
    await expect(new HookDeliveries(nockWorld().app).askAgain("1")).rejects.toMatchObject({ status: 502 });
  });
});

describe("deliveries asked for again", () => {
  function lab(attempts: DeliveryAttempt[]) {
    const asked = new Map<string, number>();
    const sweeps = new Map<string, number>();
    const again: string[] = [];
    const sinces: number[] = [];
    const inbox = new Set<string>();
    const lab = { now: NOW, fail: (_: string): Error | null => null, again, sinces, inbox, asked, sweeps };
    const run = () =>
      redeliver(
        {
          deliveries: {
            since: async (since) => {
              sinces.push(since);
              return attempts.filter(({ deliveredAt }) => deliveredAt >= since);
            },
            askAgain: async (id) => {
              const error = lab.fail(id);
              if (error) throw error;
              again.push(id);
              return "asked";
            },
          },
          inbox: { has: async (id) => inbox.has(id) },
          memory: {
            asked: async (guid) => asked.get(guid) ?? 0,
            noteAsked: async (guid) => void asked.set(guid, (asked.get(guid) ?? 0) + 1),
            lastSweep: async (name) => sweeps.get(name) ?? null,
            noteSweep: async (name, at) => void sweeps.set(name, at),
          },
          now: () => lab.now,
        },
        signal,
      );
    return Object.assign(lab, { run });
  }
  const failed = (id: string, guid: string, deliveredAt = NOW - MINUTE): DeliveryAttempt => ({
    ...{ id, guid, deliveredAt, statusCode: 502 },
  });

  test("asks for what failed, and not for what the inbox has in spite of that", async () => {
    const world = lab([failed("1", "A-1"), failed("2", "B-2")]);
    world.inbox.add("b-2");
    expect(await world.run()).toBe(1);
    expect(world.again).toEqual(["1"]);
  });

  test("gives up on an event after five times", async () => {
    const world = lab([failed("1", "a")]);
    for (let round = 0; round < 7; round += 1) await world.run();
    expect(world.again).toEqual(["1", "1", "1", "1", "1"]);
  });

  test("looks back three days at first, then only to a while before the last round", async () => {
    const world = lab([]);
    await world.run();
    world.now += 5 * MINUTE;
    await world.run();
    expect(world.sinces).toEqual([NOW - 3 * DAY, NOW - 30 * MINUTE]);
  });

  test("looks back three days when the last round was noted while the clock ran ahead", async () => {
    const world = lab([failed("1", "a", NOW - DAY)]);
    world.sweeps.set("deliveries", NOW + DAY);
    expect(await world.run()).toBe(1);
    expect([world.sinces, world.sweeps.get("deliveries")]).toEqual([[NOW - 3 * DAY], NOW]);
  });

  test("one that cannot be asked for keeps none of the others back, and is tried again", async () => {
    const world = lab([failed("1", "a", NOW - 3 * MINUTE), failed("2", "b")]);
    world.fail = (id) => (id === "1" ? new Error("502") : null);
    await expect(world.run()).rejects.toThrow("1 of 2");
    expect([world.again, world.asked.get("a"), world.sweeps.size]).toEqual([["2"], undefined, 0]);
  });

  test("a limit ends the round", async () => {
    const world = lab([failed("1", "a", NOW - 3 * MINUTE), failed("2", "b")]);
    world.fail = () => new TryLater("limit", NOW + 1);
    await expect(world.run()).rejects.toThrow(TryLater);
    expect(world.again).toEqual([]);
  });
});

describe("pull requests as GitHub shows them", () => {
  const author = { __typename: "User", login: "alice", databaseId: 3 };
  const comment = {
    ...{ fullDatabaseId: "3000000005", body: "/koryph status", createdAt: time(NOW), lastEditedAt: null },
    ...{ url: "https://github.test/5", author },
  };
  const pull = (number: number, given: object = {}) => ({
    ...{ number, headRefName: `agent/${number}`, updatedAt: time(NOW) },
    ...{ comments: { nodes: [] }, reviews: { nodes: [] }, ...given },
  });
  const page = (after: string | null, endCursor: string | null, ...nodes: object[]) =>
    nock(API)
      .post("/graphql", ({ variables }) => variables !== undefined && variables.after === after)
      .reply(200, {
        data: {
          repository: {
            databaseId: 2,
            pullRequests: { pageInfo: { hasNextPage: endCursor !== null, endCursor }, nodes },
          },
        },
      });
  const read = (since: number) => {
    giveToken();
    return readOpenPulls(nockWorld().app, { installation: INSTALLATION, repository: "o/r" }, since);
  };

  test("bring what people wrote, with ids beyond 32 bits", async () => {
    const review = { ...comment, createdAt: undefined, submittedAt: time(NOW), fullDatabaseId: "6" };
    page(null, null, pull(1, { comments: { nodes: [comment] }, reviews: { nodes: [review] } }));
    const [found] = await read(0);
    expect(found?.repositoryId).toBe(2);
    expect(found?.texts.map(({ kind, id, author: by }) => [kind, id, by.id])).toEqual([
      ["comment", 3_000_000_005, 3],
      ["review", 6, 3],
    ]);
  });

  test.each([
    { name: "a bot", given: { author: { __typename: "Bot", login: "koryph" } } },
    { name: "a deleted account", given: { author: null } },
  ])("leave out what $name wrote", async ({ given }) => {
    page(null, null, pull(1, { comments: { nodes: [{ ...comment, ...given }] } }));
    expect((await read(0))[0]?.texts).toEqual([]);
  });

  test("are read page by page, as long as there is news", async () => {
    page(null, "c1", pull(1), pull(2));
    page("c1", "c2", pull(3), pull(4, { updatedAt: time(NOW - DAY) }));
    expect((await read(NOW - MINUTE)).map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  test("that cannot be read are an error", async () => {
    nock(API)
      .post("/graphql")
      .reply(200, {
        data: { repository: null },
        errors: [{ type: "NOT_FOUND", message: "no such repository" }],
      });
    await expect(read(0)).rejects.toThrow("no such repository");
  });
});

describe("the sweep", () => {
  const text = {
    ...{ kind: "comment" as const, id: 5, url: "u", createdAt: time(NOW - MINUTE), body: "/koryph status" },
    ...{ edited: false, author: { login: "alice", id: 3, type: "User" } },
  };
  function lab(pullsOf: (place: SweepPlace) => readonly SweptPull[], repositories = ["O/R"]) {
    const jobs = new Map<string, NewJob>();
    const handled = new Set<string>();
    const troubles: string[] = [];
    const woken: string[] = [];
    async function* places() {
      for (const repository of repositories) yield { installation: 7, repository };
    }
    const run = () =>
      sweepComments(
        {
          places,
          owed: async (place, facts) => chooseSwept(pullsOf(place), facts),
          inbox: {
            add: async (job) => {
              if (jobs.has(job.id)) return "known";
              jobs.set(job.id, job);
              return "added";
            },
          },
          memory: { handled: async (key) => handled.has(key), bornAt: async () => 0 },
          onAdded: (lane) => woken.push(lane),
          onTrouble: (what) => troubles.push(what),
          now: () => NOW,
        },
        signal,
      );
    return { jobs, handled, troubles, woken, run };
  }
  const pull = { repositoryId: 2, number: 1, branch: "agent/gh-1", texts: [text] };

  test("puts a comment nobody told of in its thread's line, once", async () => {
    const world = lab(() => [pull]);
    expect([await world.run(), await world.run()]).toEqual([1, 0]);
    const [job] = [...world.jobs.values()];
    expect(job).toMatchObject({ id: "koryph.comment comment 5", lane: "intake", key: "o/r#1" });
    expect(readKeptComment(JSON.parse(job?.payload ?? ""))).toMatchObject({
      repository: { fullName: "O/R", id: 2 },
      comment: { id: 5 },
    });
    expect(world.woken).toEqual(["intake"]);
  });

  test("leaves alone what was handled, without reading it", async () => {
    const world = lab(() => [pull]);
    world.handled.add("comment 5");
    vi.mocked(readCommands).mockClear();
    expect(await world.run()).toBe(0);
    expect(readCommands).not.toHaveBeenCalled();
  });

  test.each([
    { name: "takes a wrong command", body: "/koryph statsu", found: 1 },
    { name: "leaves alone what has no command", body: "looks good", found: 0 },
    { name: "leaves alone what is quoted", body: "> /koryph status", found: 0 },
  ])("$name", async ({ body, found }) => {
    expect(await lab(() => [{ ...pull, texts: [{ ...text, body }] }]).run()).toBe(found);
  });

  test("goes on after a repository that cannot be read", async () => {
    const world = lab(
      ({ repository }) => {
        if (repository === "o/broken") throw new Error("502");
        return [pull];
      },
      ["o/broken", "o/r"],
    );
    expect(await world.run()).toBe(1);
    expect(world.troubles).toEqual(["o/broken"]);
  });
});

describe("rounds", () => {
  test("come at once and again and again, never two at a time, and end when asked", async () => {
    let running = 0;
    let most = 0;
    let rounds = 0;
    const repeating = repeat(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        rounds += 1;
      },
      { everyMs: 1, now: Date.now },
    );
    await vi.waitFor(() => expect(rounds).toBeGreaterThan(3), { timeout: 5_000, interval: 5 });
    await repeating.stop();
    const ended = rounds;
    await new Promise((resolve) => setImmediate(resolve));
    expect([most, running, rounds]).toEqual([1, 0, ended]);
  });

  test("come when the clock says so, also after it was put ahead or back", async () => {
    let now = NOW;
    let rounds = 0;
    const repeating = repeat(
      async () => {
        rounds += 1;
      },
      { everyMs: 10 * MINUTE, now: () => now },
    );
    const come = (count: number) =>
      vi.waitFor(() => expect(rounds).toBe(count), { timeout: 30_000, interval: 5 });
    await come(1);
    now += 10 * MINUTE;
    await come(2);
    now -= DAY;
    await come(3);
    await repeating.stop();
    expect(rounds).toBe(3);
  });

  test("wait for the one in hand when they end", async () => {
    let finish = () => {};
    let done = false;
    const repeating = repeat(
      async (stopping) => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        done = stopping.aborted;
      },
      { everyMs: 1, now: Date.now },
    );
    const stopped = repeating.stop();
    finish();
    await stopped;
    expect(done).toBe(true);
  });
});
