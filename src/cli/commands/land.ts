import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Option } from "commander";
import { RunFolders } from "../../adapters/home/run-folders.js";
import { DetachedProcesses } from "../../adapters/process/detached-processes.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { openWorkSource } from "../../adapters/work/open-work-source.js";
import { landWords, withdrawingLine } from "../../core/replies/land/land.js";
import { landNext } from "../../engine/land-next.js";
import type { LandOutcome } from "../../landing/land.js";
import { type LandingRequest, requestLanding, withdrawLanding } from "../../landing/request-landing.js";
import { settleLanding } from "../../landing/settle-landing.js";
import type { Surface } from "../program.js";
import { newsText } from "../text/news-text.js";
import { outcomeJson, refusedWork, tellLanding } from "../text/tell-landing.js";
import { projectFolder } from "../wiring/project-folder.js";
import { livenessFile, openClones } from "../wiring/start-engine.js";
import { type WiredLanding, wireLanding } from "../wiring/wire-landing.js";
import { type WiredProject, wireProject } from "../wiring/wire-project.js";
import { beadId } from "./control.js";

interface LandFlags {
  readonly method?: "ff" | "squash";
  readonly allowProtected?: true;
  readonly json?: true;
}

/** How often another landing on this machine is looked at, and how often our gate is shown to be alive. */
const BUSY_MS = 300;
const ALIVE_MS = 5_000;
const LEASE_SECONDS = 60;

/** A terminal that is closed takes a landing back as Ctrl-C does. */
const INTERRUPTS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function addLand(surface: Surface): void {
  surface.program
    .command("land")
    .alias("merge")
    .description("put a finished bead on the default branch: checks, gate, fast-forward")
    .argument("<bead>", "which bead", beadId)
    .addOption(
      new Option("--method <method>", "keep every commit, or make one of them").choices(["ff", "squash"]),
    )
    .option("--allow-protected", "also when it changes .github/ or Makefile")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it; progress goes to standard error`)
    .action((bead: string, flags: LandFlags) => landBead(surface, bead, flags));
}

async function landBead(surface: Surface, bead: string, flags: LandFlags): Promise<void> {
  const { program, terminal, version, exit } = surface;
  const project = await wireProject(projectFolder(program), version);
  const processes = new DetachedProcesses();
  const landing = await wireLanding(project, openClones(project), processes);
  try {
    const { config, ledger } = project;
    const request = await requestLanding(
      { ledger, repo: landing.repo },
      {
        bead,
        method: flags.method ?? config.merge_method,
        methodAsked: flags.method !== undefined,
        allowProtected: flags.allowProtected ?? false,
        signingRequired: config.signing.required,
      },
    );
    const say = flags.json ? terminal.err : terminal.out;
    const outcome = await bringToEnd(project, landing, request, {
      // How it ends is told below.
      report: (news) => {
        if (news.kind === "landing") say(newsText(news, terminal.paint));
      },
      onInterrupt: () => terminal.err(withdrawingLine(bead)),
    });
    // Told before anything is tidied up: what has landed has landed, whatever becomes of the rest.
    const { branch } = request.kind === "landed" ? request : request.landing;
    if (flags.json) terminal.out(JSON.stringify(outcomeJson(bead, outcome, branch), null, 2));
    else await tellLanding(terminal, bead, { outcome, branch }, () => refusedWork(project, landing, bead));
    if (outcome.kind === "landed" && !(request.kind === "landed" && request.settled))
      if (!(await settle(project, landing, bead, outcome.head)))
        terminal.err(landWords.notThere(bead, outcome.head));
    await ledger.share("now");
    exit(outcome.kind === "landed" ? 0 : 1);
  } finally {
    await landing.close();
  }
}

async function settle(
  project: WiredProject,
  { repo }: WiredLanding,
  bead: string,
  head: string,
): Promise<boolean> {
  const { ledger, home, config } = project;
  const source = openWorkSource(project);
  const folders = new RunFolders(home, config.project_id);
  const from = (await ledger.observe([])).state.slots[bead]?.candidate?.from ?? null;
  return settleLanding({ ledger, repo, source, folders }, bead, { head, from });
}

type Report = Parameters<typeof landNext>[2]["parts"]["report"];

async function bringToEnd(
  project: WiredProject,
  landing: WiredLanding,
  request: LandingRequest,
  { report, onInterrupt }: { readonly report: Report; readonly onInterrupt: () => void },
): Promise<LandOutcome> {
  if (request.kind === "landed") return request;
  const { config, home, ledger, projectHome } = project;
  const liveness = await livenessFile(join(projectHome, "land.alive"));
  await liveness.touch(Date.now());
  const beating = setInterval(() => void liveness.touch(Date.now()).catch(() => {}), ALIVE_MS);
  const abort = new AbortController();
  // Further ones change nothing: what is under way is being ended, and the request is taken back after that.
  const interrupt = () => {
    if (!abort.signal.aborted) onInterrupt();
    abort.abort();
  };
  for (const signal of INTERRUPTS) process.on(signal, interrupt);
  const parts = {
    ...landing,
    ledger,
    folders: new RunFolders(home, config.project_id),
    liveness,
    report,
  };
  const context = {
    parts,
    settings: { config, leaseSeconds: LEASE_SECONDS },
    abort: abort.signal,
    asked: request.landing.id,
  };
  try {
    for (;;) {
      const outcome = await landNext(request.slot, request.landing.id, context);
      if (
        outcome?.kind === "stopped" ||
        outcome?.kind === "held" ||
        (outcome === null && abort.signal.aborted)
      ) {
        // An engine that asked for it goes on with it.
        if (request.landing.by === "operator") await withdrawLanding(ledger, request.landing);
        return outcome ?? { kind: "stopped" };
      }
      if (outcome?.kind === "gone") return await endElsewhere(project, request.landing.bead);
      if (outcome !== null) return outcome;
      await pause(BUSY_MS);
    }
  } finally {
    clearInterval(beating);
    for (const signal of INTERRUPTS) process.off(signal, interrupt);
  }
}

/** An engine, or another person, brought it to its end while we waited. */
async function endElsewhere({ ledger }: WiredProject, bead: string): Promise<LandOutcome> {
  const slot = (await ledger.refresh()).state.slots[bead];
  return slot?.status === "merged" && slot.landed !== null
    ? { kind: "landed", head: slot.landed }
    : { kind: "gone" };
}
