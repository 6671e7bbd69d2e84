import type { IncomingMessage, ServerResponse } from "node:http";
import type { FaultKind } from "./faults.js";
import type { JsonObject } from "./json.js";
import { type Answer, HttpRefusal } from "./route.js";

/** More than GitHub takes in any one request. */
const MOST_BYTES = 40 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += (piece as Buffer).length;
    if (size > MOST_BYTES) throw new HttpRefusal(413, "Payload too large");
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString();
}

/** The object that was sent; an empty one when nothing was. */
export function readJsonObject(text: string): JsonObject {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as JsonObject;
  } catch {
    // Answered below like any other body that is no object.
  }
  throw new HttpRefusal(400, "Problems parsing JSON");
}

/** Headers with one value each, as operations see them. */
export function requestHeaders(request: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : value,
    ]),
  );
}

export function bytesOf({ body, raw }: Answer): Uint8Array | null {
  if (raw !== undefined) return raw;
  return body === undefined ? null : Buffer.from(JSON.stringify(body));
}

export function send(
  response: ServerResponse,
  answer: Answer,
  more: Readonly<Record<string, string>> = {},
): void {
  const bytes = bytesOf(answer);
  response.writeHead(answer.status, {
    ...(bytes === null
      ? {}
      : { "content-type": "application/json; charset=utf-8", "content-length": bytes.length }),
    ...more,
    ...answer.headers,
  });
  response.end(bytes ?? undefined);
}

/**
 * Lets a request meet a fault. True: it was answered, or never will be, and nothing is to be done; otherwise it goes on,
 * after a delay perhaps.
 */
export async function suffer(fault: FaultKind | null, response: ServerResponse): Promise<boolean> {
  if (fault === null || "applyThen" in fault) return false;
  if ("delayMs" in fault) {
    await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    return false;
  }
  if ("cut" in fault) cut(response);
  else send(response, faultAnswer(fault));
  return true;
}

/** The answer after a change that was made and is not admitted to. */
export function deny(response: ServerResponse, then: number | "cut" | "hang"): void {
  if (then === "hang") return;
  if (then === "cut") cut(response);
  else send(response, faultAnswer({ status: then }));
}

function cut(response: ServerResponse): void {
  response.socket?.destroy();
}

function faultAnswer(fault: Extract<FaultKind, { status: number }>): Answer {
  const usual = fault.status >= 500 ? "Server Error" : "This was asked to fail.";
  const message = fault.secondary
    ? "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    : (fault.message ?? usual);
  return {
    status: fault.status,
    body: { message, documentation_url: "https://docs.github.com/rest" },
    ...(fault.retryAfterSeconds === undefined
      ? {}
      : { headers: { "retry-after": String(fault.retryAfterSeconds) } }),
  };
}
