import * as core from "@actions/core";
import { remoteAt } from "../adapters/git/remote/remote.js";
import { GithubWaveChecks } from "../adapters/github/reviews/github-wave-checks.js";
import { gitTokenEnv } from "../adapters/github/runners/git-token-env.js";
import { tokenClient } from "../adapters/github/token-client.js";
import { openHome } from "../adapters/home/koryph-home.js";
import { githubAt } from "../adapters/project/github-of.js";
import type { Project } from "../adapters/project/open-project.js";
import { packageVersion } from "../adapters/project/package-version.js";
import { requireRunnable } from "../adapters/project/require-runnable.js";
import type { ActionInputs } from "../core/config/action-inputs.js";
import { runSummaryPage } from "../core/replies/report/run-summary.js";
import { nextSteps } from "../core/replies/run/next-steps.js";
import {
  autoMergeAlone,
  leftAgentsLine,
  type RunSummary,
  summaryLine,
} from "../core/replies/run/progress.js";
import { actionAdvice } from "../core/replies/surfaces/action.js";
import { adaptivePools } from "../core/run/metrics/run-limits.js";
import { runExitCode } from "../core/run/plan/run-exit-code.js";
import { EngineBusy } from "../engine/lease/engine-busy.js";
import { PLAIN } from "../lib/paint.js";
import { UserError } from "../lib/user-error.js";
import type { InterruptTimes } from "../wiring/interrupts.js";
import { lookAtMachine } from "../wiring/look-at-machine.js";
import { LandingClock } from "../wiring/news/landing-clock.js";
import { newsFilter, newsLine, timedLine } from "../wiring/news/news-text.js";
import { RunReporter } from "../wiring/report/run-reporter.js";
import { asBefore, type RunFlags, runOptions } from "../wiring/run-flags.js";
import { withVariables } from "../wiring/run-variables.js";
import { startEngine } from "../wiring/start-engine.js";
import { type WiredProject, wireOpened } from "../wiring/wire-project.js";
import { warn, writeOutputs, writeSummary } from "./annotate.js";
import { maskSecrets } from "./mask-secrets.js";
import { PlainLog } from "./plain-log.js";
import { notBegunOutputs, runOutputs } from "./run-outputs.js";
import { missingForToken, runToken } from "./run-token.js";
import { runnerFacts } from "./runner-facts.js";

/** A cancelled job gets SIGTERM after 7.5 seconds and is ended after 10: by then all is saved. */
const RUNNER_TIMES: InterruptTimes = { orderlyMs: 4_000, lastStepMs: 1_000, graceMs: 1_000 };

/** Runs waves until the run ends, as `koryph run` does, with the workflow's token in place of an operator's. */
export async function doRun(project: Project, inputs: ActionInputs, env: NodeJS.ProcessEnv): Promise<void> {
  const log = new PlainLog();
  const summary = await begun(async () =>
    runWaves(await wireRunner(project, inputs, { env, log }), inputs, { env, log }),
  );
  if (summary !== null) tellEnd(summary, inputs);
}

/** Null where another engine is at work: the backlog is in good hands. */
async function begun(run: () => Promise<RunSummary>): Promise<RunSummary | null> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const busy = error instanceof EngineBusy;
    writeOutputs(notBegunOutputs(busy ? "continue" : "failure", busy ? error.code : "not_started", error));
    if (!busy) throw error;
    warn(error);
    return null;
  }
}

async function wireRunner(
  project: Project,
  inputs: ActionInputs,
  { env, log }: { readonly env: NodeJS.ProcessEnv; readonly log: PlainLog },
): Promise<WiredProject> {
  const { facts, missing: unset } = runnerFacts(env);
  const missing = [...missingForToken(inputs), ...unset];
  if (missing.length > 0) throw UserError.of(actionAdvice.missing("run", missing));
  const { serverUrl, repository, runId } = facts;
  const token = await runToken(inputs, facts, {
    branch: project.config.default_branch,
    told: (made) => log.command(() => maskSecrets({ token: made }, core.setSecret)),
  });
  const wired = await wireOpened(project, {
    version: packageVersion(),
    reach: async () => remoteAt(`${serverUrl}/${repository}.git`, gitTokenEnv(serverUrl, await token())),
    home: () => openHome(env),
    actor: `run ${runId}`,
    token,
  });
  return { ...wired, config: withVariables(wired.config, env) };
}

