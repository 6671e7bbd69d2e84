import { setTimeout as pause } from "node:timers/promises";
import type { LandTarget } from "../../../core/land/pull/land-target.js";
import { lastLines } from "../../../core/replies/land/gate.js";
import { landedLine, landWords } from "../../../core/replies/land/land.js";
import { carriedLines } from "../../../core/replies/land/pull/carried-text.js";
import { notQueuedJson, pullLandingJson } from "../../../core/replies/land/pull/pull-landing-json.js";
import {
  notQueuedAdvice,
  pullLandAdvice,
  pullLandLines,
  pullRefusedLines,
} from "../../../core/replies/land/pull/pull-terminal.js";
import { receiptLine } from "../../../core/replies/receipts/receipts.js";
import type { Landing } from "../../../core/run/ledger/ledger-state.js";
import { UserError } from "../../../lib/user-error.js";
import type { PullFacts } from "../../../ports/pulls.js";
import { landAskedPull } from "../../../pulls/land-asked-pull.js";
import type { PullLandEnd } from "../../../pulls/land-pull.js";
import { requestPullLanding } from "../../../pulls/request-pull-landing.js";
import { MERGED_WITHIN_MS, tidyLanded } from "../../../pulls/tidy-landed.js";
import type { WiredLanding } from "../../../wiring/wire-landing.js";
import type { WiredProject } from "../../../wiring/wire-project.js";
import type { Surface } from "../../program.js";
import { sayAdvice } from "../../text/say-advice.js";
import { watchLanding } from "../../text/watch-landing.js";
import type { WiredPullLanding } from "../../wiring/pulls/wire-pull-landing.js";
import { settleHere } from "../../wiring/settle-here.js";
import { ALIVE_SECONDS, stayAlive } from "../../wiring/stay-alive.js";

/** How the landing of one bead or pull request ended, for whoever asked for several. */
export interface EndedLanding {
  readonly json: object;
  readonly landed: { readonly head: string; readonly branch: string | null } | null;
  /** Whoever asked does not want to wait any longer. */
  readonly stopped: boolean;
}

interface LandOneParts {
  readonly project: WiredProject;
  readonly landing: WiredLanding;
  readonly pulls: () => Promise<WiredPullLanding>;
  readonly flags: {
    readonly method?: "ff" | "squash";
    readonly allowProtected?: true;
    readonly json?: true;
  };
}

/** What one landing works with. */
interface Context extends Omit<LandOneParts, "pulls"> {
  readonly terminal: Surface["terminal"];
  readonly wired: WiredPullLanding;
  readonly pull: PullFacts;
  /** What the operator called it. */
  readonly name: string;
  readonly bead: string | null;
}

/** How often GitHub is asked whether it shows a landed pull request as merged. */
const MERGED_MS = 2_000;

/** Lands one pull request, or goes on with a landing that was cut off. */
export async function landOnePull(
  { terminal }: Surface,
  parts: LandOneParts,
  { target, pull: number }: { readonly target: LandTarget; readonly pull: number },
): Promise<EndedLanding> {
  const { project, flags } = parts;
  const wired = await parts.pulls();
  if (target.kind === "pull" && target.place !== null) wired.requireOwn(target.place);
  const pull = await wired.pulls.read(number);
  if (pull === null) throw UserError.of(pullLandAdvice.noSuchPull(number, wired.repository));
  const name = target.kind === "bead" ? target.bead : `#${number}`;
  const request = await requestPullLanding({ ledger: project.ledger, pulls: wired.pulls }, pull, {
    method: flags.method ?? project.config.merge_method,
    methodAsked: flags.method !== undefined,
    allowProtected: flags.allowProtected ?? false,
    by: wired.settings.requester?.login ?? null,
  });
  const { state } = await project.ledger.observe([]);
  const slot = Object.values(state.slots).find((each) => each.pull?.number === number);
  const bead = slot?.bead ?? null;
  const context = { ...parts, terminal, wired, pull, name, bead };
  switch (request.kind) {
    case "refused":
      sayAdvice(terminal, notQueuedAdvice(name, number, request.refusal));
      return { json: notQueuedJson({ pull: number, bead }, request.refusal), landed: null, stopped: false };
    case "landed":
      return stayAlive(
        project,
        () => {},
        async (_, abort) => landedEnd(context, { outcome: request, already: true, abort }),
      );
    case "requested":
      return landRequest(context, request.landing);
  }
}

