import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import nock from "nock";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { boundedFetch } from "../../../src/adapters/github/bounded-fetch.js";
import { readRateLimit } from "../../../src/adapters/github/rate-limit.js";
import { pacesFor, WritePace } from "../../../src/adapters/github/write-pace.js";
import { TryLater } from "../../../src/ports/try-later.js";
import {
  API,
  closeNetwork,
  endNock,
  giveToken,
  INSTALLATION,
  nockWorld,
  TOKEN,
} from "../../support/app/github-nock.js";

closeNetwork();
afterEach(() => {
  vi.useRealTimers();
  expect(endNock()).toEqual([]);
});

const REPO = { owner: "o", repo: "r" };

describe("limits", () => {
  const resetsIn = (seconds: number, now: number) => `${Math.floor(now / 1000) + seconds}`;

  test.each([
    { name: "retry-after", status: 403, headers: { "retry-after": "30" }, waits: 30 },
    { name: "429 without a word", status: 429, headers: {}, waits: 60 },
    {
      name: "a secondary limit that names no time",
      status: 403,
      headers: {},
      body: { message: "You have exceeded a secondary rate limit." },
      waits: 60,
    },
    { name: "a time that is absurd", status: 429, headers: { "retry-after": "99999999" }, waits: 3600 },
  ])("$name becomes TryLater", async ({ status, headers, body = {}, waits }) => {
    const world = nockWorld();
    giveToken();
    nock(API).get("/repos/o/r").reply(status, body, headers);
    const octokit = await world.app.asInstallation(INSTALLATION);

    const error = await octokit.request("GET /repos/{owner}/{repo}", REPO).catch((caught) => caught);

    expect(error).toBeInstanceOf(TryLater);
    expect(error.notBefore).toBe(world.now + waits * 1000);
  });

  test("a used-up quota lasts until GitHub's own clock says it is over", () => {
    const now = 1_000_000_000_000;
    const date = new Date(now + 500_000).toUTCString();
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": resetsIn(600, now), date };
    expect(readRateLimit({ status: 403, headers, data: {} }, now)).toBe(now + 101_000);
  });

  test.each([
    { name: "a refusal for lack of permission", status: 403, data: { message: "Resource not accessible" } },
    { name: "an error of the server", status: 502, data: "<html>" },
    { name: "a good answer", status: 200, data: { errors: [{ type: "NOT_FOUND" }] } },
  ])("$name is no limit", ({ status, data }) => {
    const headers = { "x-ratelimit-remaining": "4000" };
    expect(readRateLimit({ status, headers, data }, 0)).toBeNull();
  });

  test("after a limit nothing of that installation is asked until it is over", async () => {
    const world = nockWorld();
    giveToken();
    nock(API).get("/repos/o/r").reply(429, {}, { "retry-after": "30" });
    const octokit = await world.app.asInstallation(INSTALLATION);
    await expect(octokit.request("GET /repos/{owner}/{repo}", REPO)).rejects.toThrow(TryLater);

    await expect(octokit.request("GET /repos/{owner}/{repo}", REPO)).rejects.toThrow(TryLater);
    await expect(octokit.graphql("{ viewer { login } }")).rejects.toThrow(TryLater);
    giveToken("ghs_8_other", 8);
    nock(API).get("/repos/o/r").twice().reply(200, { id: 1 });
    await (await world.app.asInstallation(8)).request("GET /repos/{owner}/{repo}", REPO);
    world.now += 30_000;
    await octokit.request("GET /repos/{owner}/{repo}", REPO);
  });

  test("GraphQL's way of saying so is understood, and REST goes on", async () => {
    const world = nockWorld();
    giveToken();
    const reset = resetsIn(100, world.now);
    nock(API)
      .post("/graphql")
      .reply(
        200,
        { errors: [{ type: "RATE_LIMITED", message: "too much" }] },
        {
          "x-ratelimit-remaining": "0",
          "x-ratelimit-reset": reset,
        },
      );
    nock(API).get("/repos/o/r").reply(200, { id: 1 });
    const octokit = await world.app.asInstallation(INSTALLATION);

    const error = await octokit.graphql("{ viewer { login } }").catch((caught: TryLater) => caught);

    expect(error).toBeInstanceOf(TryLater);
    expect(error).toHaveProperty("notBefore", world.now + 101_000);
    await octokit.request("GET /repos/{owner}/{repo}", REPO);
  });
});

