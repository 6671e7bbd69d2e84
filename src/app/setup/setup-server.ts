import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOn } from "../http/listen-on.js";
import { BodyReader } from "../http/read-body.js";
import { hangUp, type ServerAnswer, sendAnswer, textAnswer } from "../http/server-answer.js";
import type { SetupRequest } from "./answer-setup.js";

const KIB = 1024;
const LIMITS = {
  mostBytes: 64 * KIB,
  mostBytesAtOnce: 1024 * KIB,
  mostBodiesAtOnce: 20,
  milliseconds: 10_000,
};

/** Nobody else's machine reaches it, whatever HOST says. */
const HERE = "127.0.0.1";

interface SetupServer {
  readonly url: string;
  /** Answers what is under way, and listens no more. */
  stop(): Promise<void>;
}

/** Listens on this machine alone when it returns. `answer` is asked for one request after the other. */
export async function startSetupServer(
  port: number,
  answer: (request: SetupRequest) => Promise<ServerAnswer>,
): Promise<SetupServer> {
  const bodies = new BodyReader(LIMITS);
  const server = createServer({
    headersTimeout: LIMITS.milliseconds,
    requestTimeout: LIMITS.milliseconds * 2,
  });
  server.maxConnections = 50;
  const url = await listenOn(server, { host: HERE, port });
  const underWay = new Set<Promise<unknown>>();
  server.on("request", (request, response) => {
    const answered = once(response, "close").finally(() => underWay.delete(answered));
    underWay.add(answered);
    respond(request, response).catch(() => request.socket.destroy());
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    if (!path.startsWith("/") || !URL.canParse(path, url))
      return hangUp(request, response, textAnswer(400, "that is no address\n"));
    await bodies.withBody(request, async (reading) => {
      if (reading.kind !== "whole") return hangUp(request, response, textAnswer(413, "that is too much\n"));
      const { host, origin, cookie: cookies } = request.headers;
      const asked = { method: request.method ?? "GET", url: new URL(path, url), host, origin, cookies };
      // A connection that stays open would hold up the end.
      response.shouldKeepAlive = false;
      sendAnswer(response, await answer({ ...asked, body: reading.text }));
    });
  }

  return {
    url,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.allSettled(underWay);
      // Browsers open connections before they need them, and would hold up the end for half a minute.
      server.closeAllConnections();
      await closed;
    },
  };
}
