import type { Paint } from "../../../lib/paint.js";
import { plainLines, plainText } from "../../../lib/plain-text.js";
import { shellWord } from "../../../lib/shell-word.js";
import { agoText } from "../../../lib/time-text.js";
import type { Hold } from "../../run/ledger/ledger-state.js";
import type { Slot } from "../../run/ledger/slot.js";
import type { WorkRange } from "../../run/plan/work-range.js";
import { shortSha } from "../land/quote.js";
import { flagLine } from "../land/work-flags.js";
import { nextOfSlot } from "../run/next-of-slot.js";
import { standsText } from "../run/reason-text.js";
import { reportOfSlot } from "../run/report-of-slot.js";
import { statusWord } from "./status-word.js";

/** Everything that is known of one bead's work. */
export interface BeadPage {
  readonly slot: Slot;
  readonly hold: Hold | undefined;
  /** Whether a run is, which may have it in hand. */
  readonly underWay: boolean;
  /** Null while there are no commits. */
  readonly range: WorkRange | null;
  /** Null when its commits are not on this machine. */
  readonly work: {
    readonly commits: readonly { readonly sha: string; readonly subject: string }[];
    readonly stat: string;
  } | null;
  /** The engine's own repository, the bead's clone (null when it is gone), and its last attempt's files. */
  readonly repository: string;
  readonly clone: string | null;
  readonly folder: string;
}

const MOST_COMMITS = 20;

/** What `koryph show` prints. */
export function beadPageText(page: BeadPage, now: number, paint: Paint): string[] {
  const { slot, hold } = page;
  const { bead, status, title } = slot;
  const rows = [
    ["next", nextOfSlot(slot, hold, page.underWay).text],
    ["why", standsText(slot)],
    ["attempt", attemptText(slot)],
    ["review", reviewText(slot)],
    ["gate", gateText(slot)],
    ["look at", plainText(flagLine(slot))],
    ["pull", slot.pull === null ? "" : plainText(`#${slot.pull.number} ${slot.pull.url}`)],
    ["clone", page.clone === null ? "" : plainText(page.clone)],
    ["files", plainText(page.folder)],
  ];
  return [
    `${paint.heading(bead)}  ${statusWord(status)}, ${plainText(agoText(slot.at, now))}: ${plainText(title)}`,
    ...rows.flatMap(([name = "", text = ""]) => (text === "" ? [] : [`  ${name.padEnd(9)}${text}`])),
    ...workLines(page, paint),
  ];
}

function attemptText({ tries, model, modelWhy, runtime, costUsd, costKnown, outcome }: Slot): string {
  const told = costUsd > 0 || (costKnown && outcome !== null);
  const cost = told ? `, ${costKnown ? "" : "about "}$${costUsd.toFixed(2)}` : "";
  return plainText(`${tries}, by ${runtime} on ${model} (${modelWhy})${cost}`);
}

function reviewText(slot: Slot): string {
  const { bead, review } = slot;
  if (review === null) return "";
  const report = reportOfSlot(slot)?.kind === "review" ? `; koryph tail ${bead} shows its report` : "";
  return plainText(`${review.verdict}${review.note === "" ? "" : `: ${review.note}`}${report}`);
}

/** The gate runs before a bead lands or becomes a pull request, so what did was green. */
function gateText({ status, refusal }: Slot): string {
  if (refusal?.result === "gate-failed") return plainText(`red: ${refusal.detail}`);
  return status === "merged" || status === "pr-opened" ? "green" : "";
}

function workLines({ slot, range, work, repository }: BeadPage, paint: Paint): string[] {
  const { bead } = slot;
  if (range === null) return ["  it has no commits"];
  const at = `${shortSha(range.base)}..${shortSha(range.head)}`;
  if (work === null) return [`  its commits (${at}) are neither on this machine nor saved on the remote`];
  const { commits } = work;
  const rest = commits.length - MOST_COMMITS;
  return [
    "",
    paint.heading(`${commits.length} ${commits.length === 1 ? "commit" : "commits"}, ${at}`),
    ...commits.slice(0, MOST_COMMITS).map(({ sha, subject }) => `  ${shortSha(sha)} ${plainText(subject)}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    "",
    ...plainLines(work.stat.trimEnd())
      .split("\n")
      .map((line) => ` ${line}`),
    "",
    `koryph diff ${bead} shows the change; to have it as a branch:`,
    `  git fetch ${shellWord(repository)} ${range.head}:refs/heads/agent/${bead}`,
  ];
}

/** A promise to programs, as docs/json.md describes it. */
export function beadPageJson({ slot, hold, underWay, range, work, clone, folder }: BeadPage) {
  return {
    bead: slot.bead,
    title: slot.title,
    status: slot.status,
    at: slot.at,
    run_id: slot.run,
    tries: slot.tries,
    runtime: slot.runtime,
    model: slot.model,
    model_why: slot.modelWhy,
    cost_usd: slot.costUsd,
    cost_known: slot.costKnown,
    note: slot.note,
    next: nextOfSlot(slot, hold, underWay).text,
    review: slot.review && { verdict: slot.review.verdict, note: slot.review.note, head: slot.review.head },
    refusal: slot.refusal,
    flags: slot.flags ?? [],
    pull: slot.pull,
    base: range?.base ?? null,
    head: range?.head ?? null,
    commits: work?.commits ?? null,
    stat: work?.stat ?? null,
    clone,
    folder,
  };
}
