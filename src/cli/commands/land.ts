import { setTimeout as pause } from "node:timers/promises";
import { type Command, Option } from "commander";
import { docsPath } from "../../adapters/project/docs-path.js";
import type { LandOutcome } from "../../core/land/land-outcome.js";
import { type LandTarget, pullToLand } from "../../core/land/pull/land-target.js";
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
import { UserError } from "../../lib/user-error.js";
import { unseenHere } from "../../wiring/unseen-here.js";
import type { WiredLanding } from "../../wiring/wire-landing.js";
import { type WiredProject, wireProject } from "../../wiring/wire-project.js";
import type { Surface } from "../program.js";
import { refuseUsage } from "../text/refuse-usage.js";
import { sayAdvice } from "../text/say-advice.js";
import { refusedWork, tellLanding } from "../text/tell-landing.js";
import type { Terminal } from "../text/terminal.js";
import { watchLanding } from "../text/watch-landing.js";
import { projectFolder } from "../wiring/project-folder.js";
import { type WiredPullLanding, wirePullLanding } from "../wiring/pulls/wire-pull-landing.js";
import { readLedger } from "../wiring/read-ledger.js";
import { settleHere } from "../wiring/settle-here.js";
import { ALIVE_SECONDS, stayAlive } from "../wiring/stay-alive.js";
import { wireContained } from "../wiring/wire-contained.js";
import { cancelLandings } from "./pulls/cancel-landings.js";
import { type EndedLanding, landOnePull } from "./pulls/land-one-pull.js";
import { readyPulls } from "./pulls/ready-pulls.js";

export interface LandFlags {
  readonly method?: "ff" | "squash";
  readonly allowProtected?: true;
  readonly allowSecrets?: true;
  readonly json?: true;
  readonly all?: true;
  readonly cancel?: true;
}

/** How often another landing on this machine is looked at. */
const BUSY_MS = 300;

export function addLand(command: Command, surface: Surface): void {
  command
    .option(
      "--all",
      "every finished bead and every bead's open pull request that nothing stands in the way of",
    )
    .addOption(
      new Option("--method <method>", "keep every commit, or make one of them").choices(["ff", "squash"]),
    )
    .option("--cancel", "take pull requests out of the landing queue, whoever asked for them")
    .option("--allow-protected", "also when it changes .github/ or Makefile")
    .option("--allow-secrets", "also when it adds what looks like a secret: you looked, and it is none")
    .option("--json", `print JSON, as ${docsPath("json.md")} describes it; progress goes to standard error`)
    .action((targets: readonly LandTarget[], flags: LandFlags) => {
      if ((targets.length === 0) === (flags.all === undefined)) refuseUsage(command, landAdvice.landWhat());
      if (flags.cancel) {
        if (hasLandFlags(flags)) refuseUsage(command, landAdvice.cancelAlone());
        return cancelLandings(surface, targets, flags);
      }
      return landTargets(surface, flags.all ? null : targets, flags);
    });
}

function hasLandFlags({ all, method, allowProtected, allowSecrets }: LandFlags): boolean {
  return [all, method, allowProtected, allowSecrets].some((flag) => flag !== undefined);
}

/** `asked` of null means all that are finished. */
async function landTargets(
  surface: Surface,
  asked: readonly LandTarget[] | null,
  flags: LandFlags,
): Promise<void> {
  const { program, terminal, version, exit } = surface;
  const project = await wireProject(projectFolder(program), version);
  const landing = await wireContained(project);
  const say = flags.json ? terminal.err : terminal.out;
  try {
    const parts = { project, landing, pulls: once(() => wirePullLanding(project, landing)), flags };
    const targets = asked ?? (await finishedBeads(parts, say));
    const told: object[] = [];
    const landed: NonNullable<EndedLanding["landed"]>[] = [];
    for (const target of targets) {
      const ended = await landOne(surface, parts, { target, alone: asked?.length === 1 });
      told.push(ended.json);
      if (ended.landed !== null) landed.push(ended.landed);
      // Whoever interrupts one landing wants none of those that follow.
      if (ended.stopped) break;
    }
    if (flags.json) terminal.out(JSON.stringify(asked?.length === 1 ? told[0] : { landings: told }, null, 2));
    if (targets.length > 1) say(landedOfLine(landed.length, targets.length));
    await tellPull(parts, landed, say);
    exit(landed.length === targets.length ? 0 : 1);
  } finally {
    await landing.close();
  }
}

