import { type ArrivedMove, decideLanding } from "../core/land/decide-landing.js";
import type { LandRules } from "../core/land/judge-branch.js";
import type { LandOutcome } from "../core/land/land-outcome.js";
import type { LandProgress, RunningCommand } from "../core/land/land-progress.js";
import type { LandRefusal } from "../core/land/refusal.js";
import { squashMessage } from "../core/land/squash-message.js";
import { landAdvice, landWords } from "../core/replies/land/land.js";
import { landingRace } from "../core/replies/land/landing-race.js";
import type { Landing } from "../core/run/ledger/ledger-state.js";
import { UserError } from "../lib/user-error.js";
import type { Gate } from "../ports/gate.js";
import type { Ledger } from "../ports/ledger.js";
import { OutsideFault } from "../ports/outside-fault.js";
import type { Receipts } from "../ports/receipts.js";
import type { Candidate, Repo } from "../ports/repo.js";
import type { GateSettings } from "./ask-base.js";
import { type AskBase, judgeRed } from "./judge-red.js";
import { type KnownFacts, LandingFacts } from "./landing-facts.js";
import type { PullOpener } from "./pull-opener.js";
import { pushLanding, recordLanding } from "./push-landing.js";
import { refuseLanding } from "./refuse-landing.js";
import { remakeCandidate } from "./remake-candidate.js";
import {
  claimsOf,
  type ReceiptSlot,
  type ReceiptText,
  receiptText,
  recoverReceipt,
  UNWITNESSED,
} from "./write-receipt.js";

export interface LandParts {
  readonly ledger: Ledger;
  readonly repo: Repo;
  readonly gate: Gate;
  readonly receipts: Receipts;
  /** Absent where nothing but landings is asked for. */
  readonly opener?: PullOpener | undefined;
  /** Keeps the report of a refusal where the next agent finds it; called before the refusal is recorded. */
  readonly keepReport: (landing: Landing, refusal: LandRefusal) => Promise<void>;
  readonly progress: (landing: Landing, step: LandProgress) => void;
}

export interface LandSettings {
  readonly rules: Omit<LandRules, "method" | "allowProtected">;
  readonly slot: ReceiptSlot;
  /** The agents' commit that the accepted candidate was made from, and its base; null when none was accepted. */
  readonly accepted: { readonly from: string; readonly base: string } | null;
  /** What the gate runs, bootstrap first, and where its files go. */
  readonly gate: GateSettings & { readonly folder: (landing: Landing) => Promise<string> };
  /** An engine tries again by itself, for as long as it takes; a person is told at once. */
  readonly waitsForCheckout: boolean;
  /** Absent where the default branch may be red: then a red gate is always the work's own. */
  readonly askBase?: AskBase | undefined;
  readonly abort: AbortSignal;
}

/**
 * Brings one landing to its end. Facts are gathered anew before every step, so what lands was checked in exactly
 * the form in which it lands, on the default branch as it then is. It may be repeated at any time: what an
 * earlier call did shows in the ledger, in the gate's folder and in the default branch itself.
 */
export async function land(parts: LandParts, settings: LandSettings, request: Landing): Promise<LandOutcome> {
  const { repo } = parts;
  const facts = new LandingFacts(parts, settings.rules);
  let landing = request;
  for (;;) {
    if (settings.abort.aborted) return { kind: "stopped" };
    const known = await facts.read(landing);
    const candidate = { base: landing.base, head: landing.head };
    const step = decideLanding(known);
    switch (step.kind) {
      case "held":
      case "landed":
      case "gone":
        return step;
      case "record":
        return record(parts, settings, landing, step.move);
      case "make": {
        const again = await remakeCandidate(repo, landing.bead, settings.accepted);
        if (again === null) return refuse(parts, landing, { kind: "no_candidate" }, "theirs");
        landing = await replaced(parts, landing, again, false);
        break;
      }
      case "refuse":
        return refuse(parts, landing, step.refusal);
      case "refused-by-checkout":
        if (settings.waitsForCheckout) throw new OutsideFault(landAdvice.checkout(step.why));
        return refuse(parts, landing, { kind: "push_refused", why: step.why });
      case "rebase": {
        const { tip } = known.base;
        const rebased = await repo.rebase(landing.bead, candidate, tip);
        if (rebased.kind === "conflict")
          return refuse(parts, landing, { kind: "conflict", files: rebased.files });
        if (rebased.kind === "merges")
          return refuse(parts, landing, { kind: "unsupported", findings: [landWords.merges()] });
        parts.progress(landing, { kind: "rebased", onto: tip, head: rebased.head });
        landing = await replaced(parts, landing, { base: tip, head: rebased.head }, true);
        break;
      }
      case "squash": {
        const message = squashMessage(landing.bead, settings.slot.title, known.commits);
        const head = await repo.squash(landing.bead, candidate, message);
        landing = await replaced(parts, landing, { base: candidate.base, head }, false);
        break;
      }
      case "gate": {
        parts.progress(landing, { kind: "gate", head: landing.head });
        const answer = await runGate(parts, settings, landing);
        if (answer.kind === "stopped") return { kind: "stopped" };
        if (answer.kind === "red") {
          const refusal = await judgeRed(answer, {
            base: landing.base,
            askBase: settings.askBase,
            tell: (told) => parts.progress(landing, told),
          });
          return refusal === null ? { kind: "stopped" } : refuse(parts, landing, refusal);
        }
        facts.passed(landing.head);
        break;
      }
      case "land": {
        parts.progress(landing, { kind: "pushing", head: landing.head });
        const receipt = await receiptOf(parts, settings, landing, known, facts);
        const pushed = await pushLanding(parts, { landing, base: known.base, receipt });
        // The branch or the ledger moved in between: everything is decided again.
        if (pushed.kind === "lost") break;
        return pushed.kind === "refused" ? refuse(parts, landing, pushed.refusal) : pushed;
      }
      case "open": {
        parts.progress(landing, { kind: "opening", head: landing.head });
        const opened = await openerOf(parts).open(landing, known.commits);
        return opened.kind === "refused" ? refuse(parts, landing, opened.refusal) : opened;
      }
    }
  }
}

