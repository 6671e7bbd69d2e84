import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";

export interface ServerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** How long somebody whose body was not wanted may go on sending it. */
const LINGER_MS = 1_000;

export function jsonAnswer(status: number, body: unknown): ServerAnswer {
  return { status, headers: { "content-type": "application/json" }, body: `${JSON.stringify(body)}\n` };
}

export function textAnswer(status: number, body: string): ServerAnswer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body };
}

export function sendAnswer(response: ServerResponse, answer: ServerAnswer): void {
  response.writeHead(answer.status, heads(answer)).end(answer.body);
}

/**
 * Answers without having read the body, and ends the connection. Closed at once, with bytes on their way, the other
 * side would see a reset in place of the answer; so what comes is thrown away for a moment.
 */
export function hangUp(request: IncomingMessage, response: ServerResponse, answer: ServerAnswer): void {
  response.writeHead(answer.status, { ...heads(answer), connection: "close" }).write(answer.body);
  const { socket } = request;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
  if (request.complete) response.end();
  else request.once("end", () => response.end()).resume();
}

function heads({ headers, body }: ServerAnswer): OutgoingHttpHeaders {
  return {
    ...(headers as OutgoingHttpHeaders),
    "content-length": `${Buffer.byteLength(body)}`,
    "cache-control": "no-store",
  };
}
