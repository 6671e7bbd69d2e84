import type { JsonObject } from "../http/json.js";
import { type Call, HttpRefusal, type Route } from "../http/route.js";
import type { Delivery } from "../world/app-state.js";
import { deliveryHeaders } from "../world/deliver.js";
import { appOfJwt } from "./app.js";

export const hookRoutes: readonly Route[] = [
  {
    operation: "apps/list-webhook-deliveries",
    method: "GET",
    path: "/app/hook/deliveries",
    needs: "app",
    answer: (call) => {
      const { query, world } = call;
      const size = Math.min(Math.max(Number(query.get("per_page") ?? 30) || 30, 1), 100);
      const from = Number(query.get("cursor") ?? Number.POSITIVE_INFINITY);
      const wanted = query.get("status");
      const found = deliveriesOf(call)
        .reverse()
        .filter(({ id }) => id <= from)
        .filter((each) => wanted === null || (wanted === "success") === succeeded(each));
      const next = found[size];
      const rest = new URLSearchParams(query);
      if (next !== undefined) rest.set("cursor", String(next.id));
      return {
        status: 200,
        body: found.slice(0, size).map(renderDelivery),
        ...(next === undefined
          ? {}
          : { headers: { link: `<${world.url}/app/hook/deliveries?${rest}>; rel="next"` } }),
      };
    },
  },
  {
    operation: "apps/get-webhook-delivery",
    method: "GET",
    path: "/app/hook/deliveries/{delivery_id}",
    needs: "app",
    answer: (call) => {
      const delivery = deliveryOf(call);
      const app = appOfJwt(call);
      const body = {
        ...renderDelivery(delivery),
        url: app.webhookUrl ?? "",
        request: { headers: deliveryHeaders(app, delivery), payload: delivery.payload },
        response: { headers: {}, payload: delivery.response ?? "" },
      };
      return { status: 200, body };
    },
  },
  {
    operation: "apps/redeliver-webhook-delivery",
    method: "POST",
    path: "/app/hook/deliveries/{delivery_id}/attempts",
    needs: "app",
    answer: (call) => {
      call.world.redeliver(deliveryOf(call));
      return { status: 202, body: {} };
    },
  },
];

function deliveriesOf(call: Call): Delivery[] {
  const { id } = appOfJwt(call);
  return call.world.state.deliveries.filter(({ app }) => app === id);
}

function deliveryOf(call: Call): Delivery {
  const found = deliveriesOf(call).find(({ id }) => id === Number(call.params.delivery_id));
  if (found === undefined) throw new HttpRefusal(404, "Not Found");
  return found;
}

function succeeded({ statusCode }: Delivery): boolean {
  return statusCode >= 200 && statusCode < 400;
}

function renderDelivery(delivery: Delivery): JsonObject {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.deliveredAt,
    redelivery: delivery.redelivery,
    duration: (delivery.durationMs ?? 0) / 1000,
    status: statusText(delivery),
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installation,
    repository_id: delivery.repository,
    throttled_at: null,
  };
}

function statusText({ statusCode }: Delivery): string {
  if (statusCode === 0) return "failed to connect to host";
  if (statusCode === 504) return "timed out";
  return statusCode < 400 ? "OK" : `Invalid HTTP Response: ${statusCode}`;
}