async function runWaves(
  project: WiredProject,
  inputs: ActionInputs,
  { env, log }: { readonly env: NodeJS.ProcessEnv; readonly log: PlainLog },
): Promise<RunSummary> {
  const { serverUrl, repository, apiUrl, runId } = runnerFacts(env).facts;
  const found = githubAt(project, project.remote);
  const noPulls = found.kind === "github" ? undefined : found;
  const asked = flagsOf(inputs);
  for (const { key } of Object.values(project.config.api_spend)) if (env[key]) core.setSecret(env[key]);
  requireRunnable(project, { direct: asked.direct, noPulls });
  const client = tokenClient({ apiUrl, token: project.token ?? "" });
  const reporter = new RunReporter({
    checks: new GithubWaveChecks(() => client, repository),
    ledger: project.ledger,
    detailsUrl: `${serverUrl}/${repository}/actions/runs/${runId}`,
    now: Date.now,
    warn: (line) => log.say(timedLine(line, Date.now(), PLAIN)),
  });
  log.begin();
  try {
    if (asked.autoMerge && project.config.merge_policy === "manual") log.say(autoMergeAlone());
    const flags = asked.resume ? asBefore((await project.ledger.refresh()).state, asked, log.say) : asked;
    const worthALine = newsFilter(Date.now);
    const clock = new LandingClock((bead, text) => log.say(timedLine(`${bead}  ${text}`, Date.now(), PLAIN)));
    const summary = await startEngine(project, {
      options: { ...runOptions(flags, project.config.dispatch_mode, env), noPulls },
      parent: flags.parent,
      only: flags.only,
      resume: flags.resume ?? false,
      // There is nobody to type --resume on a runner.
      adopt: true,
      version: project.version,
      usualContainment: "required",
      interrupt: RUNNER_TIMES,
      watch: (slots, run) => reporter.follow(slots, run),
      report: (news) => {
        reporter.hear(news);
        if (!clock.hear(news) && worthALine(news)) log.say(newsLine(news, Date.now(), PLAIN));
      },
      leave: (agents, running) => log.say(leftAgentsLine(agents, running)),
    }).finally(() => clock.stop());
    for (const line of [summaryLine(summary), ...nextSteps(summary)]) log.say(line);
    await tellReport(reporter, summary, log);
    return summary;
  } finally {
    log.end();
  }
}

async function tellReport(reporter: RunReporter, summary: RunSummary, log: PlainLog): Promise<void> {
  const report = await reporter.end(
    summary,
    summary.ended === "interrupted" ? RUNNER_TIMES.lastStepMs : undefined,
  );
  log.end();
  if (report !== null)
    await writeSummary(runSummaryPage(report, summary, adaptivePools(await lookAtMachine())));
}

/** Exit code 4 is a success, and nothing else tells a runner's own shell so. */
function tellEnd(summary: RunSummary, { strict }: ActionInputs): void {
  const code = runExitCode(summary, { strict });
  writeOutputs(runOutputs(summary, code));
  if (summary.failure) throw UserError.of(summary.failure);
  if (runExitCode(summary, { strict, ok: true }) !== 0)
    throw UserError.of(actionAdvice.runFailed(summaryLine(summary), strict === true && summary.blocked > 0));
}

function flagsOf(inputs: ActionInputs): RunFlags {
  const { max, parent, only, model, once, budget, resume, review, direct } = inputs;
  const given = {
    ...{ max, parent, only, model, once, budget, resume, review, direct },
    defaultModel: inputs["default-model"],
    autoMerge: inputs["auto-merge"],
    allowRedBase: inputs["allow-red-base"],
    allowApiSpend: inputs["allow-api-spend"],
    dispatchMode: inputs["dispatch-mode"],
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as RunFlags;
}
