import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { WEBHOOK_PATH } from "../../core/model/delivery.js";
import type { Health } from "./health.js";
import {
  type Answered,
  eventLabel,
  type IntakeParts,
  readHeaders,
  refuseDelivery,
  takeDelivery,
} from "./intake.js";
import { listenOn } from "./listen-on.js";
import type { Metrics } from "./metrics.js";
import { type BodyLimits, BodyReader } from "./read-body.js";
import { hangUp, jsonAnswer, type ServerAnswer, sendAnswer, textAnswer } from "./server-answer.js";
import { sometimes } from "./server-sometimes.js";

const MIB = 1024 * 1024;

interface ServerLimits extends BodyLimits {
  readonly mostConnections: number;
}

const LIMITS: ServerLimits = {
  // GitHub sends nothing larger.
  mostBytes: 25 * MIB,
  mostBytesAtOnce: 256 * MIB,
  // The other connections are for those who ask how it is.
  mostBodiesAtOnce: 500,
  mostConnections: 1_000,
  // After so long GitHub has hung up.
  milliseconds: 10_000,
};

export interface ServerParts extends IntakeParts {
  readonly settings: { readonly host: string; readonly port: number };
  readonly health: Health;
  readonly metrics: Metrics;
  /** Narrower ones, for tests. */
  readonly limits?: Partial<ServerLimits>;
}

export interface RunningServer {
  readonly url: string;
  /** No new connections; requests under way are answered, and cut off when the time is over. */
  stop(graceMs: number): Promise<void>;
}

/** Listens when it returns. */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { settings, health, log } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const receive = receiver(parts, new BodyReader(limits));
  const server = createServer({
    headersTimeout: limits.milliseconds,
    // Bodies have a timer of their own, which answers; this one is for what never gets that far.
    requestTimeout: limits.milliseconds * 2,
    connectionsCheckingInterval: 1_000,
  });
  server.maxConnections = limits.mostConnections;
  const warnDropped = sometimes(10_000, (times) =>
    log.warn({ times }, `connections were closed unheard: ${limits.mostConnections} were open already`),
  );
  server.on("drop", warnDropped);
  let stopping = false;
  const unanswered = new WeakSet<Socket>();
  server.on("request", (request, response) => {
    // Thousands of requests fit in what is read of a connection at once, and nobody else would be heard for as long as
    // they take. Neither GitHub nor a proxy sends one before the last was answered.
    if (unanswered.has(request.socket)) {
      request.socket.destroy();
      return;
    }
    unanswered.add(request.socket);
    response.once("finish", () => {
      unanswered.delete(request.socket);
      // A connection that is kept alive would otherwise hold up the end.
      if (stopping) request.socket.end();
    });
    void route(request, response).catch((error) => {
      log.error({ err: error }, "a request failed");
      if (response.headersSent) request.socket.destroy();
      else hangUp(request, response, jsonAnswer(500, { error: "this server failed" }));
    });
  });

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").split("?", 1)[0];
    if (path === WEBHOOK_PATH) {
      if (request.method === "POST") return receive(request, response);
      return hangUp(request, response, notAllowed("POST"));
    }
    const page = pages[path ?? ""];
    if (page === undefined)
      return hangUp(request, response, jsonAnswer(404, { error: "there is nothing here" }));
    if (request.method !== "GET" && request.method !== "HEAD")
      return hangUp(request, response, notAllowed("GET, HEAD"));
    sendAnswer(response, await page());
  }

  const pages: Readonly<Record<string, () => Promise<ServerAnswer> | ServerAnswer>> = {
    "/": () => textAnswer(200, "koryph listens here for GitHub's webhooks\n"),
    "/healthz": () => jsonAnswer(200, { status: "ok" }),
    "/readyz": async () => {
      const report = await health.look();
      return jsonAnswer(report.status === "ready" ? 200 : 503, report);
    },
    "/metrics": async () => {
      const { type, text: body } = await parts.metrics.read();
      return { status: 200, headers: { "content-type": type }, body };
    },
  };

  const url = await listenOn(server, settings);
  return {
    url,
    async stop(graceMs) {
      stopping = true;
      health.stopping();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Answers deliveries, and counts them. */
function receiver(parts: ServerParts, bodies: BodyReader) {
  const { metrics, log } = parts;
  // Anybody can make it happen as often as they like, so it must not fill the log.
  const warnUnsigned = sometimes(10_000, (times) =>
    log.warn(
      { times },
      "deliveries were refused for a bad signature: does GitHub have the same webhook secret?",
    ),
  );
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const began = performance.now();
    const headers = readHeaders(request.headers);
    const finish = ({ status, answer, said }: Answered, event: string | undefined, bodyRead: boolean) => {
      metrics.delivery(eventLabel(event), answer, (performance.now() - began) / 1000);
      if (answer === "bad-signature") warnUnsigned();
      log.debug({ status, answer, event: eventLabel(event) }, "delivery answered");
      if (bodyRead) sendAnswer(response, jsonAnswer(status, said));
      else hangUp(request, response, jsonAnswer(status, said));
    };
    if ("status" in headers) return finish(headers, undefined, false);
    await bodies.withBody(request, async (reading) => {
      switch (reading.kind) {
        case "whole": {
          const answered = await takeDelivery(headers, reading.text, parts);
          return finish(answered, answered.status < 300 ? headers.event : undefined, true);
        }
        case "too-large":
          return finish(refuseDelivery(413, "too-large", "the body is larger than 25 MiB"), undefined, false);
        case "no-room":
          return finish(refuseDelivery(503, "no-room", "too many deliveries at once"), undefined, false);
        case "too-slow":
          return finish(refuseDelivery(408, "too-slow", "the body did not arrive in time"), undefined, false);
        case "cut":
          return finish(refuseDelivery(400, "cut", "the body ended early"), undefined, false);
      }
    });
  };
}

function notAllowed(allow: string): ServerAnswer {
  const answer = jsonAnswer(405, { error: `only ${allow} is answered here` });
  return { ...answer, headers: { ...answer.headers, allow } };
}
