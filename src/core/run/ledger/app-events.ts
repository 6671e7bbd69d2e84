import { z } from "zod";
import { lateObject } from "../../model/late-object.js";

/** Names a comment for good: `comment 123`. */
const Key = z.string().min(1).max(200);

/**
 * What a server of the App keeps in its database, where there is none: workflow runs that are there for one event each.
 * Whoever can push can write these, so they keep koryph from doing things twice and never give anybody a right.
 */
export const APP_EVENTS = {
  /** Comments are looked after from here on. Nobody answers older ones. */
  "app.began": lateObject(() => ({})),
  /** A workflow run takes a comment to answer it. A claim: of two at once one wins, and the other leaves it alone. */
  "app.took": lateObject(() => ({
    comment: Key,
    thread: z.int().min(1),
    user: z.string().max(200),
    run: z.int().min(1),
    attempt: z.int().min(1),
  })),
  /** What was decided and not carried out yet, or shown last. A later one takes the place of an earlier one. */
  "app.kept": lateObject(() => ({ key: Key, place: z.int(), value: z.string() })),
  /** The comment is done with. */
  "app.answered": lateObject(() => ({
    comment: Key,
    /** koryph's reply; null where it is not known, or there is none. */
    reply: z.int().nullable(),
    /** How it counts for the caps: as one that was refused for lack of rights, as any other, or not at all. */
    counts: z.enum(["yes", "refused", "no"]),
    /** The comment and the rows of its reply, where something is still to be told there; null where nothing is. */
    owed: z.object({ job: z.string(), rows: z.string() }).nullable(),
  })),
} as const;
