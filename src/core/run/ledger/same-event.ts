import { canonicalJson } from "../../receipts/canonical-json.js";
import { EVENT_DATA } from "./event-data.js";
import type { LedgerEvent, NewEvent } from "./ledger-event.js";
import { redactEvent } from "./redact-event.js";

/**
 * Whether what the ledger has under the name of an event is that event. The names of what comments ask for can be told in
 * advance, and whoever can push can have taken one for something else. When it was written does not matter.
 */
export function isSameEvent(own: NewEvent, found: LedgerEvent): boolean {
  const written = redactEvent({ ...own, data: EVENT_DATA[own.type].parse(own.data) } as NewEvent);
  return canonicalJson(withoutTime(written)) === canonicalJson(withoutTime(found));
}

function withoutTime(event: NewEvent | LedgerEvent): object {
  const { type, id, actor, bead, run, lease, evidence, data } = event;
  const critical = "critical" in event ? event.critical : undefined;
  return { type, id, actor, bead, run, lease, critical, evidence, data };
}
