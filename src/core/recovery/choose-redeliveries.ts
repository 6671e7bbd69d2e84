/** One attempt of GitHub's to deliver an event. */
export interface DeliveryAttempt {
  /** Of the attempt; too large for a number. */
  readonly id: string;
  /** Of the event: the same for every attempt. */
  readonly guid: string;
  /** Milliseconds since 1970. */
  readonly deliveredAt: number;
  /** What we answered; 0 when GitHub got no answer. */
  readonly statusCode: number;
}

export interface RedeliveryFacts {
  readonly now: number;
  /** How often an event was asked for already. */
  readonly asked: (guid: string) => number;
  /** Whether the inbox has it, although GitHub thinks otherwise. */
  readonly known: (guid: string) => boolean;
}

/** GitHub keeps deliveries for three days, and gives them out again for as long. */
export const DELIVERIES_KEPT_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * What has failed so often fails for a reason that asking again does not remove: a tunnel that is down, a wrong secret.
 * Somebody may remove it yet, so it is asked for now and then for as long as GitHub would have kept it.
 */
const MOST_AT_ONCE = 5;
const NOW_AND_THEN_MS = 20 * 60 * 1000;
const MOST_ASKED = DELIVERIES_KEPT_MS / NOW_AND_THEN_MS;

/** The newest attempt at every event that never reached us and may still be asked for, oldest event first. */
export function chooseRedeliveries(
  deliveries: readonly DeliveryAttempt[],
  { now, asked, known }: RedeliveryFacts,
): readonly DeliveryAttempt[] {
  const newest = new Map<string, DeliveryAttempt>();
  const arrived = new Set<string>();
  for (const delivery of deliveries) {
    if (delivery.statusCode >= 200 && delivery.statusCode < 300) arrived.add(delivery.guid);
    const other = newest.get(delivery.guid);
    if (other === undefined || delivery.deliveredAt > other.deliveredAt) newest.set(delivery.guid, delivery);
  }
  return [...newest.values()]
    .filter(({ guid }) => !arrived.has(guid))
    .filter(({ deliveredAt }) => now - deliveredAt <= DELIVERIES_KEPT_MS)
    .filter(({ guid, deliveredAt }) => mayBeAsked(asked(guid), now - deliveredAt) && !known(guid))
    .sort((one, other) => one.deliveredAt - other.deliveredAt);
}

function mayBeAsked(times: number, sinceLastMs: number): boolean {
  return times < MOST_AT_ONCE || (times < MOST_ASKED && sinceLastMs >= NOW_AND_THEN_MS);
}