async function landRequest(context: Context, landing: Landing): Promise<EndedLanding> {
  const { project, terminal, name, pull, bead } = context;
  const onInterrupt = () => terminal.err(pullLandLines.leaving(name));
  return stayAlive(project, onInterrupt, async (liveness, abort) => {
    const outcome = await bringToEnd(context, landing, { liveness, abort });
    if (outcome.kind === "landed") return landedEnd(context, { outcome, already: false, abort });
    tellUnlanded(context, outcome);
    await project.ledger.share("now");
    const json = pullLandingJson({ pull: pull.number, bead }, outcome, landing.branch);
    return { json, landed: null, stopped: outcome.kind === "stopped" };
  });
}

async function bringToEnd(
  { project, wired, flags, terminal, name }: Context,
  landing: Landing,
  during: { readonly liveness: { readonly file: string }; readonly abort: AbortSignal },
): Promise<PullLandEnd> {
  const { liveness, abort } = during;
  const say = flags.json ? terminal.err : terminal.out;
  const watched = watchLanding(terminal, { bead: name, draw: !flags.json, say });
  const outcome = await landAskedPull(
    { ...wired.parts, liveness, report: watched.report, pause: (ms) => pauseUnless(abort, ms) },
    {
      ...{ ...wired.settings, config: project.config, leaseSeconds: ALIVE_SECONDS },
      ...{ allowProtected: flags.allowProtected ?? false, name, abort },
    },
    landing,
  ).finally(watched.stop);
  if (outcome.kind !== "gone") return outcome;
  // The App may have landed it; of a pull request without a bead the ledger keeps nothing.
  const now = await wired.pulls.read(landing.pull ?? 0);
  const head = now?.merged == null ? null : (now.merged.commit ?? now.head.sha);
  return head === null ? outcome : { kind: "landed", head };
}

async function landedEnd(
  context: Context,
  {
    outcome,
    already,
    abort,
  }: {
    readonly outcome: Omit<Extract<PullLandEnd, { readonly kind: "landed" }>, "kind">;
    readonly already: boolean;
    readonly abort: AbortSignal;
  },
): Promise<EndedLanding> {
  const { project, landing, terminal, wired, pull, bead, name, flags } = context;
  const { head, receipt, carried } = outcome;
  const { branch } = pull.base;
  // Told before anything is tidied up: what has landed has landed, whatever becomes of the rest.
  if (!flags.json) {
    terminal.out(landedLine(name, head, branch, already));
    if (receipt !== undefined) terminal.out(`  ${receiptLine(receipt, head, landing.signer !== null)}`);
    if (carried !== undefined) {
      const compared = await wired.parts.repo.compare(carried);
      const url = pull.url.replace(/\/pull\/\d+$/, "");
      for (const line of carriedLines(carried, compared, url)) terminal.out(line);
    }
  }
  await awaitMerged(context, head, abort);
  const slot = (await project.ledger.observe([])).state.slots[bead ?? ""];
  if (slot?.status === "merged" && !slot.settled)
    if (!(await settleHere(project, landing, slot.bead, head)))
      terminal.err(landWords.notThere(slot.bead, head));
  await project.ledger.share("now");
  const json = pullLandingJson({ pull: pull.number, bead }, { kind: "landed", ...outcome }, branch);
  return { json, landed: { head, branch }, stopped: false };
}

/** GitHub marks it as merged by itself; its branch goes only then. */
async function awaitMerged(context: Context, head: string, abort: AbortSignal): Promise<void> {
  const { wired, terminal, pull, name, flags } = context;
  const say = flags.json ? terminal.err : terminal.out;
  const until = Date.now() + MERGED_WITHIN_MS;
  for (let looks = 0; ; looks += 1) {
    const shown = await tidyLanded(wired.pulls, { pull: pull.number, head });
    if (shown !== "open") return;
    if (abort.aborted || Date.now() > until) {
      terminal.err(pullLandLines.notMerged(name));
      return;
    }
    if (looks === 0) say(pullLandLines.merging(name));
    await pauseUnless(abort, MERGED_MS);
  }
}

function tellUnlanded(
  { terminal, name, pull }: Context,
  outcome: Exclude<PullLandEnd, { readonly kind: "landed" }>,
): void {
  switch (outcome.kind) {
    case "refused": {
      const { refusal } = outcome;
      if (refusal.code === "gate_failed" || refusal.code === "base_red")
        terminal.err(lastLines(refusal.output));
      for (const line of pullRefusedLines(name, pull.number, outcome)) terminal.err(line);
      return;
    }
    case "gone":
      terminal.err(pullLandLines.gone(name));
      return;
    case "held":
      terminal.err(pullLandLines.held(name));
      return;
    case "stopped":
    case "waiting":
      terminal.err(pullLandLines.left(name, pull.number));
  }
}

async function pauseUnless(abort: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal: abort }).catch(() => {});
}