/** Where a remote has the landings, the last of them tells how they come into the operator's checkout. */
async function tellPull(
  { project, landing }: Pick<LandParts, "project" | "landing">,
  landed: readonly NonNullable<EndedLanding["landed"]>[],
  say: (line: string) => void,
): Promise<void> {
  const last = landed.at(-1);
  const branch = landed.findLast((each) => each.branch !== null)?.branch ?? null;
  if (last === undefined || branch === null || landing.repo.target !== "remote") return;
  const unseen = await unseenHere(project, { branch, tip: last.head });
  say(pullLine(project.config.ledger.remote, branch, unseen));
}

/** The way to GitHub is looked for when the first pull request wants it. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** Finished beads, and those with an open pull request, that nothing keeps from landing; what is left out is said, and why. */
async function finishedBeads(
  { project, pulls, flags }: LandParts,
  say: (line: string) => void,
): Promise<readonly LandTarget[]> {
  const { state } = await readLedger(project.ledger, say);
  const finished = takenByRuns(state, []).filter(
    ({ status }) => status === "merge-pending" || status === "pr-opened",
  );
  const free = new Set(finished.filter(({ next }) => next.kind === "land").map(({ bead }) => bead));
  const opened = finished.filter(({ next }) => next.kind === "pull");
  for (const { bead, next } of finished)
    if (next.kind !== "land" && next.kind !== "pull") say(leftOutLine(bead, next.text));
  const method = flags.method ?? project.config.merge_method;
  const slots = opened.flatMap(({ bead }) => state.slots[bead] ?? []);
  for (const bead of await readyPulls({ project, pulls, method, say }, slots)) free.add(bead);
  if (free.size === 0) say(landWords.nothingFinished());
  return finished.flatMap(({ bead }) => (free.has(bead) ? [{ kind: "bead", bead } as const] : []));
}

interface LandParts {
  readonly project: WiredProject;
  readonly landing: WiredLanding;
  readonly pulls: () => Promise<WiredPullLanding>;
  readonly flags: LandFlags;
}

async function landOne(
  surface: Surface,
  parts: LandParts,
  /** Alone, whatever is wrong with it is the command's own failure. */
  { target, alone }: { readonly target: LandTarget; readonly alone: boolean },
): Promise<EndedLanding> {
  const { terminal } = surface;
  try {
    const { state } = await parts.project.ledger.refresh();
    const pull = pullToLand(target, state.slots);
    if (pull !== null) return await landOnePull(surface, parts, { target, pull });
    if (target.kind === "pull") throw new Error("a pull request that is none");
    return await landOneBead(terminal, parts, target.bead);
  } catch (error) {
    if (alone || !(error instanceof UserError)) throw error;
    sayAdvice(terminal, error);
    const json = notLandableJson(target.kind === "pull" ? `#${target.pull}` : target.bead, error.message);
    return { json, landed: null, stopped: false };
  }
}

async function landOneBead(terminal: Terminal, parts: LandParts, bead: string): Promise<EndedLanding> {
  const ended = await landBead(terminal, parts, bead);
  if (ended.kind === "refused") {
    sayAdvice(terminal, requestAdvice(bead, ended.refusal, docsPath("landing.md")));
    return { json: requestRefusalJson(bead, ended.refusal), landed: null, stopped: false };
  }
  const { outcome, branch } = ended;
  return {
    json: landingJson(bead, outcome, branch),
    landed: outcome.kind === "landed" ? { head: outcome.head, branch } : null,
    stopped: outcome.kind === "stopped",
  };
}

/** How one bead's landing ended, as it is told. */
interface Landed {
  readonly kind: "landing";
  readonly outcome: LandOutcome;
  readonly branch: string | null;
}

async function landBead(
  terminal: Terminal,
  { project, landing, flags }: LandParts,
  bead: string,
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
    await tellLanding(
      terminal,
      bead,
      { outcome, branch, already: request.kind === "landed", signed: landing.signer !== null },
      () => refusedWork(project, bead),
    );
  if (outcome.kind === "landed" && !(request.kind === "landed" && request.settled))
    if (!(await settleHere(project, landing, bead, outcome.head)))
      terminal.err(landWords.notThere(bead, outcome.head));
  await ledger.share("now");
  return { kind: "landing", outcome, branch };
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
