import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeMiddleware, Probot } from "probot";
import { openStore } from "../../../src/adapters/store/open-store.js";
import { SqlInbox } from "../../../src/adapters/store/sql-inbox.js";
import { Health } from "../../../src/app/http/health.js";
import { Metrics } from "../../../src/app/http/metrics.js";
import { startServer } from "../../../src/app/http/server.js";
import { openLog } from "../../../src/app/http/server-log.js";

/**
 * A process of its own that takes deliveries, without anything that handles them: `durable <file>` as koryph does,
 * `bare` as a Probot that does nothing. It says where it listens, and ends with its standard input.
 */
const [kind, file = ""] = process.argv.slice(2);
const { PRIVATE_KEY: privateKey = "", WEBHOOK_SECRET: secret = "" } = process.env;
const log = openLog({
  level: "info",
  format: "json",
  secrets: [secret],
  write: (line) => console.error(line),
});
const probot = new Probot({ appId: 1, privateKey, secret, log });

process.stdout.write(`${kind === "durable" ? await durable() : await bare()}\n`);
process.stdin.resume().once("end", () => process.exit());

async function durable(): Promise<string> {
  const inbox = new SqlInbox(await openStore(file));
  await probot.ready();
  const { url } = await startServer({
    settings: { host: "127.0.0.1", port: 0 },
    verify: (text, signature) => probot.webhooks.verify(text, signature),
    inbox,
    onAdded: () => {},
    health: new Health({}, log),
    metrics: new Metrics({ version: "0", depth: () => inbox.depth() }),
    log,
  });
  return url;
}

async function bare(): Promise<string> {
  const server = createServer(await createNodeMiddleware(() => {}, { probot }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
