import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WEBHOOK_PATH } from "../../../src/core/model/delivery.js";
import { delivery, type ServerWorld, serverWorld } from "../../support/app/app-server.js";
import { longTest } from "../../support/long.js";

const MIB = 1024 * 1024;

interface Raw {
  readonly socket: Socket;
  /** All that came, up to now. */
  heard(): string;
  /** Resolves when the other side has ended the connection. */
  readonly ended: Promise<void>;
}

function open({ server }: ServerWorld): Raw {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let heard = "";
  socket.on("data", (data) => {
    heard += data.toString();
  });
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  onTestFinished(() => {
    socket.destroy();
  });
  return { socket, heard: () => heard, ended };
}

const status = (raw: Raw) =>
  expect.poll(() => /^HTTP\/1\.1 (\d{3})/.exec(raw.heard())?.[1], { timeout: 20_000 });

/** The head of a delivery that is all right, with the given lines in place of its length. */
function head(sent: ReturnType<typeof delivery>, ...lines: string[]): string {
  const headers = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${WEBHOOK_PATH} HTTP/1.1`, "host: localhost", ...headers, ...lines, "", ""].join("\r\n");
}

const sent = delivery("issue_comment", { repository: { full_name: "octo/repo" }, issue: { number: 1 } });

test("a declared length above the limit is refused before anything is read, and the connection closed", async () => {
  const world = await serverWorld();
  const raw = open(world);
  raw.socket.write(head(sent, `content-length: ${25 * MIB + 1}`));
  await status(raw).toBe("413");
  await raw.ended;
  expect(raw.heard()).toContain("connection: close");
});

test("a body of just the limit is read to its end", async () => {
  const world = await serverWorld();
  const whole = delivery("issue_comment", `{"pad":"${"x".repeat(25 * MIB - 10)}"}`);
  expect(Buffer.byteLength(whole.body)).toBe(25 * MIB);
  const { status: code } = await fetch(`${world.server.url}${WEBHOOK_PATH}`, { method: "POST", ...whole });
  expect(code).toBe(202);
});

test("a body without a declared length is refused as soon as it is too large", async () => {
  const world = await serverWorld({ limits: { mostBytes: 1000 } });
  const raw = open(world);
  raw.socket.write(head(sent, "transfer-encoding: chunked"));
  const chunk = `200\r\n${"x".repeat(512)}\r\n`;
  raw.socket.write(chunk);
  raw.socket.write(chunk);
  await status(raw).toBe("413");
  await raw.ended;
});

test("somebody who goes on sending still hears that it is too large", async () => {
  const world = await serverWorld({ limits: { mostBytes: 1000 } });
  const body = "x".repeat(8 * MIB);
  const { status: code } = await fetch(`${world.server.url}${WEBHOOK_PATH}`, {
    method: "POST",
    body,
    headers: sent.headers,
  });
  expect(code).toBe(413);
});

test("a body that is shorter than declared is given up after a while", async () => {
  const world = await serverWorld({ limits: { milliseconds: 100 } });
  const raw = open(world);
  raw.socket.write(head(sent, `content-length: ${sent.body.length + 10}`) + sent.body);
  await status(raw).toBe("408");
  await raw.ended;
  expect(world.inbox.jobs).toEqual([]);
});

test("a body that comes byte by byte is given up all the same", async () => {
  const world = await serverWorld({ limits: { milliseconds: 100 } });
  const raw = open(world);
  raw.socket.write(head(sent, "content-length: 1000"));
  const drip = setInterval(() => raw.socket.write("x"), 20);
  onTestFinished(() => clearInterval(drip));
  await status(raw).toBe("408");
  await raw.ended;
});

longTest("headers that never end are given up", async () => {
  const world = await serverWorld({ limits: { milliseconds: 100 } });
  const raw = open(world);
  raw.socket.write(`POST ${WEBHOOK_PATH} HTTP/1.1\r\nhost: localhost\r\n`);
  await status(raw).toBe("408");
  await raw.ended;
});

test("a body that is longer than declared is not stored", async () => {
  const world = await serverWorld();
  const raw = open(world);
  raw.socket.write(head(sent, `content-length: ${sent.body.length - 1}`) + sent.body);
  // The signature is found wrong and the rest to be no request; either may come first.
  await status(raw).toMatch(/^40[01]$/);
  await raw.ended;
  expect(world.inbox.jobs).toEqual([]);
});

test("a request with two lengths is refused", async () => {
  const world = await serverWorld();
  const raw = open(world);
  const lines = [`content-length: ${sent.body.length}`, "transfer-encoding: chunked"];
  raw.socket.write(head(sent, ...lines) + sent.body);
  await status(raw).toBe("400");
  await raw.ended;
  expect(world.inbox.jobs).toEqual([]);
});

test("a sender who goes away in the middle leaves nothing behind", async () => {
  const world = await serverWorld();
  const raw = open(world);
  raw.socket.write(head(sent, "content-length: 1000"));
  raw.socket.end("x");
  await expect.poll(() => metric(world, 'answer="cut"'), { timeout: 20_000 }).toBe("1");
  expect(world.inbox.jobs).toEqual([]);
});

test("bodies that are under way at once share the room there is, and free it again", async () => {
  const world = await serverWorld({ limits: { mostBytesAtOnce: 2000 } });
  const first = open(world);
  first.socket.write(`${head(sent, "content-length: 1900")}${"x".repeat(1800)}`);
  // Only when the first one's bytes have been counted is there too little room.
  const answer = async () => {
    const { status: code } = await fetch(`${world.server.url}${WEBHOOK_PATH}`, {
      method: "POST",
      body: " ".repeat(500),
      headers: sent.headers,
    });
    return code;
  };
  await expect.poll(answer, { timeout: 20_000 }).toBe(503);
  first.socket.destroy();
  await expect.poll(answer, { timeout: 20_000 }).toBe(401);
});

test("bodies are taken only so many at once, and pages are answered all the while", async () => {
  const world = await serverWorld({ limits: { mostBodiesAtOnce: 2 } });
  const slow = [open(world), open(world)];
  for (const { socket } of slow) socket.write(head(sent, "content-length: 1000"));
  const answer = async () => {
    const answered = await fetch(`${world.server.url}${WEBHOOK_PATH}`, { method: "POST", ...sent });
    return answered.status;
  };
  await expect.poll(answer, { timeout: 20_000 }).toBe(503);
  expect((await fetch(`${world.server.url}/healthz`)).status).toBe(200);
  slow[0]?.socket.destroy();
  await expect.poll(answer, { timeout: 20_000 }).toBe(202);
});

test("a connection too many is closed unheard, which is said in the log", async () => {
  const world = await serverWorld({ limits: { mostConnections: 1 } });
  const first = open(world);
  first.socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await status(first).toBe("200");
  const second = open(world);
  await second.ended;
  expect(second.heard()).toBe("");
  expect(world.lines.filter((line) => line.includes("closed unheard: 1 were open"))).toHaveLength(1);
});

test("a request that does not wait for the last one's answer ends the connection", async () => {
  const world = await serverWorld();
  const raw = open(world);
  raw.socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(3));
  await raw.ended;
  expect(raw.heard().split("HTTP/1.1 ").length - 1).toBeLessThan(2);
});

test("a connection is kept for requests that come one after the other", async () => {
  const world = await serverWorld();
  const raw = open(world);
  for (let answers = 1; answers <= 20; answers += 1) {
    raw.socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await expect.poll(() => raw.heard().split('{"status":"ok"}').length - 1, { interval: 1 }).toBe(answers);
  }
});

longTest("a body that comes byte by byte is stored as it was sent", async () => {
  const world = await serverWorld();
  const raw = open(world);
  // Too much for the first piece of memory, and with characters that chunks cut apart.
  const whole = delivery("issue_comment", { issue: { number: 1 }, pad: "ä😀".repeat(6_000) });
  raw.socket.write(head(whole, "transfer-encoding: chunked"));
  const chunks = [...Buffer.from(whole.body)].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));
  raw.socket.write(Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]));
  await status(raw).toBe("202");
  expect(world.inbox.jobs.map(({ payload }) => payload)).toEqual([whole.body]);
});

async function metric({ server }: ServerWorld, label: string): Promise<string | undefined> {
  const page = await (await fetch(`${server.url}/metrics`)).text();
  const line = page
    .split("\n")
    .find((each) => each.startsWith("koryph_deliveries_total") && each.includes(label));
  return line?.split(" ").at(-1);
}
