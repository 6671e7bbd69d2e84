import { randomUUID } from "node:crypto";
import { utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { canWrite } from "../adapters/files/can-write.js";
import type { ContainBootstrap } from "../adapters/git/clones/bootstrap.js";
import { Clones } from "../adapters/git/clones/clones.js";
import { GovernorFile } from "../adapters/govern/governor-file.js";
import { MachineGovernor } from "../adapters/govern/machine-governor.js";
import { takeLocalLock } from "../adapters/home/local-lock.js";
import { QuotaFile } from "../adapters/home/quota-file.js";
import { Registry } from "../adapters/home/registry.js";
import { agentNotes } from "../adapters/project/agent-notes.js";
import { readPersonas } from "../adapters/project/read-personas.js";
import { openRuntime } from "../adapters/runtimes/open-runtime.js";
import { probeLabelled } from "../adapters/runtimes/probe-labelled.js";
import { MachineQuotas } from "../adapters/usage/machine-quotas.js";
import { openWorkSource } from "../adapters/work/open-work-source.js";
import type { ContainedMark, ContainmentLevel } from "../core/contain/containment.js";
import type { RunningCommand } from "../core/land/land-progress.js";
import type { Persona } from "../core/prompt/persona.js";
import { landingAdvice } from "../core/replies/land/landing-repo.js";
import { ledgerAdvice } from "../core/replies/ledger/ledger.js";
import { type RunSummary, summarise } from "../core/replies/run/progress.js";
import { engineLockAdvice } from "../core/replies/run/run.js";
import { redactTexts } from "../core/run/ledger/redact-event.js";
import type { Slot } from "../core/run/ledger/slot.js";
import type { RunOptions } from "../core/run/tick/tick-facts.js";
import { Engine } from "../engine/engine.js";
import type { EngineNews, EngineParts } from "../engine/engine-parts.js";
import { EngineBusy } from "../engine/lease/engine-busy.js";
import { requireBead } from "../engine/plan-run.js";
import { runLoop } from "../engine/run-loop.js";
import { UserError } from "../lib/user-error.js";
import type { AgentProcesses } from "../ports/agent-processes.js";
import type { AgentRuntime } from "../ports/agent-runtime.js";
import type { WorkSource } from "../ports/work-source.js";
import { askPatiently } from "./ask-patiently.js";
import { Bell, ringing, watchLedger } from "./bell.js";
import { INTERRUPT, type InterruptTimes, onInterrupts } from "./interrupts.js";
import { requireSigning } from "./observe-signing.js";
import { openContainment } from "./open-containment.js";
import { openSpending, requireSpending } from "./require-spending.js";
import { unseenHere } from "./unseen-here.js";
import { verifyAccounts } from "./verify-accounts.js";
import { watchTurns } from "./watch-turns.js";
import { AGENT, type WiredLanding, wireLanding } from "./wire-landing.js";
import type { WiredProject } from "./wire-project.js";
import { wirePulls } from "./wire-pulls.js";

/** A run that somebody looks at while it goes on. */
export interface WatchedRun {
  /** Empty until it has begun. */
  readonly id: () => string;
  /** The commit of the default branch that it began on. */
  readonly base: string;
  /** The one that agents start from just now. */
  readonly tip: () => string;
  readonly mode: "rolling" | "wave";
}

export interface StartOptions {
  readonly options: RunOptions;
  readonly parent?: string | undefined;
  readonly only?: string | undefined;
  readonly resume: boolean;
  /** A new run that goes on with what earlier ones left, and waits for a work source that is away: nobody looks on. */
  readonly adopt?: boolean;
  readonly version: string;
  /** How much agents are to be shut in where the project file does not say. */
  readonly usualContainment: ContainmentLevel;
  readonly report: (news: EngineNews) => void;
  /** Told of the run that begins, to be looked at as often as wanted; what it returns is called at the end. */
  readonly watch?: (slots: () => readonly Slot[], run: WatchedRun) => () => void;
  /** A second interrupt leaves these behind. */
  readonly leave?: (agents: readonly Slot[], running: RunningCommand | null) => void;
  /** How long our lease lasts without being renewed, and the grace that others' agents get; for tests. */
  readonly lease?: { readonly seconds: number; readonly graceSeconds: number };
  /** What an interrupted run gets; half a minute unless told. */
  readonly interrupt?: Partial<InterruptTimes>;
  /** Stands between the engine and its parts; the crash tests end the process there. */
  readonly decorate?: (parts: EngineParts) => EngineParts;
}

const LEASE = { seconds: 120, graceSeconds: 30 };

/** Wires the engine to this machine and runs it to its end. */
export async function startEngine(project: WiredProject, given: StartOptions): Promise<RunSummary> {
  const { config } = project;
  await verifyAccounts(project);
  const spendingKeys = requireSpending(project, given.options);
  // News repeat what agents printed and what people wrote, and are kept in the logs of whoever started the run.
  const start: StartOptions = { ...given, report: (news) => given.report(redactTexts(news)) };
  const { processes, bootstrap, mark, warning } = await openContainment(config, start.usualContainment, [
    project.home.path,
    project.root,
  ]);
  if (warning !== null) start.report({ kind: "trouble", what: `${warning.message}; ${warning.hint}` });
  // Everything that can be wrong is found out before anything is locked, claimed or recorded.
  const runtimes = new Map<string, AgentRuntime>();
  const runtime: EngineParts["runtime"] = (name, account) => {
    if (account?.billing !== undefined) return openSpending(name, project, spendingKeys);
    const known = runtimes.get(name) ?? openRuntime(name, project);
    runtimes.set(name, known);
    return known;
  };
  await runtime(config.default_runtime).probe();
  await new QuotaFile(project.home).read();
  const source = openWorkSource(project);
  const tell = (what: string) => start.report({ kind: "trouble", what: `${what}; asking again` });
  const ask = () => source.all();
  // At a terminal somebody reads at once what is wrong, and types the command again.
  const beads = start.adopt ? await askPatiently(ask, { tell, sleep: pause }) : await ask();
  const unusable = await probeLabelled(beads, runtime);
  for (const id of [start.parent, start.only]) if (id !== undefined) requireBead(id, beads);
  const worktrees = openClones(project, bootstrap);
  const { base, defaultBranch, elsewhere } = await worktrees.fetch();
  if (elsewhere !== undefined) throw UserError.of(landingAdvice.otherBranch(defaultBranch, elsewhere));
  if (config.ledger.ref === `refs/heads/${defaultBranch}`)
    throw UserError.of(ledgerAdvice.defaultBranch(config.ledger.ref));
  const personas = await readPersonas(
    project.home.repository(config.project_id),
    { base, defaultBranch },
    config,
  );
  await requireSigning(project, worktrees);
  const landing = await wireLanding(project, worktrees, processes);
  try {
    const options = { ...start.options, unusable, spendingKeys };
    return await runEngine(
      project,
      { ...start, options },
      { source, runtime, worktrees, processes, landing, base, branch: defaultBranch, personas, mark },
    );
  } finally {
    await landing.close();
  }
}

interface Wiring {
  readonly source: WorkSource;
  readonly runtime: EngineParts["runtime"];
  readonly worktrees: Clones;
  readonly processes: AgentProcesses;
  readonly landing: WiredLanding;
  /** Commit of the default branch that the repository's notes for agents are read from. */
  readonly base: string;
  readonly branch: string;
  readonly personas: ReadonlyMap<string, Persona>;
  /** What shuts agents in. */
  readonly mark: ContainedMark;
}

async function runEngine(project: WiredProject, start: StartOptions, wiring: Wiring): Promise<RunSummary> {
  const { config, root, home, projectHome } = project;
  const { source, runtime, worktrees, landing, base } = wiring;
  const lease = start.lease ?? LEASE;
  const interrupt = { ...INTERRUPT, ...start.interrupt };

  const attempt = await takeLocalLock(home.engineLock(config.project_id));
  if (attempt.kind === "held") throw new EngineBusy("lock_held", engineLockAdvice.taken(attempt.by));
  const { lock } = attempt;
  try {
    // Before the project is entered: one whose ledger cannot be gone on with must not take the id from another.
    await project.ledger.refresh();
    const runId = newRunId();
    const run = { id: runId, at: new Date().toISOString() };
    await new Registry(home).register({ id: config.project_id, root, remote: project.remote.url }, run);
    const bell = new Bell();
    const turns = watchTurns(landing.landTurn);
    const parts: EngineParts = {
      ledger: project.ledger,
      source,
      worktrees,
      processes: ringing(wiring.processes, bell),
      governor: new MachineGovernor(new GovernorFile(home), wiring.processes),
      repo: landing.repo,
      gate: landing.gate,
      receipts: landing.receipts,
      landTurn: turns.landTurn,
      pulls: () => wirePulls(project),
      folders: landing.folders,
      runtime,
      accounts: () => verifyAccounts(project),
      now: Date.now,
      steady: () => performance.now(),
      guard: { engine: [home.path, root], defaultBranch: wiring.branch },
      quotas: new MachineQuotas({ home, env: process.env, now: Date.now }),
      newSession: randomUUID,
      canWrite: () => canWrite(projectHome),
      liveness: await livenessFile(join(projectHome, "engine.alive")),
      report: start.report,
    };
    for (const [name, key] of Object.entries(start.options.spendingKeys ?? {}))
      start.report({ kind: "spending", runtime: name, key, budgetUsd: start.options.budgetUsd ?? 0 });
    const engine = new Engine(
      start.decorate?.(parts) ?? parts,
      {
        config,
        options: start.options,
        parent: start.parent,
        only: start.only,
        engineVersion: start.version,
        holder: `${project.hostName}/${lock.holder.pid}/${lock.holder.nonce}`,
        host: project.hostName,
        leaseSeconds: lease.seconds,
        graceSeconds: lease.graceSeconds,
        resume: start.resume,
        adopt: start.adopt ?? false,
        interruptGraceMs: interrupt.graceMs,
        runId,
        personas: wiring.personas,
        contained: wiring.mark,
        agentNotes: await agentNotes(home.repository(config.project_id), base),
      },
      // We hold this home's lock, so whoever had the lease from here is gone.
      (lease) => lease.host === project.hostName,
    );
    engine.onWake(() => bell.ring());
    const { overdue, stop: stopListening } = onInterrupts(engine, {
      leave: start.leave,
      orderlyMs: interrupt.orderlyMs,
      running: turns.running,
    });
    const watched: WatchedRun = {
      ...{ id: () => engine.run, base: wiring.base, mode: start.options.mode },
      tip: () => engine.base ?? wiring.base,
    };
    const stopLooking = start.watch?.(() => engine.slots, watched);
    const stopWatching = watchLedger(join(home.ledger(config.project_id), dirname(config.ledger.ref)), bell);
    try {
      const end = await runLoop(engine, {
        pollSeconds: config.poll_seconds,
        now: Date.now,
        sleep: (ms) => bell.wait(ms),
        pause: (ms) => pause(ms, undefined, { ref: false }),
        overdue,
        lastStepMs: interrupt.lastStepMs,
        patienceMs: (lease.seconds * 2 + lease.graceSeconds + 30) * 1000,
        onWait: (holder, host, ms) =>
          start.report({ kind: "waiting-for-lease", holder, host, seconds: Math.ceil(ms / 1000) }),
      });
      const { parent, only } = start;
      // Whoever interrupts a run waits neither for a tracker nor for a ledger that does not answer.
      const soon = <T>(asked: Promise<T>, instead: T): Promise<T> =>
        end.reason === "interrupted"
          ? Promise.race([asked, pause(interrupt.lastStepMs, instead, { ref: false })])
          : asked;
      const [state, beads, unseen] = await Promise.all([
        soon(
          project.ledger.observe([]).then((view) => view.state),
          engine.state,
        ),
        // The run is over by now: a work source that cannot be read any more does not make it a failure.
        soon(
          source.all().catch(() => null),
          null,
        ),
        end.redBase ? unseenHere(project, { branch: wiring.branch, tip: end.redBase.head }) : null,
      ]);
      const unreleased = source.unreleased?.();
      const summary = summarise(state, engine.run, end, { beads, unseen, parent, only, unreleased });
      return { ...summary, failure: end.failure ?? summary.failure };
    } finally {
      stopLooking?.();
      stopListening();
      stopWatching();
    }
  } finally {
    await lock.release();
  }
}

/** `bootstrap` shuts the project's own commands in; those that prepare no clone do without. */
export function openClones(
  { config, root, projectHome, remote, openRemote }: WiredProject,
  bootstrap: ContainBootstrap | null = null,
): Clones {
  return new Clones({
    projectHome,
    operatorRepo: root,
    remote,
    openRemote,
    defaultBranch: config.default_branch,
    agentIdentity: AGENT,
    keepSpare: true,
    contain: bootstrap,
  });
}

/** Sortable, and readable enough to be typed. */
function newRunId(): string {
  const at = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${at}-${randomUUID().slice(0, 4)}`;
}

export async function livenessFile(file: string): Promise<EngineParts["liveness"]> {
  await writeFile(file, "", { mode: 0o600, flag: "a" });
  return { file, touch: (at) => utimes(file, at / 1000, at / 1000) };
}
