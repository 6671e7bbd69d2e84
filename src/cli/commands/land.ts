import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Option } from "commander";
import { RunFolders } from "../../adapters/home/run-folders.js";
import { DetachedProcesses } from "../../adapters/process/detached-processes.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { openWorkSource } from "../../adapters/work/open-work-source.js";
import type { LandOutcome } from "../../core/land/land-outcome.js";
import { landWords, withdrawingLine } from "../../core/replies/land/land.js";
import { landingJson, requestRefusalJson } from "../../core/replies/land/landing-json.js";
import { requestAdvice } from "../../core/replies/land/request-advice.js";
import { landRequested } from "../../landing/land-next.js";
import type { LandingNews } from "../../landing/landing-news.js";
import { type LandingRequest, requestLanding } from "../../landing/request-landing.js";
import { settleLanding } from "../../landing/settle-landing.js";
import { UserError } from "../../lib/user-error.js";
import type { Surface } from "../program.js";
import { newsText } from "../text/news-text.js";
import { refusedWork, tellLanding } from "../text/tell-landing.js";
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
    if (request.kind === "refused") {
      if (flags.json) terminal.out(JSON.stringify(requestRefusalJson(bead, request.refusal), null, 2));
      throw UserError.of(requestAdvice(bead, request.refusal));
    }
    const say = flags.json ? terminal.err : terminal.out;
    // How it ends is told below.
    const report = (news: LandingNews) => {
      if (news.kind === "landing") say(newsText(news, terminal.paint));
    };
    const onInterrupt = () => terminal.err(withdrawingLine(bead));
    const outcome =
      request.kind === "landed"
        ? request
        : await bringToEnd(project, landing, request, { report, onInterrupt });
    // Told before anything is tidied up: what has landed has landed, whatever becomes of the rest.
    const { branch } = request.kind === "landed" ? request : request.landing;
    if (flags.json) terminal.out(JSON.stringify(landingJson(bead, outcome, branch), null, 2));
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

async function bringToEnd(
  project: WiredProject,
  landing: WiredLanding,
  request: Extract<LandingRequest, { kind: "requested" }>,
  { report, onInterrupt }: { readonly report: (news: LandingNews) => void; readonly onInterrupt: () => void },
): Promise<LandOutcome> {
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
  const folders = new RunFolders(home, config.project_id);
  const context = {
    parts: { ...landing, ledger, folders, liveness, report },
    settings: { config, leaseSeconds: LEASE_SECONDS },
    abort: abort.signal,
    asked: request.landing.id,
  };
  try {
    return await landRequested(request, context, () => pause(BUSY_MS));
  } finally {
    clearInterval(beating);
    for (const signal of INTERRUPTS) process.off(signal, interrupt);
  }
}
