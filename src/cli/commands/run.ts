import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { locateHome } from "../../adapters/home/koryph-home.js";
import { pinnedAccounts } from "../../adapters/home/pinned-accounts.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { noPullsOf } from "../../adapters/project/github-of.js";
import { knownPersonas } from "../../adapters/project/known-personas.js";
import { openProject } from "../../adapters/project/open-project.js";
import { requireRunnable } from "../../adapters/project/require-runnable.js";
import { startObstacle } from "../../adapters/project/start-obstacle.js";
import { openRuntime } from "../../adapters/runtimes/open-runtime.js";
import { probeLabelled } from "../../adapters/runtimes/probe-labelled.js";
import { openWorkSource } from "../../adapters/work/open-work-source.js";
import { gateWords } from "../../core/replies/land/base-gate.js";
import { unseenLines } from "../../core/replies/land/unseen-work.js";
import { quotaLine } from "../../core/replies/quota/quota-news.js";
import { freeableLine } from "../../core/replies/run/gc.js";
import { nextSteps } from "../../core/replies/run/next-steps.js";
import {
  autoMergeAlone,
  leftAgentsLine,
  notStartedLines,
  outcomeJson,
  planWithoutRuns,
  summaryLine,
} from "../../core/replies/run/progress.js";
import { refillTable } from "../../core/replies/run/refill-table.js";
import { takenByRuns } from "../../core/replies/run/taken-by-runs.js";
import { dispatchPlanJson } from "../../core/replies/schedule/plan-json.js";
import { LedgerError } from "../../core/run/ledger/ledger-error.js";
import type { LedgerState } from "../../core/run/ledger/ledger-state.js";
import { fitBudget } from "../../core/run/plan/fit-budget.js";
import { heldBeads } from "../../core/run/plan/held-beads.js";
import { freedForRun } from "../../core/run/plan/left-by-runs.js";
import { probeFirst } from "../../core/run/plan/probe-first.js";
import { quotaReports } from "../../core/run/plan/quota-facts.js";
import { refillTimes } from "../../core/run/plan/refill-times.js";
import { runExitCode } from "../../core/run/plan/run-exit-code.js";
import { planRun } from "../../engine/plan-run.js";
import { UserError } from "../../lib/user-error.js";
import { fitMachine } from "../../wiring/fit-machine.js";
import { LandingClock } from "../../wiring/news/landing-clock.js";
import { newsFilter, newsLine, timedLine } from "../../wiring/news/news-text.js";
import { asBefore, type RunFlags, runOptions } from "../../wiring/run-flags.js";
import { withVariables } from "../../wiring/run-variables.js";
import { type WiredProject, wireProject } from "../../wiring/wire-project.js";
import { beadId, positiveNumber, sumOfMoney } from "../arguments.js";
import type { Surface } from "../program.js";
import { dryRunText } from "../text/dry-run-text.js";
import { sayAdvice } from "../text/say-advice.js";
import { knownBaseGate } from "../wiring/known-base-gate.js";
import { projectFolder } from "../wiring/project-folder.js";
import { readLedger } from "../wiring/read-ledger.js";
import { watchRun } from "../wiring/watch-run.js";

interface CommandFlags extends RunFlags {
  readonly dryRun?: true;
  readonly json?: true;
  readonly strict?: true;
  readonly ok?: true;
  readonly timings?: string;
}

