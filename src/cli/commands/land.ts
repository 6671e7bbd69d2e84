import { setTimeout as pause } from "node:timers/promises";
import { type Command, Option } from "commander";
import { DetachedProcesses } from "../../adapters/process/detached-processes.js";
import { docsPath } from "../../adapters/project/docs-path.js";
import { openWorkSource } from "../../adapters/work/open-work-source.js";
import type { LandOutcome } from "../../core/land/land-outcome.js";
import {
  landAdvice,
  landedOfLine,
  landWords,
  leftOutLine,
  withdrawingLine,
} from "../../core/replies/land/land.js";
import { landingJson, notLandableJson, requestRefusalJson } from "../../core/replies/land/landing-json.js";
import { requestAdvice } from "../../core/replies/land/request-advice.js";
import { pullLine } from "../../core/replies/land/unseen-work.js";
import { takenByRuns } from "../../core/replies/run/taken-by-runs.js";
import { landRequested } from "../../landing/land-next.js";
import type { LandingNews } from "../../landing/landing-news.js";
import { type LandingRequest, requestLanding } from "../../landing/request-landing.js";
import { settleLanding } from "../../landing/settle-landing.js";
import { UserError } from "../../lib/user-error.js";
import type { Surface } from "../program.js";
import { refuseUsage } from "../text/refuse-usage.js";
import { sayAdvice } from "../text/say-advice.js";
import { refusedWork, tellLanding } from "../text/tell-landing.js";
import type { Terminal } from "../text/terminal.js";
import { watchLanding } from "../text/watch-landing.js";
import { projectFolder } from "../wiring/project-folder.js";
import { readLedger } from "../wiring/read-ledger.js";
import { openClones } from "../wiring/start-engine.js";
import { ALIVE_SECONDS, stayAlive } from "../wiring/stay-alive.js";
import { unseenHere } from "../wiring/unseen-here.js";
import { type WiredLanding, wireLanding } from "../wiring/wire-landing.js";
import { type WiredProject, wireProject } from "../wiring/wire-project.js";
import { beadIds } from "./control.js";

interface LandFlags {
  readonly method?: "ff" | "squash";
  readonly allowProtected?: true;
  readonly allowSecrets?: true;
  readonly json?: true;
  readonly all?: true;
}

/** How often another landing on this machine is looked at. */
const BUSY_MS = 300;

