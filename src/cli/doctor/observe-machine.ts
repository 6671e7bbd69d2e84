import { verifyAccount } from "../../adapters/accounts/require-account.js";
import type { Clones } from "../../adapters/git/clones/clones.js";
import { noPullsOf } from "../../adapters/project/github-of.js";
import { knownPersonas } from "../../adapters/project/known-personas.js";
import { requireRunnable } from "../../adapters/project/require-runnable.js";
import { openRuntime } from "../../adapters/runtimes/open-runtime.js";
import { decideContainment } from "../../core/contain/containment.js";
import type { Diagnosis } from "../../core/doctor/diagnosis.js";
import { pinsAnything } from "../../core/govern/account-pin.js";
import { pinnedRuntimes } from "../../core/replies/runtimes/account-report.js";
import { accountAdvice } from "../../core/replies/runtimes/account-words.js";
import { signingProblemAdvice } from "../../core/replies/sign/signing-status.js";
import { builtInRuntime, RUNTIMES } from "../../core/runtimes/runtimes.js";
import { signingState } from "../../core/sign/signing-state.js";
import { UserError } from "../../lib/user-error.js";
import { observeSigning } from "../../wiring/observe-signing.js";
import { probeContainment } from "../../wiring/open-containment.js";
import type { WiredProject } from "../../wiring/wire-project.js";

/** What a run would refuse the project file for; nothing when it would not. */
export async function observeProject(project: WiredProject): Promise<readonly Diagnosis[]> {
  try {
    const [hasPersona, noPulls] = await Promise.all([knownPersonas(project), noPullsOf(project)]);
    requireRunnable(project, { hasPersona, noPulls });
    return [];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [{ code: "project_unfit", why: error.message, fix: error.hint }];
  }
}

/** Whether the agents that the project works with can be started here. */
export async function observeAgents(project: WiredProject): Promise<readonly Diagnosis[]> {
  const { default_runtime: runtime } = project.config;
  const walls = [...(await observeAccounts(project)), ...(await observeContainment(project))];
  try {
    const { version } = await openRuntime(runtime, project).probe();
    return [{ code: "agent_ready", runtime, version }, ...walls];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [{ code: "agent_unusable", why: error.message, fix: error.hint }, ...walls];
  }
}

/** Whose accounts agents would work on. A runtime that lacks a pin is told of where it is looked for. */
async function observeAccounts({ accounts, config }: WiredProject): Promise<readonly Diagnosis[]> {
  if (!pinsAnything(accounts)) {
    const takesCredentials = builtInRuntime(config.default_runtime) !== null;
    return takesCredentials ? [{ code: "accounts_unpinned", project: accounts.project }] : [];
  }
  return Promise.all(
    pinnedRuntimes(accounts, RUNTIMES).map(async ({ runtime, pin }): Promise<Diagnosis> => {
      const decision = await verifyAccount(runtime, accounts, process.env);
      if (decision.kind === "refused") {
        const { message: why, hint: fix } = accountAdvice.refused(decision.why, runtime, accounts);
        return { code: "account_refused", why, fix };
      }
      const { mode, fingerprint } = decision;
      const account = { mode, fingerprint };
      return { code: "account_verified", runtime: runtime.name, place: pin, account };
    }),
  );
}

/** What shuts agents in on this machine, unless the project wants nothing of it. */
async function observeContainment({ config }: WiredProject): Promise<readonly Diagnosis[]> {
  const { level = "preferred", network } = config.containment;
  if (level === "off") return [{ code: "containment_off" }];
  const probe = await probeContainment(level);
  if (probe.reached !== "none")
    return [{ code: "containment_ready", version: probe.version, network: network.agents }];
  const { why } = probe;
  switch (decideContainment(config.containment, level, "none").kind) {
    case "refuse":
      return [{ code: "containment_refused", level: "required", why }];
    case "manual":
      return [{ code: "containment_missing", level: "manual", why }];
    default:
      return [{ code: "containment_missing", level: "preferred", why }];
  }
}

/** Whether koryph signs, in a way that its own check of a landing will find good. */
export async function observeSignature(project: WiredProject, clones: Clones): Promise<readonly Diagnosis[]> {
  const state = signingState(await observeSigning(project, clones));
  switch (state.kind) {
    case "off":
      return [{ code: "signing_off" }];
    case "ready":
      return [{ code: "signing_ready", branch: state.branch, principal: state.principal }];
    case "not-ready": {
      const { message: why, hint: fix } = signingProblemAdvice(state.why);
      return [{ code: "signing_broken", why, fix }];
    }
  }
}
