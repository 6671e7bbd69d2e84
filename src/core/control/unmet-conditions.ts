import type { Withheld } from "../model/release.js";
import type { Hold, LedgerState } from "../run/ledger/ledger-state.js";
import { pausesOf, type RuntimePause } from "../run/ledger/runtime-pause.js";
import type { Slot } from "../run/ledger/slot.js";
import { runsOn } from "../run/tick/pause-runtime.js";
import { silentSince } from "./silent-since.js";

/** Something that keeps a bead from the default branch. Codes are stable, for tools. */
export type Unmet =
  | { readonly code: "read_only"; readonly type: string; readonly needs: string }
  | { readonly code: "held"; readonly bead: string; readonly hold: Hold }
  | { readonly code: "not_taken" }
  /** Nobody who may has released its text to agents. */
  | { readonly code: "not_released"; readonly why: Withheld }
  /** `last` is null for a project that has had no run yet; `taken` when that one left the bead unfinished. */
  | { readonly code: "no_run"; readonly last: { readonly reason: string } | null; readonly taken: boolean }
  | { readonly code: "engine_silent"; readonly since: number }
  | { readonly code: "draining"; readonly actor: string; readonly taken: boolean }
  /** Nothing is started on the bead's runtime, or only to try whether that is over. */
  | { readonly code: "runtime_paused"; readonly pause: RuntimePause }
  /** How many are before it in the queue. */
  | { readonly code: "landing"; readonly place: number }
  | {
      readonly code:
        | "backoff"
        | "queued"
        | "at_work"
        | "checking"
        | "land_refused"
        | "pr_opened"
        | "merge_pending"
        | "blocked"
        | "conflict";
      readonly slot: Slot;
    };

/** Everything that keeps the bead from being landed, the first to be put right first. Empty when it has landed. */
export function unmetConditions(state: LedgerState, bead: string, now: number): Unmet[] {
  const unmet: Unmet[] = [];
  if (state.readOnly !== null) unmet.push({ code: "read_only", ...state.readOnly });
  const slot = state.slots[bead];
  if (slot?.status === "merged") return unmet;
  const hold = state.holds[bead];
  if (hold !== undefined) unmet.push({ code: "held", bead, hold });
  if (slot === undefined) return [...unmet, { code: "not_taken" }, ...ofEngine(state, now, false)];
  return [...unmet, ...ofSlot(state, slot, now)];
}

function ofSlot(state: LedgerState, slot: Slot, now: number): Unmet[] {
  switch (slot.status) {
    case "queued":
      return [
        { code: slot.notBefore > now ? "backoff" : "queued", slot },
        ...pausesOf(state.pauses, runsOn(slot)).map((pause) => ({ code: "runtime_paused", pause }) as const),
        ...ofEngine(state, now, true),
      ];
    case "dispatching":
    case "running":
    case "ended":
      return [{ code: "at_work", slot }, ...ofEngine(state, now, true)];
    case "passed":
      return [{ code: "checking", slot }, ...ofEngine(state, now, true)];
    case "landing": {
      const place = state.landings.findIndex(({ bead }) => bead === slot.bead);
      return [{ code: "landing", place }, ...ofEngine(state, now, true)];
    }
    case "refused":
      return [{ code: "land_refused", slot }, ...ofEngine(state, now, true)];
    case "pr-opened":
      return [{ code: "pr_opened", slot }];
    case "merge-pending":
      return [{ code: "merge_pending", slot }];
    case "blocked":
    case "conflict":
      return [{ code: slot.status, slot }];
    case "merged":
      return [];
  }
}

/** What keeps every bead of the project waiting. */
function ofEngine(state: LedgerState, now: number, taken: boolean): Unmet[] {
  const { run, requests } = state;
  if (run === null || run.ended !== null) return [{ code: "no_run", last: run?.ended ?? null, taken }];
  const since = silentSince(state, now);
  if (since !== null) return [{ code: "engine_silent", since }];
  const drain = requests.find(({ request }) => request.verb === "drain");
  return drain === undefined ? [] : [{ code: "draining", actor: drain.actor, taken }];
}