export function addLand(surface: Surface): void {
  surface.program
    .command("land")
    .alias("merge")
    .description("put finished beads on the default branch, one after another: checks, gate, fast-forward")
    .argument("[bead...]", "which beads, in this order", beadIds)
    .option("--all", "every finished bead that nothing stands in the way of")
    .addOption(
      new Option("--method <method>", "keep every commit, or make one of them").choices(["ff", "squash"]),
    )
    .option("--allow-protected", "also when it changes .github/ or Makefile")
    .option("--allow-secrets", "also when it adds what looks like a secret: you looked, and it is none")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it; progress goes to standard error`)
    .action((beads: readonly string[], flags: LandFlags, command: Command) => {
      if ((beads.length === 0) === (flags.all === undefined)) refuseUsage(command, landAdvice.landWhat());
      return landBeads(surface, flags.all ? null : beads, flags);
    });
}

/** How one bead's landing ended, as it is told. */
interface Landed {
  readonly kind: "landing";
  readonly outcome: LandOutcome;
  readonly branch: string | null;
}

/** `asked` of null means all that are finished. */
async function landBeads(surface: Surface, asked: readonly string[] | null, flags: LandFlags): Promise<void> {
  const { program, terminal, version, exit } = surface;
  const project = await wireProject(projectFolder(program), version);
  const landing = await wireLanding(project, openClones(project), new DetachedProcesses());
  const say = flags.json ? terminal.err : terminal.out;
  try {
    const beads = asked ?? (await finishedBeads(project, say));
    const told: object[] = [];
    let branch: string | null = null;
    let head = "";
    let landed = 0;
    for (const bead of beads) {
      const one = await landOne(surface, { project, landing, bead, alone: asked?.length === 1 }, flags);
      told.push(one.json);
      if (one.ended?.outcome.kind === "landed") {
        landed += 1;
        branch = one.ended.branch ?? branch;
        head = one.ended.outcome.head;
      }
      // Whoever interrupts one landing wants none of those that follow.
      if (one.ended?.outcome.kind === "stopped") break;
    }
    if (flags.json) terminal.out(JSON.stringify(asked?.length === 1 ? told[0] : { landings: told }, null, 2));
    if (beads.length > 1) say(landedOfLine(landed, beads.length));
    if (landed > 0 && branch !== null && landing.repo.target === "remote") {
      const unseen = await unseenHere(project, { branch, tip: head });
      say(pullLine(project.config.ledger.remote, branch, unseen));
    }
    exit(landed === beads.length ? 0 : 1);
  } finally {
    await landing.close();
  }
}

/** Finished beads that nothing keeps from landing; what is left out is said, and why. */
async function finishedBeads(project: WiredProject, say: (line: string) => void): Promise<readonly string[]> {
  const { state } = await readLedger(project.ledger, say);
  const finished = takenByRuns(state, []).filter(({ status }) => status === "merge-pending");
  const free = finished.filter(({ next }) => next.kind === "land").map(({ bead }) => bead);
  for (const { bead, next } of finished) if (next.kind !== "land") say(leftOutLine(bead, next.text));
  if (free.length === 0) say(landWords.nothingFinished());
  return free;
}

interface OneLanding {
  readonly project: WiredProject;
  readonly landing: WiredLanding;
  readonly bead: string;
  /** Whatever is wrong with it is then the command's own failure. */
  readonly alone: boolean;
}

async function landOne(
  { terminal }: Surface,
  { project, landing, bead, alone }: OneLanding,
  flags: LandFlags,
): Promise<{ readonly json: object; readonly ended: Landed | null }> {
  try {
    const ended = await landBead(terminal, { project, landing, bead }, flags);
    if (ended.kind === "landing") return { json: landingJson(bead, ended.outcome, ended.branch), ended };
    sayAdvice(terminal, requestAdvice(bead, ended.refusal, docsPath("landing.md")));
    return { json: requestRefusalJson(bead, ended.refusal), ended: null };
  } catch (error) {
    if (alone || !(error instanceof UserError)) throw error;
    sayAdvice(terminal, error);
    return { json: notLandableJson(bead, error.message), ended: null };
  }
}

async function landBead(
  terminal: Terminal,
  { project, landing, bead }: Omit<OneLanding, "alone">,
  flags: LandFlags,
): Promise<Landed | Extract<LandingRequest, { kind: "refused" }>> {
  const { config, ledger } = project;
  const request = await requestLanding(
    { ledger, repo: landing.repo },
    {
      bead,
      method: flags.method ?? config.merge_method,
      methodAsked: flags.method !== undefined,
      allowProtected: flags.allowProtected ?? false,
      allowSecrets: flags.allowSecrets ?? false,
      signingRequired: config.signing.required,
    },
  );
  if (request.kind === "refused") return request;
  const say = flags.json ? terminal.err : terminal.out;
  const watched = watchLanding(terminal, { bead, draw: !flags.json, say });
  const onInterrupt = () => terminal.err(withdrawingLine(bead));
  const outcome =
    request.kind === "landed"
      ? request
      : await bringToEnd(project, landing, request, { report: watched.report, onInterrupt, flags }).finally(
          watched.stop,
        );
  // Told before anything is tidied up: what has landed has landed, whatever becomes of the rest.
  const { branch } = request.kind === "landed" ? request : request.landing;
  if (!flags.json)
    await tellLanding(terminal, bead, { outcome, branch, already: request.kind === "landed" }, () =>
      refusedWork(project, landing, bead),
    );
  if (outcome.kind === "landed" && !(request.kind === "landed" && request.settled))
    if (!(await settle(project, landing, bead, outcome.head)))
      terminal.err(landWords.notThere(bead, outcome.head));
  await ledger.share("now");
  return { kind: "landing", outcome, branch };
}

async function settle(
  project: WiredProject,
  { repo, folders }: WiredLanding,
  bead: string,
  head: string,
): Promise<boolean> {
  const { ledger } = project;
  const source = openWorkSource(project);
  const from = (await ledger.observe([])).state.slots[bead]?.candidate?.from ?? null;
  return settleLanding({ ledger, repo, source, folders }, bead, { head, from });
}

async function bringToEnd(
  project: WiredProject,
  landing: WiredLanding,
  request: Extract<LandingRequest, { kind: "requested" }>,
  {
    report,
    onInterrupt,
    flags,
  }: {
    readonly report: (news: LandingNews) => void;
    readonly onInterrupt: () => void;
    readonly flags: Pick<LandFlags, "allowSecrets">;
  },
): Promise<LandOutcome> {
  const { config, ledger } = project;
  return stayAlive(project, onInterrupt, (liveness, abort) => {
    const context = {
      parts: { ...landing, ledger, liveness, report },
      settings: { config, leaseSeconds: ALIVE_SECONDS },
      abort,
      asked: request.landing.id,
      allowSecrets: flags.allowSecrets ?? false,
    };
    return landRequested(request, context, () => pause(BUSY_MS));
  });
}
