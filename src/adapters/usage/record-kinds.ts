import type { RuntimeRecords } from "../../core/runtimes/runtime-descriptor.js";
import { RUNTIMES } from "../../core/runtimes/runtimes.js";

/** A runtime that keeps records of what its models answered. */
export interface RecordKind extends RuntimeRecords {
  readonly runtime: string;
  /** Of its usual account. */
  readonly pool: string;
}

export const RECORD_KINDS: readonly RecordKind[] = RUNTIMES.flatMap(({ name, account: { pool }, records }) =>
  records === undefined ? [] : [{ ...records, runtime: name, pool }],
);

/** Null for an account whose runtime keeps no records that koryph can read. */
export function recordKindOf(pool: string): RecordKind | null {
  return RECORD_KINDS.find((kind) => kind.pool === pool || pool.startsWith(`${kind.runtime}:`)) ?? null;
}
