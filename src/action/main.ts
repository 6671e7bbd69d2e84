import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import * as core from "@actions/core";
import { docsPath } from "../adapters/project/docs-path.js";
import { noPullsOf } from "../adapters/project/github-of.js";
import { knownPersonas } from "../adapters/project/known-personas.js";
import type { Project } from "../adapters/project/open-project.js";
import { packageVersion } from "../adapters/project/package-version.js";
import { requireRunnable } from "../adapters/project/require-runnable.js";
import { openWorkSource } from "../adapters/work/open-work-source.js";
import { type ActionInputs, readActionInputs, secretVariables } from "../core/config/action-inputs.js";
import { jobSummary } from "../core/replies/schedule/summary.js";
import { actionAdvice } from "../core/replies/surfaces/action.js";
import { auditBacklog } from "../engine/audit-backlog.js";
import { planRun } from "../engine/plan-run.js";
import { plainLines } from "../lib/plain-text.js";
import { UserError } from "../lib/user-error.js";
import { fitMachine } from "../wiring/fit-machine.js";
import { inOneText, writeOutputs } from "./annotate.js";
import { maskSecrets } from "./mask-secrets.js";
import { openCheckout } from "./open-checkout.js";
import { outputsOf } from "./outputs.js";

async function act(env: NodeJS.ProcessEnv): Promise<void> {
  const reading = readActionInputs({ ...env, ...secrets() });
  if (reading.kind === "wrong")
    throw UserError.of(actionAdvice.wrongInputs(reading.problems, docsPath("action.md")));
  const { inputs } = reading;
  const { token } = inputs;
  maskSecrets(inputs, core.setSecret);
  if (inputs.mode === "events") {
    const { doEvents } = await import("./do-events.js");
    return doEvents(inputs, env);
  }
  if (!env.GITHUB_WORKSPACE) throw UserError.of(actionAdvice.noWorkspace());
  const checkout = await openCheckout(env.GITHUB_WORKSPACE, inputs.project, packageVersion());
  const project: Project = { ...checkout, ...(token !== undefined && { token: async () => token }) };
  switch (inputs.mode) {
    case "plan":
      return planCheckout(project, inputs);
    case "run": {
      const { doRun } = await import("./do-run.js");
      return doRun(project, inputs, env);
    }
    case "job": {
      // Most runners only plan, and the rest takes a while to load.
      const { doJob } = await import("./do-job.js");
      return doJob(project, inputs, env);
    }
  }
}

async function planCheckout(project: Project, inputs: ActionInputs): Promise<void> {
  const { epic, max, parent, only, model, "default-model": defaultModel } = inputs;
  const noPulls = await noPullsOf(project);
  requireRunnable(project, { noPulls, hasPersona: await knownPersonas(project) });
  const { config } = project;
  const source = openWorkSource(project);
  const audit = await auditBacklog(source, config, { epic, noPulls });
  const wave = await planRun(source, config, { max, parent, only, model, defaultModel, noPulls });
  const { plan } = await fitMachine(wave, config);

  const facts = { config, audit, plan, epic };
  await core.summary.addRaw(jobSummary(facts)).write();
  writeOutputs(outputsOf(facts));
  core.info(`koryph: ${plan.dispatch.length} of ${plan.ready} ready beads would be dispatched`);
}

function inOneError(error: unknown): string {
  if (error instanceof UserError) return inOneText(error);
  // As an annotation too: printed as it is, a line of it could be a command to the runner.
  return plainLines(`this is a fault in koryph, please report it\n${inspect(error)}`);
}

/** They are in no environment that programs which are started from here could inherit. */
function secrets(): Readonly<Record<string, string>> {
  return secretVariables(process.argv.includes("--secrets-on-stdin") ? readFileSync(0, "utf8") : "");
}

try {
  await act(process.env);
} catch (error) {
  process.exitCode = 1;
  core.error(inOneError(error), { title: "koryph" });
}
// Whatever a cancelled run has left under way: a push that is never answered would keep the process here.
process.stdout.write("", () => process.exit());
