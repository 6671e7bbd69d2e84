import { z } from "zod";
import type { DeliveryAttempt } from "../../core/recovery/choose-redeliveries.js";
import type { Deliveries, SentEvent } from "../../ports/deliveries.js";
import type { GithubApp } from "./app-client.js";
import { statusOf } from "./request-error.js";

const PER_PAGE = 100;
/** Of one search for a delivery. */
const MOST_PAGES = 10;

const Delivery = z.object({
  // Octokit makes a bigint of what is too large for a number.
  id: z.union([z.number(), z.bigint()]).transform(String),
  guid: z.string().min(1),
  delivered_at: z.string().transform((text) => Date.parse(text)),
  status_code: z.number(),
});
type Delivery = z.infer<typeof Delivery>;

const Sent = z.object({ event: z.string(), request: z.object({ payload: z.unknown() }) });

/** The App's own webhook as GitHub remembers it. */
export class HookDeliveries implements Deliveries {
  readonly #app: GithubApp;

  constructor(app: GithubApp) {
    this.#app = app;
  }

  async since(time: number): Promise<readonly DeliveryAttempt[]> {
    const found = new Map<string, DeliveryAttempt>();
    for await (const page of this.#pages()) {
      const fresh = page.filter(({ id, delivered_at }) => !found.has(id) && delivered_at >= time);
      for (const { id, guid, delivered_at: deliveredAt, status_code: statusCode } of fresh)
        found.set(id, { id, guid, deliveredAt, statusCode });
      // New deliveries push older ones down while we read, so pages overlap; one with nothing new is the end.
      if (fresh.length === 0) break;
    }
    return [...found.values()];
  }

  async sent(guid: string): Promise<SentEvent | null> {
    const found = await this.#find(guid);
    if (found === null) return null;
    const octokit = await this.#app.asApp();
    const answer = await octokit.rest.apps.getWebhookDelivery({ delivery_id: found.id as unknown as number });
    const { event, request } = Sent.parse(answer.data);
    return { event, at: found.delivered_at, payload: request.payload };
  }

  /** Newest first: what has just arrived is on the first page, and what lay in the inbox for long is further back. */
  async #find(guid: string): Promise<Delivery | null> {
    let pages = 0;
    for await (const page of this.#pages()) {
      const found = page.find((each) => each.guid.toLowerCase() === guid.toLowerCase());
      if (found !== undefined) return found;
      pages += 1;
      if (pages === MOST_PAGES) break;
    }
    return null;
  }

  async *#pages(): AsyncGenerator<Delivery[]> {
    const octokit = await this.#app.asApp();
    for (let cursor: string | null = null; ; ) {
      const { data, headers } = await octokit.rest.apps.listWebhookDeliveries({
        per_page: PER_PAGE,
        ...(cursor === null ? {} : { cursor }),
      });
      yield z.array(Delivery).parse(data);
      cursor = nextCursor(headers.link);
      if (cursor === null) return;
    }
  }

  async askAgain(id: string): Promise<"asked" | "gone"> {
    const octokit = await this.#app.asApp();
    try {
      await octokit.rest.apps.redeliverWebhookDelivery({
        // Octokit only puts it in the address, where a number would lose its last digits.
        delivery_id: id as unknown as number,
      });
      return "asked";
    } catch (error) {
      if ([400, 404, 410, 422].includes(statusOf(error) ?? 0)) return "gone";
      throw error;
    }
  }
}

function nextCursor(link: string | undefined): string | null {
  const next = /<([^<>]+)>;\s*rel="next"/.exec(link ?? "")?.[1];
  if (next === undefined) return null;
  return new URL(next, "http://github.invalid").searchParams.get("cursor");
}
