import type { JsonObject, JsonValue } from "../http/json.js";
import { HttpRefusal } from "../http/route.js";
import { findRoute, perform } from "../http/server-api.js";
import type { World } from "./world.js";

/**
 * A request of the REST API by a person: every check is made as over the network, while faults and quotas
 * are for programs. What is refused is thrown.
 */
export async function act(
  world: World,
  login: string,
  { method, path, sent = {} }: { readonly method: string; readonly path: string; readonly sent?: JsonObject },
): Promise<JsonValue | undefined> {
  const request = { method, url: new URL(path, world.url), headers: {}, body: sent };
  const caller = { kind: "user", login, app: null } as const;
  const { status, body } = await perform(world, findRoute(world, request), { request, caller });
  if (status < 400) return body;
  const message = (body as { message?: unknown } | undefined)?.message;
  throw new HttpRefusal(status, typeof message === "string" ? message : "No reason was given.");
}
