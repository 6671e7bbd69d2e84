import type { Generated } from "kysely";
import type { Lane } from "../../ports/inbox.js";

/**
 * | state   | entered by                                          | left by                               |
 * |---------|-----------------------------------------------------|---------------------------------------|
 * | waiting | the first of its key that is not done or dead       | `take`, or one before it is rearmed   |
 * | behind  | one of its key is before it, or in hand             | that one ends                         |
 * | in-hand | `take`                                              | done, postpone, bury, putBack, reclaim |
 * | dead    | `bury`                                              | `rearm`                               |
 * | done    | `done`                                              | `forget`                              |
 *
 * That a job is behind could be asked at every `take`. With thousands of jobs behind one that is in hand, each
 * of them would be looked at each time.
 */
export type StoredState = "waiting" | "behind" | "in-hand" | "dead" | "done";

interface JobTable {
  /** The order in which they came. */
  readonly seq: Generated<number>;
  readonly id: string;
  readonly name: string;
  readonly lane: Lane;
  readonly key: string;
  /** Null when it is done: what people wrote is not kept longer than needed. */
  readonly payload: string | null;
  readonly state: StoredState;
  readonly received_at: number;
  readonly not_before: number;
  readonly attempts: number;
  readonly error: string;
  readonly done_at: number | null;
}

interface CommentTable {
  readonly comment: string;
  readonly handled_at: number;
}

interface DecisionTable {
  readonly comment: string;
  readonly place: number;
  readonly decision: string;
  readonly decided_at: number;
}

interface ReplyTable {
  readonly comment: string;
  readonly reply: number | null;
  readonly intended_at: number;
}

interface UseTable {
  readonly comment: string;
  readonly repository: string;
  readonly user: string;
  readonly thread: number;
  readonly at: number;
  /** 0 or 1: booleans are not the same thing to all databases. */
  readonly refused: number;
}

interface RedeliveryTable {
  readonly guid: string;
  readonly times: number;
  readonly asked_at: number;
}

interface AccountTable {
  readonly host: string;
  readonly user_id: number;
  readonly login: string;
  readonly sealed: Uint8Array | ArrayBuffer;
  readonly linked_at: number;
}

interface MetaTable {
  readonly name: string;
  readonly value: string;
}

/** All times are milliseconds since 1970. */
export interface Tables {
  readonly jobs: JobTable;
  readonly comments: CommentTable;
  readonly decisions: DecisionTable;
  readonly replies: ReplyTable;
  readonly uses: UseTable;
  readonly redeliveries: RedeliveryTable;
  readonly accounts: AccountTable;
  readonly meta: MetaTable;
}
