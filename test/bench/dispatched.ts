import { dispatching } from "../support/core/ledgers.js";

/** What a ledger's first event of a bead says where nothing hangs on it. */
export const DISPATCHED = {
  ...dispatching,
  footprint: { reads: [], writes: [] },
  resources: [],
  runtime: "mine",
  timeout_seconds: 60,
};
