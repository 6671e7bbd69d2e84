import { append, stateWith } from "./slots.js";

export const NONCE = "ab".repeat(12);
export const HERE = "build-1#0123456789ab";
export const BEGAN = "2026-01-01T00:00:00.000Z";

/** A run under way whose engine has the lease. */
export function leased(holder = `${HERE}/123/${NONCE}`, host = HERE) {
  const state = stateWith();
  append(
    state,
    { type: "lease.claimed", data: { holder, host, ttl_seconds: 120 } },
    {
      type: "run.started",
      run: "r-1",
      data: { mode: "rolling", engine_version: "0.1.0", budget_usd: null, resumed: false },
    },
  );
  return state;
}
