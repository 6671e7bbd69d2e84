import type { ProjectConfig } from "../../config/project-schema.js";
import { type AccountMarks, accountAt } from "../../govern/account-pin.js";
import type { AdmissionDenial } from "../../govern/admission-denial.js";
import { admit } from "../../govern/admit.js";
import type { GovernorState } from "../../govern/governor-state.js";
import type { AccountMark } from "../../govern/verify-identity.js";
import { poolOfAgent } from "../../runtimes/pool-of-agent.js";
import type { NotSelected } from "../../schedule/build-wave.js";
import { agentNeeds } from "./agent-needs.js";
import type { DispatchPlan } from "./plan-dispatch.js";

/** The machine as somebody sees it who asks for no place. */
export interface SeenMachine {
  readonly state: GovernorState;
  readonly dead: ReadonlySet<string>;
  readonly availableMb: number | null;
  readonly totalMb: number | null;
  readonly now: number;
}

/** What is known where the record cannot be read. */
export interface UnseenMachine {
  readonly problem: string;
}

export interface PlannedAgent {
  readonly bead: string;
  readonly attempt: number;
  readonly runtime: string;
  readonly resources: readonly string[];
  /** Absent where its account is not pinned. */
  readonly account?: AccountMark | null | undefined;
}

type Project = Pick<ProjectConfig, "project_id" | "resources">;

/** Longer than agents of an adaptive account start apart: that is no reason to leave a bead out of a plan. */
const APART_MS = 5_000;
const NOBODY = { pid: 0, start: "", boot: "" };

/** Why the machine would bear no such agent now, or the machine with it. */
function ask(machine: SeenMachine, project: Project, agent: PlannedAgent) {
  const { state, ...seen } = machine;
  const { bead, attempt, runtime, resources, account } = agent;
  const pool = poolOfAgent({ runtime, profile: account?.fingerprint ?? null });
  const request = {
    ...{ project: project.project_id, bead, attempt, pool },
    ...{ process: NOBODY, folder: "", jitter: 1, ...seen },
    ...agentNeeds(project, resources),
  };
  return admit(state, request, machine.now);
}

/** Why an agent would have to wait; null when it would not. A problem is that of a record nobody can read. */
export function wouldWait(
  machine: SeenMachine | UnseenMachine,
  project: Project,
  agent: PlannedAgent,
): AdmissionDenial | null {
  if ("problem" in machine) return { code: "governor_unavailable", problem: machine.problem };
  const admission = ask({ ...machine, now: machine.now + APART_MS }, project, agent);
  return admission.kind === "denied" ? admission.why : null;
}

/** The plan as far as the machine bears it: one agent after the other takes a place. */
export function admitPlan<P extends DispatchPlan>(
  plan: P,
  machine: SeenMachine | UnseenMachine,
  project: Project,
  accounts: AccountMarks = {},
): P {
  let seen = machine;
  const waiting: NotSelected[] = [];
  const dispatch = plan.dispatch.filter(({ bead, runtime, resources }) => {
    const agent = { bead: bead.id, attempt: 1, runtime, resources, account: accountAt(accounts, runtime) };
    const why = wouldWait(seen, project, agent);
    if (why !== null) {
      waiting.push({ bead, refusal: { code: "not_admitted", why } });
      return false;
    }
    if ("state" in seen) {
      const now = seen.now + APART_MS;
      seen = { ...seen, now, state: ask({ ...seen, now }, project, agent).state };
    }
    return true;
  });
  return waiting.length === 0 ? plan : { ...plan, dispatch, deferred: [...waiting, ...plan.deferred] };
}