describe("what goes wrong on the way", () => {
  test.each([500, 502, 503])("%i is an error like any other, and is not asked again", async (status) => {
    const world = nockWorld();
    giveToken();
    nock(API).post("/repos/o/r/issues/1/comments").reply(status, "<html>unicorn</html>");
    const octokit = await world.app.asInstallation(INSTALLATION);

    const said = octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
      ...REPO,
      issue_number: 1,
      body: "hello",
    });

    await expect(said).rejects.toMatchObject({ status });
    await expect(said).rejects.not.toBeInstanceOf(TryLater);
    expect(world.requests.map((news) => news.status)).toEqual([201, status]);
  });

  test("a connection that fails is told of without a status", async () => {
    const world = nockWorld();
    giveToken();
    nock(API).get("/repos/o/r").replyWithError("socket hang up");
    const octokit = await world.app.asInstallation(INSTALLATION);

    await expect(octokit.request("GET /repos/{owner}/{repo}", REPO)).rejects.toThrow("socket hang up");

    expect(world.requests.at(-1)).toEqual({
      ...{ method: "GET", route: "/repos/{owner}/{repo}", status: null },
      ...{ installation: INSTALLATION, remaining: null },
    });
  });

  test("a token that GitHub forgot is replaced once", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const world = nockWorld();
    const octokit = await world.app.asInstallation(INSTALLATION);
    giveToken("ghs_old");
    nock(API).get("/repos/o/r").reply(200, { id: 1 });
    await octokit.request("GET /repos/{owner}/{repo}", REPO);
    vi.setSystemTime(Date.now() + 600_000);

    nock(API, { reqheaders: { authorization: "token ghs_old" } })
      .get("/repos/o/r")
      .reply(401, {});
    giveToken("ghs_new");
    nock(API, { reqheaders: { authorization: "token ghs_new" } })
      .get("/repos/o/r")
      .reply(200, { id: 2 });

    expect((await octokit.request("GET /repos/{owner}/{repo}", REPO)).data.id).toBe(2);
  });

  test("where GitHub gives no token, the error is that one, told once", async () => {
    const world = nockWorld();
    nock(API).post(`/app/installations/${INSTALLATION}/access_tokens`).reply(404, { message: "Not Found" });
    const octokit = await world.app.asInstallation(INSTALLATION);

    await expect(octokit.request("GET /repos/{owner}/{repo}", REPO)).rejects.toMatchObject({ status: 404 });

    expect(world.requests.map(({ route, status }) => `${route} ${status}`)).toEqual([
      "/app/installations/{installation_id}/access_tokens 404",
    ]);
  });
});

describe("what was read before", () => {
  test("is asked for with its ETag, and a 304 is answered from memory", async () => {
    const world = nockWorld();
    giveToken();
    nock(API).get("/repos/o/r").reply(200, { id: 1 }, { etag: '"one"' });
    const changed = nock(API, { reqheaders: { "if-none-match": '"one"' } }).get("/repos/o/r");
    changed.reply(304);
    const octokit = await world.app.asInstallation(INSTALLATION);

    const first = await octokit.request("GET /repos/{owner}/{repo}", REPO);
    const second = await octokit.request("GET /repos/{owner}/{repo}", REPO);

    expect([second.status, second.data]).toEqual([200, first.data]);
    expect(world.requests.map(({ status }) => status)).toEqual([201, 200, 304]);
  });

  test("is not shared between installations", async () => {
    const world = nockWorld();
    giveToken();
    giveToken("ghs_8_other", 8);
    nock(API).get("/repos/o/r").reply(200, { id: 1 }, { etag: '"one"' });
    nock(API, { badheaders: ["if-none-match"] })
      .get("/repos/o/r")
      .reply(200, { id: 1 });
    for (const id of [INSTALLATION, 8])
      await (await world.app.asInstallation(id)).request("GET /repos/{owner}/{repo}", REPO);
  });

  test("is not kept where it is larger than all that is kept together", async () => {
    const world = nockWorld();
    giveToken();
    const huge = { text: "x".repeat(16 * 1024 * 1024) };
    nock(API).get("/repos/o/r").reply(200, { id: 1 }, { etag: '"one"' });
    nock(API).get("/repos/o/r").reply(200, huge, { etag: '"two"' });
    nock(API, { badheaders: ["if-none-match"] })
      .get("/repos/o/r")
      .reply(200, { id: 3 });
    const octokit = await world.app.asInstallation(INSTALLATION);
    for (const _ of [1, 2, 3]) await octokit.request("GET /repos/{owner}/{repo}", REPO);
  });
});

