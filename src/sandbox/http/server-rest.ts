import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { credentialOf, identify } from "../auth/auth.js";
import type { World } from "../world/world.js";
import { quotaKey } from "./rate-limit.js";
import { type Answer, type Caller, HttpRefusal } from "./route.js";
import { type ApiRequest, asAnswer, findRoute, perform } from "./server-api.js";
import { bytesOf, deny, readBody, readJsonObject, requestHeaders, send, suffer } from "./server-io.js";

/** One request as it was answered, for those who count them. */
export interface SeenRequest {
  readonly operation: string;
  readonly status: number;
  /** Whose it was: the key of a quota. */
  readonly by: string;
}

/** One request of the REST API over the network: faults, quota, ETags and pages besides the operation itself. */
export async function serveRest(
  world: World,
  {
    url,
    request,
    response,
  }: { readonly url: URL; readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<SeenRequest> {
  const method = request.method ?? "GET";
  const sent: ApiRequest = {
    method,
    url,
    headers: requestHeaders(request),
    body: readJsonObject(method === "GET" ? "" : await readBody(request)),
  };
  const found = findRoute(world, sent);
  const { operation } = found.route;
  const fault = world.faults.meet(operation, method === "GET" ? "reads" : "changes");
  if (await suffer(fault, response)) return { operation, status: statusOf(fault), by: "nobody" };
  const caller = identify(world, credentialOf(sent.headers.authorization));
  const key = quotaKey(caller);
  const counts = operation !== "rate-limit/get";
  const spent = !counts || world.quota.spend(key);
  const answer = await asAnswer(() => {
    if (!spent) throw new HttpRefusal(403, `API rate limit exceeded for ${key}.`);
    return perform(world, found, { request: sent, caller });
  });
  if (fault !== null && "applyThen" in fault) {
    deny(response, fault.applyThen);
    return { operation, status: statusOf(fault), by: key };
  }
  const bytes = bytesOf(answer);
  const etag = method === "GET" && answer.status === 200 && bytes !== null ? etagOf(bytes) : null;
  const known = etag !== null && isKnown(etag, sent.headers["if-none-match"]);
  // What has not changed costs nothing, but only for those who say who they are.
  if (known && caller.kind !== "nobody") world.quota.giveBack(key);
  const headers = {
    ...limitHeaders(world, caller),
    ...pageLinks(url, world.url, answer),
    ...(etag && { etag }),
  };
  send(response, known ? { status: 304 } : answer, headers);
  return { operation, status: known ? 304 : answer.status, by: key };
}

function statusOf(fault: object | null): number {
  return fault !== null && "status" in fault && typeof fault.status === "number" ? fault.status : 0;
}

/** Sent with every answer that is about somebody. */
export function limitHeaders(world: World, caller: Caller): Record<string, string> {
  const { limit, remaining, used, reset } = world.quota.observe(quotaKey(caller));
  return {
    "x-github-media-type": "github.v3; format=json",
    "x-github-request-id": world.now().toString(16),
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-used": String(used),
    "x-ratelimit-reset": String(reset),
    "x-ratelimit-resource": "core",
  };
}

function pageLinks(url: URL, base: string, { lastPage }: Answer): Record<string, string> {
  if (lastPage === undefined || lastPage === 1) return {};
  const page = Math.max(1, Number(url.searchParams.get("page") ?? 1) || 1);
  const link = (to: number, rel: string) => {
    const query = new URLSearchParams(url.searchParams);
    query.set("page", String(to));
    return `<${base}${url.pathname}?${query}>; rel="${rel}"`;
  };
  const before = page > 1 ? [link(page - 1, "prev"), link(1, "first")] : [];
  const after = page < lastPage ? [link(page + 1, "next"), link(lastPage, "last")] : [];
  return { link: [...before, ...after].join(", ") };
}

/** GitHub's ETags are weak, and change with the body. */
function etagOf(body: string | Uint8Array): string {
  return `W/"${createHash("sha256").update(body).digest("hex")}"`;
}

/** Whether a client has this already. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const strong = etag.replace(/^W\//, "");
  return (ifNoneMatch ?? "").split(",").some((each) => each.trim().replace(/^W\//, "") === strong);
}
