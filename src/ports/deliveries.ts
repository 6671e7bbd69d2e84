import type { DeliveryAttempt } from "../core/recovery/choose-redeliveries.js";

export interface SentEvent {
  readonly event: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly payload: unknown;
}

/** What GitHub remembers of the events it sent us. */
export interface Deliveries {
  /** Every attempt since then (milliseconds since 1970), newest first. */
  since(time: number): Promise<readonly DeliveryAttempt[]>;
  /** What it sent under this GUID, as it has it on record; null while it shows none. */
  sent(guid: string): Promise<SentEvent | null>;
  /** GitHub sends it again, soon; `gone` when it does not have it any more, or will not. */
  askAgain(id: string): Promise<"asked" | "gone">;
}
