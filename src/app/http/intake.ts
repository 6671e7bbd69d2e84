import type { IncomingHttpHeaders } from "node:http";
import { HANDLED_EVENTS, isHandled, placeDelivery, readGuid } from "../../core/model/delivery.js";
import type { Inbox, Lane } from "../../ports/inbox.js";
import type { ServerLog } from "./server-log.js";

/** What became of a delivery; the metrics count by it. */
export const DELIVERY_ANSWERS = [
  "accepted",
  "known",
  "ignored",
  "pong",
  "wrong-type",
  "missing-header",
  "bad-header",
  "too-large",
  "too-slow",
  "cut",
  "no-room",
  "bad-signature",
  "bad-body",
  "store-failed",
] as const;
export type DeliveryAnswer = (typeof DELIVERY_ANSWERS)[number];

export interface Answered {
  readonly status: number;
  readonly answer: DeliveryAnswer;
  /** What GitHub shows on its page of recent deliveries. */
  readonly said: Readonly<Record<string, string>>;
}

export interface DeliveryHeaders {
  readonly signature: string;
  readonly event: string;
  readonly guid: string;
}

export interface DeliveryStore {
  readonly inbox: Pick<Inbox, "add">;
  readonly onAdded: (lane: Lane) => void;
}

export interface StoredDelivery {
  readonly guid: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The payload's JSON. */
  readonly text: string;
}

export interface IntakeParts extends DeliveryStore {
  /** Compares in constant time, as `probot.webhooks.verify` does. */
  readonly verify: (text: string, signature: string) => Promise<boolean>;
  readonly log: ServerLog;
}

/** What can be refused before the body is read. Nothing of it is signed, so nothing of it is believed yet. */
export function readHeaders(headers: IncomingHttpHeaders): DeliveryHeaders | Answered {
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    return refuseDelivery(415, "wrong-type", "the content type must be application/json");
  const [signature, event, id] = ["x-hub-signature-256", "x-github-event", "x-github-delivery"].map((name) =>
    single(headers[name]),
  );
  if (!signature)
    return refuseDelivery(400, "missing-header", "x-hub-signature-256 is missing: set a webhook secret");
  if (!event) return refuseDelivery(400, "missing-header", "x-github-event is missing");
  if (!id) return refuseDelivery(400, "missing-header", "x-github-delivery is missing");
  if (!/^[a-z0-9_]{1,64}$/.test(event))
    return refuseDelivery(400, "bad-header", "x-github-event names no event");
  const guid = readGuid(id);
  if (guid === null) return refuseDelivery(400, "bad-header", "x-github-delivery is no GUID");
  return { signature, event, guid };
}

/** Durable before it is answered; GitHub is asked nothing on the way. */
export async function takeDelivery(
  { signature, event, guid }: DeliveryHeaders,
  text: string,
  { verify, log, ...store }: IntakeParts,
): Promise<Answered> {
  // What is verified is the very text that is parsed and kept.
  if (text === "") return refuseDelivery(400, "bad-body", "the body is empty");
  if (!(await verify(text, signature)))
    return refuseDelivery(
      401,
      "bad-signature",
      "the signature is not made with this server's webhook secret",
    );
  const payload = parseObject(text);
  if (payload === null) return refuseDelivery(400, "bad-body", "the body is no JSON object");
  if (event === "ping") return { status: 200, answer: "pong", said: { status: "ok" } };
  if (!isHandled(event)) return { status: 202, answer: "ignored", said: { status: "ignored" } };
  try {
    const outcome = await storeDelivery(store, { guid, event, payload, text });
    const answer = outcome === "known" ? "known" : "accepted";
    return { status: 202, answer, said: { status: answer } };
  } catch (error) {
    // GitHub counts it as failed, and so it is asked for again later.
    log.error({ err: error, delivery: guid, event }, "a delivery could not be stored");
    return refuseDelivery(503, "store-failed", "the delivery could not be stored");
  }
}

/** Durable when it returns. */
export async function storeDelivery(
  { inbox, onAdded }: DeliveryStore,
  { guid, event, payload, text }: StoredDelivery,
): Promise<"added" | "known"> {
  const { lane, key } = placeDelivery(payload);
  const outcome = await inbox.add({ id: guid, name: event, lane, key, payload: text });
  if (outcome === "added") onAdded(lane);
  return outcome;
}

/** Labels of metrics live for ever, so strangers must not make them up. */
export function eventLabel(event: string | undefined): string {
  return [...HANDLED_EVENTS, "ping"].find((known) => known === event) ?? "other";
}

export function refuseDelivery(status: number, answer: DeliveryAnswer, error: string): Answered {
  return { status, answer, said: { error } };
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
