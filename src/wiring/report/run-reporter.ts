import { setTimeout as pause } from "node:timers/promises";
import { runRequests } from "../../core/control/request-outcome.js";
import { checkIdOf } from "../../core/control/run-buttons.js";
import { shownButtons } from "../../core/replies/report/answer-line.js";
import { type CheckWords, checkReports, gateAnnotations } from "../../core/replies/report/check-report.js";
import { reportTrouble } from "../../core/replies/report/report-trouble.js";
import type { RunSummary } from "../../core/replies/run/progress.js";
import type { Annotation } from "../../core/review/pull/analysis.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import {
  groupSlots,
  NO_GROUPS,
  type ReportGroups,
  type RunReport,
  runReport,
} from "../../core/run/plan/run-report.js";
import type { WaitedFor } from "../../core/run/plan/waited-for.js";
import { runOutcome } from "../../core/run/tick/run-outcome.js";
import type { EngineNews } from "../../engine/engine-parts.js";
import type { WaveChecks } from "../../ports/check-runs.js";
import type { Ledger, LedgerTail } from "../../ports/ledger.js";
import type { WatchedRun } from "../start-engine.js";
import { closeLeftChecks } from "./left-checks.js";

export interface ReporterParts {
  readonly checks: WaveChecks;
  readonly ledger: Ledger & LedgerTail;
  /** Where people find the workflow run. */
  readonly detailsUrl: string;
  readonly now: () => number;
  /** Told what is wrong with the reports, once. */
  readonly warn: (line: string) => void;
}

/** GitHub is told no more often than this while a run goes on. */
const EVERY_MS = 15_000;
/** What people ask of a run is far less. */
const LOOKED_AT = 500;
/** The last word is waited for, but not for ever. */
const LAST_WORD_MS = 20_000;

/**
 * Shows a run as check runs: on the commit that it began on, or for each wave on the one that its agents start from. It only looks: nothing that it meets changes or stops the
 * run.
 */
export class RunReporter {
  readonly #parts: ReporterParts;
  #run: { readonly slots: () => readonly Slot[]; readonly facts: WatchedRun } | null = null;
  #groups: ReportGroups = NO_GROUPS;
  #ended: RunReport["ended"] = null;
  #resumed: RunReport["resumed"];
  /** By name: the check run, and what it said last. */
  readonly #shown = new Map<string, { readonly id: number; readonly head: string; readonly said: string }>();
  /** By bead: the commit that its first agent started from. */
  readonly #from = new Map<string, string>();
  /** Whether somebody hears of buttons on our check runs. */
  #heard = false;
  /** Those that were not sent yet. */
  #annotations: (Annotation & { readonly bead: string })[] = [];
  /** By bead, or for all of them: what their agents wait for. */
  readonly #waits = new Map<string | null, WaitedFor>();
  #wroteAt = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #mayWrite = true;
  #warned = false;

  constructor(parts: ReporterParts) {
    this.#parts = parts;
  }

