import { openWorkSource } from "../../adapters/work/open-work-source.js";
import { takenByRuns } from "../../core/replies/run/taken-by-runs.js";
import { hasAgent, isOpen } from "../../core/run/ledger/slot-groups.js";
import { admitPlan } from "../../core/run/plan/admit-plan.js";
import { heldBeads } from "../../core/run/plan/held-beads.js";
import { withIdle } from "../../core/run/plan/idle-at-end.js";
import { planDispatch } from "../../core/run/plan/plan-dispatch.js";
import { probeFirst } from "../../core/run/plan/probe-first.js";
import { fitQuota, paidAgent, type QuotaFacts } from "../../core/run/plan/quota-refusal.js";
import { keptBackRefusal } from "../../core/run/tick/pause-runtime.js";
import { lookAtMachine } from "../../wiring/look-at-machine.js";
import { verifyAccounts } from "../../wiring/verify-accounts.js";
import type { WiredProject } from "../../wiring/wire-project.js";
import { dryRunText } from "../text/dry-run-text.js";
import type { Terminal } from "../text/terminal.js";
import type { ProjectObservation } from "../wiring/observe-engine.js";

/** What could be dispatched next and what keeps the rest back. */
export async function showFrontier(
  project: WiredProject,
  { state, engine, quota }: ProjectObservation & { readonly quota: QuotaFacts | undefined },
  { out, paint }: Terminal,
): Promise<void> {
  const source = openWorkSource(project);
  const beads = await source.all();
  const open = Object.values(state.slots).filter(isOpen);
  const underWay = state.run?.ended === null && engine !== null && engine.state !== "gone";
  const plan = planDispatch({
    config: project.config,
    beads,
    frontier: await source.ready(),
    settled: heldBeads(state),
    spent: state.spent,
    inFlight: open.map(({ bead, footprint, resources }) => ({ id: bead, footprint, resources })),
    ...(underWay && { keptBack: (agent) => keptBackRefusal(state, agent, Date.now()) }),
  });
  // Whoever is refused is told of it by a run, and by koryph doctor.
  const accounts = await verifyAccounts(project).catch(() => ({}));
  const atWork = underWay ? open.filter(hasAgent).map(paidAgent) : [];
  const fitted = fitQuota(underWay ? plan : probeFirst(plan, state.pauses), quota, { atWork, accounts });
  const shown = withIdle(admitPlan(fitted, await lookAtMachine(), project.config, accounts), beads, {
    unreleased: source.unreleased?.(),
  });
  const taken = takenByRuns(state, beads);
  out(`\n${dryRunText(shown, { config: project.config, taken, paint }).join("\n")}`);
}
