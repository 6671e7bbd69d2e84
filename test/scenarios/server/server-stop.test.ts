import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { openLog } from "../../../src/app/http/server-log.js";
import { followSmee } from "../../../src/app/serve/serve-smee.js";
import { WEBHOOK_PATH } from "../../../src/core/model/delivery.js";
import { delivery, PRIVATE_KEY, SECRET, serverWorld } from "../../support/app/app-server.js";
import { startScript } from "../../support/cli/node-script.js";
import { longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

const COMMENT = { repository: { full_name: "octo/repo" }, issue: { number: 1 } };

describe("a server that is stopped", () => {
  test("answers what is under way, takes no new connection, and does not wait for idle ones", async () => {
    const { server, inbox } = await serverWorld();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    await ask(agent, `${server.url}/healthz`);
    const held = holdAdds(inbox);
    const sent = delivery("issue_comment", COMMENT);
    const answer = ask(agent, `${server.url}${WEBHOOK_PATH}`, sent);
    await held.entered;
    const stopped = server.stop(600_000);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    held.release();
    expect(await answer).toBe(202);
    await stopped;
  });

  test("cuts off what takes longer than it may", async () => {
    const { server, inbox } = await serverWorld();
    const held = holdAdds(inbox);
    const answer = ask(new Agent(), `${server.url}${WEBHOOK_PATH}`, delivery("issue_comment", COMMENT));
    const failed = expect(answer).rejects.toThrow();
    await held.entered;
    await server.stop(50);
    await failed;
    held.release();
  });
});

/** `serveUntilStopped` with a stand-in for the app, in a process of its own. */
const SERVE = `
  const { serveUntilStopped } = await built("app/serve/serve-until-stopped.js");
  const { readSettings } = await built("app/serve/read-settings.js");
  const { openLog } = await built("app/http/server-log.js");
  const [home, key, stops] = args;
  const env = { APP_ID: "7", PRIVATE_KEY: key, WEBHOOK_SECRET: "0123456789abcdef", KORYPH_HOME: home };
  const log = openLog({ level: "silent", format: "json", secrets: [], write: () => {} });
  // What a listening server would do: keep the process.
  const held = setInterval(() => {}, 1000);
  const stop = async () => {
    console.log("app stops");
    if (stops === "never") await new Promise(() => {});
    clearInterval(held);
  };
  try {
    await serveUntilStopped({
      settings: readSettings(env, {}),
      log,
      start: async () => ({ url: "http://127.0.0.1:1", stop }),
      say: console.log,
    });
  } catch (error) {
    console.log(error.message);
    clearInterval(held);
  }
`;

const GREETING = [
  "listening on http://127.0.0.1:1",
  "for GitHub at https://github.com (API https://api.github.com)",
  "as App 7",
];

async function serve(home: string, stops: "at once" | "never") {
  const script = startScript(SERVE, home, PRIVATE_KEY, stops);
  const ended = new Promise<number | null>((resolve) => script.child.once("exit", resolve));
  const lines = async (count: number) => {
    const all: string[] = [];
    while (all.length < count) all.push(await script.line());
    return all;
  };
  return { ...script, ended, lines };
}

describe("koryph serve", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("ends in order with 0 on %s", async (signal) => {
    const server = await serve(tempFolder(), "at once");
    expect(await server.lines(3)).toEqual(GREETING);
    server.child.kill(signal);
    expect(await server.rest()).toEqual([
      "stopping: the server finishes the jobs in hand or gives them back; a second signal ends it at once",
      "app stops",
      "stopped",
    ]);
    expect(await server.ended).toBe(0);
  });

  longTest("ends at once on a second signal", async () => {
    const server = await serve(tempFolder(), "never");
    await server.lines(3);
    server.child.kill("SIGTERM");
    expect((await server.lines(2)).at(-1)).toBe("app stops");
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(130);
  });

  longTest("refuses a second server on the same home, and follows one that was killed", async () => {
    const home = tempFolder();
    const first = await serve(home, "at once");
    await first.lines(3);
    const second = await serve(home, "at once");
    expect(await second.line()).toContain(`a server runs on ${home} already: pid ${first.pid} on `);
    await first.kill();
    const third = await serve(home, "at once");
    expect(await third.lines(3)).toEqual(GREETING);
  });

  test("says what is missing and where to read about it", () => {
    const main = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
    const env = { PATH: process.env.PATH, HOME: tempFolder(), APP_ID: "7" };
    const { status, stderr } = spawnSync(process.execPath, [main, "serve"], { env, encoding: "utf8" });
    expect(stderr).toContain("PRIVATE_KEY (or PRIVATE_KEY_PATH), WEBHOOK_SECRET are not set");
    expect(stderr).toContain("docs/app.md");
    expect(status).toBe(1);
  });
});

test("webhooks come in through a smee channel", async () => {
  const { server, inbox } = await serverWorld();
  const { body, headers, guid } = delivery("issue_comment", COMMENT);
  const channel = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ ...headers, body: JSON.parse(body), query: {} })}\n\n`);
  });
  await new Promise<void>((resolve) => channel.listen(0, "127.0.0.1", resolve));
  const { port } = channel.address() as AddressInfo;
  const log = openLog({ level: "silent", format: "json", secrets: [SECRET], write: () => {} });
  const source = `http://127.0.0.1:${port}/channel`;
  const unfollow = followSmee({ source, target: `${server.url}${WEBHOOK_PATH}`, log });
  onTestFinished(async () => {
    await unfollow();
    channel.closeAllConnections();
    await new Promise((resolve) => channel.close(resolve));
  });
  await expect.poll(() => inbox.jobs.map(({ id }) => id), { timeout: 20_000 }).toEqual([guid]);
});

/** Keeps the inbox from answering until it is released. */
function holdAdds(inbox: { add: (job: never) => Promise<"added" | "known"> }) {
  let release = () => {};
  let enter = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  inbox.add = async () => {
    enter();
    await released;
    return "added";
  };
  return { entered, release };
}

function ask(agent: Agent, url: string, sent?: ReturnType<typeof delivery>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = {
      agent,
      method: sent ? "POST" : "GET",
      headers: sent?.headers ?? { "x-request": randomUUID() },
    };
    const asked = request(url, options, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    asked.once("error", reject).end(sent?.body);
  });
}
