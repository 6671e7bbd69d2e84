import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { credentialOf, identify } from "../auth/auth.js";
import { answerLogin } from "../auth/device-login.js";
import { admitGit, type GitRequest, readGitRequest, serveGit } from "../git/git-http.js";
import { answerGraphql } from "../graphql/graphql.js";
import { answerPage } from "../page/page.js";
import type { ServedWorld } from "../world/make-world.js";
import type { Fault } from "./faults.js";
import type { JsonObject, JsonValue } from "./json.js";
import { type Answer, HttpRefusal } from "./route.js";
import { asAnswer, refusalAnswer } from "./server-api.js";
import { deny, readBody, readJsonObject, requestHeaders, send, suffer } from "./server-io.js";
import { limitHeaders, type SeenRequest, serveRest } from "./server-rest.js";

interface Exchange {
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Listens on the loopback only. A port that is taken rejects. */
export async function listen(port: number): Promise<{ server: Server; url: string }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Answers everything below the address: API, GraphQL, logins, git, pages. */
export function serve(world: ServedWorld, server: Server, seen: (request: SeenRequest) => void): void {
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", world.url);
    // Clients set their clocks by it.
    response.setHeader("date", new Date(world.now()).toUTCString());
    // As on a GitHub of one's own, where the API is below a prefix.
    url.pathname = url.pathname.replace(/^\/api\/v3(?=\/|$)/, "").replace(/^\/api(?=\/graphql$)/, "") || "/";
    dispatch(world, { url, request, response }, seen).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) return void response.socket?.destroy();
      if (error instanceof HttpRefusal) return send(response, refusalAnswer(error));
      world.problems.push(
        `${request.method} ${url.pathname} broke: ${error instanceof Error ? error.stack : error}`,
      );
      send(response, { status: 500, body: { message: "Server Error" } });
    });
  });
}

async function dispatch(
  world: ServedWorld,
  exchange: Exchange,
  seen: (request: SeenRequest) => void,
): Promise<void> {
  const { url, request, response } = exchange;
  const git = readGitRequest(url);
  if (git !== null) return serveGitRequest(world, git, exchange);
  if (url.pathname === "/graphql" && request.method === "POST") return seen(await graphql(world, exchange));
  if (url.pathname === "/_/faults" && /json/.test(request.headers["content-type"] ?? ""))
    return faults(world, exchange);
  if (isLogin(url.pathname) && request.method === "POST") {
    const form = readForm(request, await readBody(request));
    return send(
      response,
      await asAnswer(() => answerLogin(world, url.pathname, form, request.headers.accept)),
    );
  }
  if (isForPeople(exchange)) return page(world, exchange);
  seen(await serveRest(world, exchange));
}

function isLogin(path: string): boolean {
  return path === "/login/device/code" || path === "/login/oauth/access_token";
}

function isForPeople({ url, request }: Exchange): boolean {
  return (
    /^\/(_|login|settings|organizations|favicon\.ico)(\/|$)/.test(url.pathname) ||
    (url.pathname === "/" && request.method === "GET") ||
    /text\/html/.test(request.headers.accept ?? "")
  );
}

async function serveGitRequest(
  world: ServedWorld,
  asked: GitRequest,
  { request, response }: Exchange,
): Promise<void> {
  // A request on a connection of its own: one that is cut would be sent again by curl if it had gone over an old one.
  response.setHeader("connection", "close");
  try {
    const admitted = admitGit(world, asked, request.headers.authorization);
    const name = asked.rest === "info/refs" ? "git-info-refs" : asked.service;
    const fault = world.faults.meet(name, request.method === "POST" ? "changes" : "reads");
    if (await suffer(fault, response)) return;
    const denied = fault !== null && "applyThen" in fault;
    await serveGit(world, { admitted, request, response, discard: denied });
    if (denied) deny(response, fault.applyThen);
  } catch (error) {
    if (!(error instanceof HttpRefusal)) throw error;
    const challenge = error.status === 401 ? { "www-authenticate": 'Basic realm="GitHub"' } : {};
    response
      .writeHead(error.status, { "content-type": "text/plain", ...challenge })
      .end(`${error.message}\n`);
  }
}

async function graphql(world: ServedWorld, { request, response }: Exchange): Promise<SeenRequest> {
  const body = readJsonObject(await readBody(request));
  const changes = /\bmutation\b/.test(String(body.query));
  const fault = world.faults.meet("graphql", changes ? "changes" : "reads");
  if (await suffer(fault, response)) return { operation: "graphql", status: 0, by: "nobody" };
  const caller = identify(world, credentialOf(request.headers.authorization));
  if (caller.kind === "nobody" || caller.kind === "app")
    throw new HttpRefusal(401, "This endpoint requires you to be authenticated.");
  const answer: Answer = { status: 200, body: await answerGraphql(world, caller, asDocument(body)) };
  if (fault !== null && "applyThen" in fault) deny(response, fault.applyThen);
  else send(response, answer, { ...limitHeaders(world, caller), "x-ratelimit-resource": "graphql" });
  return { operation: "graphql", status: answer.status, by: caller.login };
}

function asDocument({ query, variables, operationName }: JsonObject) {
  return {
    query: String(query ?? ""),
    variables: (typeof variables === "object" && variables !== null ? variables : {}) as JsonObject,
    ...(typeof operationName === "string" ? { operationName } : {}),
  };
}

/** Faults for, and from, a process of its own. */
async function faults(world: ServedWorld, { request, response }: Exchange): Promise<void> {
  if (request.method === "POST") world.faults.add(readFault(readJsonObject(await readBody(request))));
  if (request.method === "DELETE") world.faults.clear();
  send(response, { status: 200, body: world.faults.list() as unknown as JsonValue });
}

function readFault(body: JsonObject): Fault {
  const { operation, webhooks, times = 1, kind } = body;
  const known = ["lost", "failed", "doubled", "shuffled"].includes(String(webhooks));
  const named = typeof operation === "string" && typeof kind === "object" && kind !== null;
  if (typeof times !== "number" || !(known || named)) throw new HttpRefusal(422, "That is no fault.");
  return { ...body, times } as unknown as Fault;
}

function readForm(request: IncomingMessage, text: string): URLSearchParams {
  if (!/json/.test(request.headers["content-type"] ?? "")) return new URLSearchParams(text);
  const fields = Object.entries(readJsonObject(text)).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(Object.fromEntries(fields));
}

async function page(world: ServedWorld, { request, response, url }: Exchange): Promise<void> {
  const headers = requestHeaders(request);
  const body = request.method === "POST" ? await readBody(request) : "";
  const answer = await answerPage(world, {
    method: request.method ?? "GET",
    url: `${url.pathname}${url.search}`,
    headers,
    body,
  });
  response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
}