describe("writes", () => {
  test("five pass at once, then one a second, and reading is never held up", async () => {
    const world = nockWorld();
    giveToken();
    nock(API).post("/repos/o/r/issues/1/comments").times(8).reply(201, { id: 1 });
    nock(API).get("/repos/o/r").reply(200, { id: 1 });
    const octokit = await world.app.asInstallation(INSTALLATION);
    for (let count = 0; count < 8; count += 1)
      await octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        ...REPO,
        issue_number: 1,
        body: "hello",
      });
    await octokit.request("GET /repos/{owner}/{repo}", REPO);
    expect(world.waits).toEqual([1000, 1000, 1000]);
  });

  test("a sign that something was seen does not wait behind comments", async () => {
    const world = nockWorld();
    giveToken();
    nock(API).post("/repos/o/r/issues/1/comments").times(6).reply(201, { id: 1 });
    nock(API).post("/repos/o/r/issues/comments/1/reactions").reply(201, { id: 1 });
    const octokit = await world.app.asInstallation(INSTALLATION);
    const say = { ...REPO, issue_number: 1, body: "hello" };
    for (let count = 0; count < 6; count += 1)
      await octokit.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", say);
    expect(world.waits).toEqual([1000]);
    const react = { ...REPO, comment_id: 1, content: "eyes" as const };
    await octokit.request("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", react);
    expect(world.waits).toEqual([1000]);
  });

  test.each([
    { url: "https://api.github.com", perSecond: 1 },
    { url: "https://api.acme.ghe.com", perSecond: 1 },
    { url: "https://github.acme.test/api/v3", perSecond: 50 },
    { url: "https://notgithub.com", perSecond: 50 },
    { url: "http://127.0.0.1:4567", perSecond: 50 },
  ])("$url takes $perSecond a second", ({ url, perSecond }) => {
    expect(pacesFor(url).installation.perSecond).toBe(perSecond);
  });

  test("who would have to wait too long takes no place from others", () => {
    const pace = new WritePace({ burst: 1, perSecond: 1 }, () => 0);
    const waits = Array.from({ length: 4 }, () => pace.take(2_000));
    expect(waits.map(({ taken, waitMs }) => [taken, waitMs])).toEqual([
      [true, 0],
      [true, 1_000],
      [true, 2_000],
      [false, 3_000],
    ]);
    expect(pace.take(3_000)).toEqual({ taken: true, waitMs: 3_000 });
  });

  test("a clock that is set back takes no places away", () => {
    let now = 10_000;
    const pace = new WritePace({ burst: 2, perSecond: 1 }, () => now);
    pace.take(0);
    now = 0;
    expect(pace.take(0)).toEqual({ taken: true, waitMs: 0 });
  });
});

test("neither tokens nor the key are ever logged", async () => {
  const world = nockWorld();
  giveToken();
  nock(API).get("/repos/o/r").reply(502, "bad");
  const octokit = await world.app.asInstallation(INSTALLATION);
  const error = await octokit.request("GET /repos/{owner}/{repo}", REPO).catch((caught) => caught);
  const shown = `${world.logged.join("")}${JSON.stringify(error)}${error.stack}`;
  expect(shown).not.toContain(TOKEN);
  expect(shown).not.toContain("PRIVATE KEY");
  expect(shown).not.toMatch(/eyJ[\w-]+\./);
});

describe("fetching", () => {
  const bounds = { mostAtOnce: 2, timeoutMs: 5_000, mostBytes: 1_000 };
  const open: { close: () => void }[] = [];
  let inHand = 0;
  let most = 0;
  let held: (() => void)[] = [];
  let url = "";

  beforeAll(async () => {
    nock.enableNetConnect("127.0.0.1");
    const server = createServer((request, response) => {
      inHand += 1;
      most = Math.max(most, inHand);
      response.on("close", () => {
        inHand -= 1;
      });
      if (request.url === "/cut") {
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
        response.write('{"a":1');
        response.socket?.end();
      } else if (request.url === "/large") {
        response.end("x".repeat(1_001));
      } else if (request.url === "/held") {
        held.push(() => response.end("ok"));
      } else if (request.url === "/nothing") {
        response.writeHead(204).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push({
      close: () => {
        server.closeAllConnections();
        server.close();
      },
    });
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    for (const each of open) each.close();
  });

  test("an answer that is cut off is an error, not an empty answer", async () => {
    await expect(boundedFetch(bounds)(`${url}/cut`)).rejects.toThrow();
  });

  test("an answer without end is not read to the end", async () => {
    await expect(boundedFetch(bounds)(`${url}/large`)).rejects.toThrow("more than 1000 bytes");
  });

  test("an answer without a body is one", async () => {
    expect((await boundedFetch(bounds)(`${url}/nothing`)).status).toBe(204);
  });

  test("who does not answer is not waited for", async () => {
    await expect(boundedFetch({ ...bounds, timeoutMs: 50 })(`${url}/never`)).rejects.toThrow("within 0.05 s");
  });

  test("no more than so many at once, and each gets its turn", async () => {
    held = [];
    inHand = 0;
    most = 0;
    const fetchIt = boundedFetch(bounds);
    const answers = Array.from({ length: 5 }, () => fetchIt(`${url}/held`));
    for (let count = 0; count < 5; count += 1) {
      await vi.waitFor(() => expect(held.length).toBeGreaterThan(0), { timeout: 5_000, interval: 5 });
      held.shift()?.();
      await answers[count];
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(most).toBeLessThanOrEqual(2);
  });
});
