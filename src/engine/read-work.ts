import type { Bead } from "../core/model/bead.js";
import type { LedgerState } from "../core/run/ledger/ledger-state.js";
import type { TickFacts } from "../core/run/tick/tick-facts.js";
import { UserError } from "../lib/user-error.js";
import type { WorkSource } from "../ports/work-source.js";
import type { EngineSettings } from "./engine-parts.js";
import type { Troubles } from "./faults/troubles.js";

/** The frontier as the run's flags narrow it, widened by what the operator injected. */
async function readWork(
  source: WorkSource,
  { parent, only }: Pick<EngineSettings, "parent" | "only">,
  state: LedgerState,
): Promise<{ ready: readonly Bead[]; all: readonly Bead[] }> {
  const all = await source.all();
  const injected = new Set(
    state.requests.flatMap(({ request }) => (request.verb === "inject" ? [request.bead] : [])),
  );
  const below = await source.ready(parent === undefined ? {} : { parent });
  if (parent === undefined && only === undefined) return { ready: below, all };
  // What is outside the parent matters only to somebody who injected it.
  const ready = parent === undefined || injected.size === 0 ? below : await source.ready();
  const chosen = new Set(below.filter(({ id }) => only === undefined || id === only).map(({ id }) => id));
  return { ready: ready.filter(({ id }) => chosen.has(id) || injected.has(id)), all };
}

interface WorkReading {
  readonly source: WorkSource;
  readonly settings: EngineSettings;
  readonly troubles: Troubles;
}

/** Null where the backlog cannot be read, unless nothing is under way: then whoever asked has nothing to go on with. */
export async function readWorkUnless(
  underWay: boolean,
  { source, settings, troubles }: WorkReading,
  state: LedgerState,
): Promise<TickFacts["work"]> {
  try {
    const work = await readWork(source, settings, state);
    troubles.over("work");
    return work;
  } catch (error) {
    // Agents at work are not ended, nor queued beads given up, because somebody is just editing the backlog.
    if (!(error instanceof UserError) || !underWay) throw error;
    troubles.say("work", error.message);
    return null;
  }
}
