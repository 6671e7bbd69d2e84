import type { DeliveryAttempt } from "../core/recovery/choose-redeliveries.js";

/** What GitHub remembers of the events it sent us. */
export interface Deliveries {
  /** Every attempt since then (milliseconds since 1970), newest first. */
  since(time: number): Promise<readonly DeliveryAttempt[]>;
  /** GitHub sends it again, soon; `gone` when it does not have it any more, or will not. */
  askAgain(id: string): Promise<"asked" | "gone">;
}
