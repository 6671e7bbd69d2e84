import type { Probot } from "probot";
import { openHome } from "../adapters/home/koryph-home.js";
import { openStore } from "../adapters/store/open-store.js";
import { SqlInbox } from "../adapters/store/sql-inbox.js";
import { HANDLED_EVENTS, readGuid } from "../core/model/delivery.js";
import type { Inbox } from "../ports/inbox.js";
import { storeDelivery } from "./http/intake.js";

/**
 * For a Probot of your own, which takes the webhooks in place of `koryph serve`. It only puts them into the inbox of
 * `KORYPH_HOME`; a `koryph serve` with the same home does the work.
 */
export default async function koryph(app: Pick<Probot, "on">): Promise<void> {
  const { appStore } = await openHome();
  enqueueDeliveries(app, new SqlInbox(await openStore(appStore)));
}

export function enqueueDeliveries(app: Pick<Probot, "on">, inbox: Pick<Inbox, "add">): void {
  app.on([...HANDLED_EVENTS], async ({ id, name, payload }) => {
    const guid = readGuid(id);
    if (guid === null) throw new Error(`${id} is not the id of a delivery`);
    const fields = payload as unknown as Record<string, unknown>;
    const delivery = { guid, event: name, payload: fields, text: JSON.stringify(payload) };
    // The server that works on the inbox looks into it every second.
    await storeDelivery({ inbox, onAdded: () => {} }, delivery);
  });
}
