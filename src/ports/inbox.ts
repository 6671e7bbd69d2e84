/** Intake answers people; landing moves base branches; analysis runs reviewers; work is all else that may take long. */
export const LANES = ["intake", "landing", "work", "analysis"] as const;
export type Lane = (typeof LANES)[number];

export interface NewJob {
  /** GitHub's GUID of a delivery, or a name of our own. A job with a name that is known is not added again. */
  readonly id: string;
  /** The webhook's event, such as `issue_comment`, or a name of our own, such as `koryph.link`. */
  readonly name: string;
  readonly lane: Lane;
  /** Jobs of one lane and key are done one after another, in the order they came. */
  readonly key: string;
  /** JSON text. */
  readonly payload: string;
  /** Milliseconds since 1970; absent means at once. */
  readonly notBefore?: number;
}

export interface Job {
  readonly id: string;
  readonly name: string;
  readonly lane: Lane;
  readonly key: string;
  readonly payload: string;
  readonly receivedAt: number;
  /** This one included: 1 at first. */
  readonly attempt: number;
}

export interface ListedJob extends Omit<Job, "payload"> {
  readonly state: "waiting" | "in-hand" | "dead";
  readonly notBefore: number;
  /** What went wrong last; empty when nothing did. */
  readonly error: string;
}

/** Where deliveries and our own errands lie from before GitHub is answered until they are done. */
export interface Inbox {
  /** Durable when it returns. */
  add(job: NewJob): Promise<"added" | "known">;
  /**
   * The oldest job of the lane that is due and whose key has none before it; it is in hand until one of the three
   * below. Null when there is none. What was in hand when a process died is waiting again.
   */
  take(lane: Lane, now: number): Promise<Job | null>;
  /** It is kept by name for as long as GitHub may deliver it again, and forgotten after. */
  done(job: Job): Promise<void>;
  /** It steps aside until then, and blocks only its own key. */
  postpone(job: Job, notBefore: number, error: string): Promise<void>;
  /** Given up: it no longer blocks its key, and waits for `rearm`. */
  bury(job: Job, error: string): Promise<void>;
  /** Given back as if it had never been taken. */
  putBack(job: Job): Promise<void>;
  /** When the next job of the lane becomes due; null when none waits. */
  nextDue(lane: Lane): Promise<number | null>;
}