  /** Begins to look; what it returns ends that. */
  follow(slots: () => readonly Slot[], facts: WatchedRun): () => void {
    this.#run = { slots, facts };
    this.#timer = setInterval(() => this.#look(), 1_000);
    return () => {
      if (this.#timer !== null) clearInterval(this.#timer);
    };
  }

  hear(news: EngineNews): void {
    if (news.kind === "started" && this.#run !== null && !this.#from.has(news.bead))
      this.#from.set(news.bead, this.#run.facts.tip());
    if (news.kind === "run") this.#closeLeft(news.run);
    if (news.kind === "not-admitted") this.#waits.set(news.bead, news);
    if (news.kind === "dispatching") for (const who of [news.bead, null]) this.#waits.delete(who);
    if (news.kind === "refused" && news.places !== undefined)
      this.#annotations.push(
        ...gateAnnotations(news.bead, news.places).map((each) => ({ ...each, bead: news.bead })),
      );
    // The engine tells before it has taken over what it tells of.
    setImmediate(() => {
      // Nothing is dispatched yet: what has a slot is from before.
      if (news.kind === "run" && news.resumed)
        this.#resumed = { earlier: (this.#run?.slots() ?? []).length > 0 };
      this.#look();
    });
  }

  /** The run as it stands; null before it has begun. */
  report(): RunReport | null {
    if (this.#run === null) return null;
    const { slots, facts } = this.#run;
    const now = this.#parts.now();
    const rest = { run: facts.id(), mode: facts.mode, resumed: this.#resumed, ended: this.#ended, now };
    return facts.id() === "" ? null : runReport(slots(), this.#groups, rest);
  }

  /** The last word. An interrupted run has `withinMs` left for it. */
  async end(summary: RunSummary, withinMs = LAST_WORD_MS): Promise<RunReport | null> {
    const reason = summary.reason === "" ? "its wave has ended" : `it ended: ${summary.reason}`;
    this.#group();
    this.#ended = { reason, outcome: runOutcome(summary.ended, summary.code) };
    const last = async () => {
      await this.#writing;
      await this.#write();
    };
    await Promise.race([last(), pause(withinMs, undefined, { ref: false })]);
    return this.report();
  }

  #group(): void {
    if (this.#run === null) return;
    const { slots, facts } = this.#run;
    this.#groups = groupSlots(this.#groups, slots(), { mode: facts.mode, now: this.#parts.now() });
  }

  #look(): void {
    this.#group();
    const age = this.#parts.now() - this.#wroteAt;
    if (this.#writing !== null || (age >= 0 && age < EVERY_MS)) return;
    this.#wroteAt = this.#parts.now();
    this.#writing = this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    const report = this.report();
    if (report === null || !this.#mayWrite) return;
    try {
      const requests = runRequests(await this.#parts.ledger.recent(LOOKED_AT), report.run);
      const heard = this.#heard;
      const waits = [...this.#waits.values()];
      for (const words of checkReports(report, { heard, requests, waits })) await this.#show(words, report);
      // Only the first answer of GitHub's tells whose check runs they are.
      if (this.#heard !== heard)
        for (const words of checkReports(report, { heard: true, requests, waits }))
          await this.#show(words, report);
    } catch (error) {
      this.#say(reportTrouble.away(error instanceof Error ? error.message : String(error)));
    }
  }

  async #show(words: CheckWords, { run, mode, ended }: RunReport): Promise<void> {
    const { name, title, summary, conclusion } = words;
    const began = this.#run?.facts.base ?? "";
    const from = words.beads.flatMap((bead) => this.#from.get(bead) ?? [])[0];
    const head = this.#shown.get(name)?.head ?? (mode === "rolling" ? began : (from ?? began));
    // A wave is shown on the commit that its agents start from, which is known once one has.
    if (mode === "wave" && !this.#shown.has(name) && from === undefined && ended === null) return;
    const before = this.#shown.get(name) ?? null;
    const said = JSON.stringify(words);
    const annotations = this.#annotations.filter(({ bead }) => words.beads.includes(bead));
    if (!this.#mayWrite || (before?.said === said && annotations.length === 0)) return;
    const check = { name, head, title, summary, conclusion, annotations, detailsUrl: this.#parts.detailsUrl };
    if (before === null && conclusion === null) await this.#intend(run, head);
    const shown = await this.#parts.checks.show(
      { ...check, externalId: checkIdOf(run, name), buttons: shownButtons(words.buttons) },
      before?.id ?? null,
    );
    if (shown === null) {
      this.#mayWrite = false;
      this.#say(reportTrouble.notAllowed());
      return;
    }
    const { id } = shown;
    this.#heard = shown.heard;
    this.#shown.set(name, { id, head, said });
    this.#annotations = this.#annotations.filter((each) => !annotations.includes(each));
    const open = conclusion === null;
    if (before === null || !open)
      await this.#parts.ledger.observe([{ type: "run.reported", run, data: { check: id, head, open } }]);
  }

  /** On record where everybody can read it before the check run is there: a runner may be lost in between. */
  async #intend(run: string, head: string): Promise<void> {
    await this.#parts.ledger.observe([{ type: "run.reporting", run, data: { head } }]);
    // A remote that takes no push just now is the engine's to tell of.
    await this.#parts.ledger.share("now").catch(() => {});
  }

  #closeLeft(run: string): void {
    closeLeftChecks(this.#parts, run).catch((error: unknown) =>
      this.#say(reportTrouble.away(error instanceof Error ? error.message : String(error))),
    );
  }

  #say(line: string): void {
    if (!this.#warned) this.#parts.warn(line);
    this.#warned = true;
  }
}