export function addRun(command: Command, surface: Surface): void {
  command
    .option("--dry-run", "show what would be dispatched and why the rest would not; start nothing")
    .option("--max <n>", "at most so many at once, never above max_concurrent_slots", positiveNumber)
    .option("--parent <id>", "only what lies below this bead", beadId)
    .option("--only <id>", "only this bead", beadId)
    .option("--model <model>", "model for every agent, whatever labels say")
    .option("--default-model <model>", "model for beads without a model: label")
    .option("--once", "one wave, then end")
    .option("--budget <usd>", "start nothing that may lead above this sum", sumOfMoney)
    .option("--resume", "go on with what an interrupted run left, within the bounds that it was started with")
    .option("--review", "have every finished branch reviewed before anything else happens to it")
    .option("--allow-red-base", "start agents although the gate is red on the default branch: to mend it")
    .option("--auto-merge", "land what has the merge policy auto")
    .option("--direct", "land everything that passes, whatever its merge policy")
    .addOption(
      new Option("--dispatch-mode <mode>", "refill freed slots at once, or wait for the whole wave").choices([
        "rolling",
        "wave",
      ]),
    )
    .option("--no-billing-guard", "let no quota keep agents back in this run, whatever guard is set")
    .option(
      "--allow-api-spend",
      "bill new agents by use, to the key that api_spend names, once their plan is used up; needs --budget",
    )
    .option("--strict", "exit 1 when a bead of this run ended blocked or in conflict")
    .option("--ok", "exit 0 instead of 4 when nothing was left to do, for shells with set -e")
    .option("--timings <file>", "write down what each step of the engine took, and sum it up at the end")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it; progress goes to standard error`)
    .action((flags: CommandFlags) => (flags.dryRun ? dryRun(surface, flags) : run(surface, flags)));
}

async function dryRun(
  { program, terminal, version }: Surface,
  { json, ...flags }: CommandFlags,
): Promise<void> {
  const folder = projectFolder(program);
  const opened = await openProject(folder, version);
  const project = { ...opened, accounts: await pinnedAccounts(locateHome(), opened.config.project_id) };
  const noPulls = await noPullsOf(project);
  requireRunnable(project, { direct: flags.direct, noPulls, hasPersona: await knownPersonas(project) });
  const source = openWorkSource(project);
  const state = await stateOnThisMachine(folder, version, project.config.project_id, terminal.err);
  const say = json ? terminal.err : terminal.out;
  const options = flags.resume && state !== null ? asBefore(state, flags, say) : flags;
  const settled = state === null ? undefined : heldBeads(state);
  const freed = state === null ? new Set<string>() : freedForRun(state, { resume: options.resume ?? false });
  const all = await planRun(source, project.config, {
    ...options,
    noPulls,
    unusable: await probeLabelled(await source.all(), (name) => openRuntime(name, project)),
    settled,
    freed,
    spent: state?.spent,
  });
  const pauses = state?.pauses ?? [];
  const { plan: wave, quota, accounts } = await fitMachine(probeFirst(all, pauses), project.config, options);
  const plan = options.budget === undefined ? wave : fitBudget(wave, options.budget);
  const obstacle = plan.dispatch.length > 0 ? await startObstacle(project) : null;
  if (obstacle !== null) say(terminal.paint.warning(notStartedLines(obstacle)));
  for (const report of quota === undefined ? [] : quotaReports(quota, accounts)) say(quotaLine(report));
  if (json) return terminal.out(JSON.stringify(dispatchPlanJson(plan, project), null, 2));
  const taken = state === null ? [] : takenByRuns(state, await source.all());
  const view = {
    config: project.config,
    max: options.max,
    budgetUsd: options.budget,
    taken: taken.filter(({ bead }) => !freed.has(bead)),
    paint: terminal.paint,
  };
  const asksGate = !options.allowRedBase && plan.dispatch.length > 0;
  const base = asksGate ? await knownBaseGate(project) : null;
  if (base?.kind === "red") {
    terminal.out(terminal.paint.warning(gateWords.knownRed(base.head)));
    terminal.out([...unseenLines(base.unseen).map((line) => `  ${line}`), ""].join("\n"));
  }
  terminal.out(dryRunText(plan, view).join("\n"));
  if (asksGate && base === null) terminal.out(`\n${gateWords.untried()}`);
}

/**
 * What runs left; null when no run was started from here. A dry run makes no folders, and where the remote does not
 * answer it goes by what this machine has, so that it works wherever the backlog can be read.
 */
async function stateOnThisMachine(
  folder: string,
  version: string,
  id: string,
  warn: (line: string) => void,
): Promise<LedgerState | null> {
  try {
    if (!existsSync(locateHome().ledger(id))) return null;
    const { ledger } = await wireProject(folder, version, "looking");
    return (await readLedger(ledger, warn)).state;
  } catch (error) {
    // A ledger that lost events says nothing that could be planned with.
    if (!(error instanceof UserError) || (error instanceof LedgerError && error.kind === "rewound"))
      throw error;
    // What else keeps a run from starting keeps nobody from looking at the backlog, but it is said.
    warn(planWithoutRuns(error.message));
    return null;
  }
}

async function run({ program, terminal, version, exit }: Surface, flags: CommandFlags): Promise<void> {
  const wired = await wireProject(projectFolder(program), version, "running");
  const project = { ...wired, config: withVariables(wired.config, process.env) };
  const noPulls = await noPullsOf(project);
  // Personas are looked for on the default branch, once it has been fetched.
  requireRunnable(project, { direct: flags.direct, noPulls });
  const say = flags.json ? terminal.err : terminal.out;
  const worthALine = newsFilter(Date.now);
  const { paint, screen } = terminal;
  const isDrawn = screen !== undefined && !flags.json;
  const clock = new LandingClock(
    isDrawn ? null : (bead, text) => say(timedLine(paint.faint(`${bead}  ${text}`), Date.now(), paint)),
  );
  if (flags.autoMerge && project.config.merge_policy === "manual") say(autoMergeAlone());
  // A dry run and a help page do without the engine, which is most of koryph.
  const { startEngine } = await import("../../wiring/start-engine.js");
  const chosen = flags.resume ? asBefore((await project.ledger.refresh()).state, flags, say) : flags;
  const timings = flags.timings === undefined ? null : await openTimings(flags.timings);
  let ending = false;
  const summary = await startEngine(project, {
    options: { ...runOptions(chosen, project.config.dispatch_mode, process.env), noPulls },
    parent: chosen.parent,
    only: chosen.only,
    resume: flags.resume ?? false,
    version,
    usualContainment: "preferred",
    report: (heard) => {
      ending ||= heard.kind === "interrupted";
      const news = ending && heard.kind === "queued" ? { ...heard, forNextRun: true } : heard;
      if (!clock.hear(news) && worthALine(news)) say(newsLine(news, Date.now(), paint));
    },
    ...(timings && { decorate: (parts) => timings.timed(parts) }),
    ...(isDrawn && { watch: (slots) => watchRun(project, { screen, paint, clock }, slots) }),
    leave: (agents, running) => {
      terminal.screen?.close();
      terminal.err(leftAgentsLine(agents, running));
    },
  }).finally(() => clock.stop());
  const code = runExitCode(summary, flags);
  if (flags.json) terminal.out(JSON.stringify(outcomeJson(summary, code), null, 2));
  say(summaryLine(summary));
  for (const step of nextSteps(summary)) say(step);
  if (timings !== null) for (const line of refillTable(refillTimes(timings.calls), timings.file)) say(line);
  const freeable = freeableLine(await freeableAfter(project));
  if (freeable !== null) say(freeable);
  if (summary.failure) sayAdvice(terminal, summary.failure);
  exit(code);
}

/** What cannot be measured makes no run that is over a failure. */
async function freeableAfter(project: WiredProject): Promise<number> {
  const { openClones } = await import("../../wiring/start-engine.js");
  const { freeableBytes } = await import("../wiring/freeable-bytes.js");
  try {
    const { state } = await project.ledger.observe([]);
    return await freeableBytes(project, state, openClones(project));
  } catch {
    return 0;
  }
}

async function openTimings(path: string) {
  const { EngineTimings } = await import("../../wiring/timed-parts.js");
  return EngineTimings.open(path);
}
