import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { Probot } from "probot";
import { onTestFinished } from "vitest";
import { Health, type HealthCheck } from "../../../src/app/http/health.js";
import { Metrics } from "../../../src/app/http/metrics.js";
import { type RunningServer, type ServerParts, startServer } from "../../../src/app/http/server.js";
import { openLog } from "../../../src/app/http/server-log.js";
import { MemoryInbox } from "./memory-inbox.js";

export const SECRET = "a secret of more than sixteen characters";

/** Made once: it takes longer than most tests. */
export const PRIVATE_KEY = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs1", format: "pem" })
  .toString();

export interface ServerWorld {
  readonly server: RunningServer;
  readonly inbox: MemoryInbox;
  readonly woken: string[];
  /** Log lines. */
  readonly lines: string[];
}

export interface WorldOptions {
  readonly limits?: ServerParts["limits"];
  readonly checks?: Readonly<Record<string, HealthCheck>>;
}

/** The real server with a real Probot behind it, on a port of the system's choice; it stops with the test. */
export async function serverWorld({ limits = {}, checks = {} }: WorldOptions = {}): Promise<ServerWorld> {
  const inbox = new MemoryInbox();
  const lines: string[] = [];
  const woken: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = openLog({ level: "trace", format: "json", secrets: [SECRET, PRIVATE_KEY], write });
  const probot = await new Probot({ appId: 1, privateKey: PRIVATE_KEY, secret: SECRET, log }).ready();
  const server = await startServer({
    settings: { host: "127.0.0.1", port: 0 },
    verify: probot.webhooks.verify,
    inbox,
    onAdded: (lane) => woken.push(lane),
    health: new Health(checks, log),
    metrics: new Metrics({
      version: "1.2.3",
      depth: async () => [{ lane: "intake", state: "waiting", count: inbox.jobs.length }],
    }),
    log,
    limits,
  });
  onTestFinished(() => server.stop(0));
  return { server, inbox, woken, lines };
}

/** As GitHub would make it; the signature is that of the body before anything is changed about it. */
export function delivery(event: string, payload: unknown, guid: string = randomUUID()) {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "user-agent": "GitHub-Hookshot/0000000",
    "x-github-event": event,
    "x-github-delivery": guid,
    "x-hub-signature-256": sign(body),
  };
  return { body, headers, guid };
}

export function sign(body: string, secret = SECRET): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
