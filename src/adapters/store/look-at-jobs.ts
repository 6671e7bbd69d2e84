import type { Kysely } from "kysely";
import { LANES, type Lane, type ListedJob } from "../../ports/inbox.js";
import type { StoredState, Tables } from "./tables.js";

export interface JobFilter {
  readonly lane?: Lane | undefined;
  readonly state?: ListedJob["state"] | undefined;
  /** How many at most; all when it is absent. */
  readonly most?: number;
}

export interface JobCount {
  readonly lane: Lane;
  readonly state: ListedJob["state"];
  readonly count: number;
}

/** A job behind another one waits, too, for whoever looks from outside. */
const SHOWN: readonly (readonly [state: ListedJob["state"], stored: readonly StoredState[]])[] = [
  ["waiting", ["waiting", "behind"]],
  ["in-hand", ["in-hand"]],
  ["dead", ["dead"]],
];

export async function listJobs(db: Kysely<Tables>, { lane, state, most }: JobFilter): Promise<ListedJob[]> {
  const wanted = SHOWN.filter(([shown]) => state === undefined || shown === state);
  let query = db
    .selectFrom("jobs")
    .select(["id", "name", "lane", "key", "state", "received_at", "not_before", "attempts", "error"])
    .where(
      "lane",
      "in",
      LANES.filter((each) => lane === undefined || each === lane),
    )
    .where(
      "state",
      "in",
      wanted.flatMap(([, stored]) => stored),
    )
    .orderBy("seq");
  if (most !== undefined) query = query.limit(most);
  return (await query.execute()).map((row) => ({
    id: row.id,
    name: row.name,
    lane: row.lane,
    key: row.key,
    receivedAt: row.received_at,
    attempt: row.attempts,
    state: shownAs(row.state),
    notBefore: row.not_before,
    error: row.error,
  }));
}

export async function countJobs(db: Kysely<Tables>): Promise<JobCount[]> {
  const rows = await db
    .selectFrom("jobs")
    .select(["lane", "state", ({ fn }) => fn.countAll<number>().as("count")])
    .where("lane", "in", LANES)
    .where(
      "state",
      "in",
      SHOWN.flatMap(([, stored]) => stored),
    )
    .groupBy(["lane", "state"])
    .execute();
  return LANES.flatMap((lane) =>
    SHOWN.map(([state, stored]) => {
      const counted = rows.filter((row) => row.lane === lane && stored.includes(row.state));
      return { lane, state, count: counted.reduce((sum, { count }) => sum + Number(count), 0) };
    }),
  );
}

function shownAs(stored: StoredState): ListedJob["state"] {
  return SHOWN.find(([, states]) => states.includes(stored))?.[0] ?? "waiting";
}