/** A landing that is on the branch, and not in the ledger. What nobody announced, somebody else has put there. */
async function record(
  parts: LandParts,
  { slot }: LandSettings,
  landing: Landing,
  move: ArrivedMove,
): Promise<LandOutcome> {
  const receipt =
    landing.intended === null
      ? undefined
      : await recoverReceipt(parts, { landing, slot, move, witnessed: UNWITNESSED });
  return recordLanding(parts.ledger, landing, move, { receipt });
}

async function receiptOf(
  { receipts }: LandParts,
  { slot, gate }: LandSettings,
  landing: Landing,
  { base, commits, tree }: KnownFacts,
  facts: LandingFacts,
): Promise<ReceiptText> {
  const signatures = await facts.signaturesOf(landing, base);
  const move = { from: base.tip, head: landing.head };
  const claims = claimsOf(slot, { commands: receipts.digest(gate.commands), result: "green" });
  return receiptText(landing, slot, { move, range: { commits, tree }, signatures }, claims);
}

function openerOf({ opener }: LandParts): PullOpener {
  if (opener === undefined) throw new Error("a pull request is to be opened where nobody can");
  return opener;
}

async function runGate(
  { gate, progress }: LandParts,
  { gate: facts, abort }: LandSettings,
  landing: Landing,
) {
  const { commands, wallSeconds, livenessFile, leaseSeconds } = facts;
  const { bead, head } = landing;
  const folder = await facts.folder(landing);
  const onCommand = (running: RunningCommand) => progress(landing, { kind: "command", ...running });
  return gate.run({
    bead,
    head,
    commands,
    accept: "green",
    folder,
    wallSeconds,
    livenessFile,
    leaseSeconds,
    abort,
    onCommand,
  });
}

/** The landing goes on with other commits; whoever takes it up after a crash goes on with them, too. */
async function replaced(
  { repo, ledger }: LandParts,
  landing: Landing,
  { base, head }: Candidate,
  moved: boolean,
): Promise<Landing> {
  await repo.keep(landing.bead, head);
  const data = { request: landing.id, base, head, moved };
  await ledger.observe([{ type: "land.rebased", bead: landing.bead, data }]);
  return { ...landing, base, head, moves: landing.moves + (moved ? 1 : 0) };
}

async function refuse(
  parts: LandParts,
  landing: Landing,
  refusal: LandRefusal,
  push: "ours" | "theirs" = "ours",
): Promise<LandOutcome> {
  const { ledger, repo } = parts;
  await parts.keepReport(landing, refusal);
  const answer = await refuseLanding(ledger, landing, refusal, async (intended) => {
    const { tip } = await repo.fetchBase();
    // Ours has failed by now; another machine's may still arrive.
    const mayArrive = tip === intended.from && (push === "theirs" || intended.head !== landing.head);
    return mayArrive || (await repo.isAncestor(intended.head, tip));
  });
  switch (answer.kind) {
    case "refused":
      return { kind: "refused", refusal };
    case "landed":
    case "gone":
      return answer;
    case "announced":
      throw UserError.of(landingRace.announced(landing.bead));
  }
}
