import { connect } from "node:net";
import { expect, onTestFinished } from "vitest";
import { WEBHOOK_PATH } from "../../../src/core/model/delivery.js";
import { delivery } from "../../support/app/app-server.js";
import { startScript } from "../../support/cli/node-script.js";
import { longTest } from "../../support/long.js";

const CONNECTIONS = 16;
const CHUNKS = 40_000;
/** A byte of body in six of a connection: as little as one can say at a time. */
const CHUNK = "1\r\na\r\n";

/**
 * The real server in a process of its own, which says how much more memory is in use when all that was sent has
 * arrived. Nothing that could still be collected counts.
 */
const SERVE = `
  const { subscribe } = await import("node:diagnostics_channel");
  const { setFlagsFromString } = await import("node:v8");
  const { runInNewContext } = await import("node:vm");
  const { startServer } = await built("app/http/server.js");
  const { Health } = await built("app/http/health.js");
  const { Metrics } = await built("app/http/metrics.js");
  const { openLog } = await built("app/http/server-log.js");
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  const inUse = () => {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const log = openLog({ level: "silent", format: "json", secrets: [], write: () => {} });
  const sockets = [];
  subscribe("http.server.request.start", ({ socket }) => sockets.push(socket));
  const { url } = await startServer({
    settings: { host: "127.0.0.1", port: 0 },
    verify: async () => false,
    inbox: { add: async () => "added" },
    onAdded: () => {},
    health: new Health({}, log),
    metrics: new Metrics({ version: "1.2.3", depth: async () => [] }),
    log,
    limits: { milliseconds: 600_000 },
  });
  const before = inUse();
  console.log(url);
  const watch = setInterval(() => {
    const arrived = sockets.reduce((sum, socket) => sum + socket.bytesRead, 0);
    if (arrived < Number(args[0])) return;
    clearInterval(watch);
    console.log(inUse() - before);
  }, 20);
`;

longTest("a body takes memory for its bytes, in however many chunks they come", async () => {
  const lines = Object.entries({
    host: "localhost",
    ...delivery("issue_comment", {}).headers,
    "transfer-encoding": "chunked",
  }).map(([name, value]) => `${name}: ${value}`);
  const sent = `${[`POST ${WEBHOOK_PATH} HTTP/1.1`, ...lines, "", ""].join("\r\n")}${CHUNK.repeat(CHUNKS)}`;
  const server = startScript(SERVE, `${CONNECTIONS * sent.length}`);
  const { origin, hostname, port } = new URL(await server.line());
  for (let i = 0; i < CONNECTIONS; i += 1) {
    const socket = connect(Number(port), hostname).on("error", () => {});
    onTestFinished(() => {
      socket.destroy();
    });
    socket.write(sent);
  }
  const grown = Number(await server.line());
  // Connections and what is compiled on the way take some, too; a Buffer for each chunk would be thirty times as much.
  expect(grown).toBeLessThan(CONNECTIONS * sent.length);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
});
