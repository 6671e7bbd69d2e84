import { setTimeout as pause } from "node:timers/promises";
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
/** The last word is waited for, but not for ever. */
const LAST_WORD_MS = 20_000;

/**
 * Shows a run as check runs on the commit that it began on. It only looks: nothing that it meets changes or stops the
 * run.
 */
export class RunReporter {
  readonly #parts: ReporterParts;
  #run: { readonly slots: () => readonly Slot[]; readonly facts: WatchedRun } | null = null;
  #groups: ReportGroups = NO_GROUPS;
  #ended: RunReport["ended"] = null;
  /** By name: the check run, and what it said last. */
  readonly #shown = new Map<string, { readonly id: number; readonly said: string }>();
  /** Those that were not sent yet. */
  #annotations: (Annotation & { readonly bead: string })[] = [];
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
    if (news.kind === "run") this.#closeLeft(news.run);
    if (news.kind === "refused" && news.places !== undefined)
      this.#annotations.push(
        ...gateAnnotations(news.bead, news.places).map((each) => ({ ...each, bead: news.bead })),
      );
    // The engine tells before it has taken over what it tells of.
    setImmediate(() => this.#look());
  }

  /** The run as it stands; null before it has begun. */
  report(): RunReport | null {
    if (this.#run === null) return null;
    const { slots, facts } = this.#run;
    const now = this.#parts.now();
    const rest = { run: facts.id(), mode: facts.mode, ended: this.#ended, now };
    return facts.id() === "" ? null : runReport(slots(), this.#groups, rest);
  }

  /** The last word. An interrupted run has `withinMs` left for it. */
  async end(summary: RunSummary, withinMs = LAST_WORD_MS): Promise<RunReport | null> {
    const reason = summary.reason === "" ? "its wave has ended" : `it ended (${summary.reason})`;
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
      for (const words of checkReports(report)) await this.#show(words, report.run);
    } catch (error) {
      this.#say(reportTrouble.away(error instanceof Error ? error.message : String(error)));
    }
  }

  async #show(words: CheckWords, run: string): Promise<void> {
    const { name, title, summary, conclusion } = words;
    const head = this.#run?.facts.base ?? "";
    const before = this.#shown.get(name) ?? null;
    const said = JSON.stringify(words);
    const annotations = this.#annotations.filter(({ bead }) => words.beads.includes(bead));
    if (!this.#mayWrite || (before?.said === said && annotations.length === 0)) return;
    const check = { name, head, title, summary, conclusion, annotations, detailsUrl: this.#parts.detailsUrl };
    const id = await this.#parts.checks.show({ ...check, externalId: `${run} ${name}` }, before?.id ?? null);
    if (id === null) {
      this.#mayWrite = false;
      this.#say(reportTrouble.notAllowed());
      return;
    }
    this.#shown.set(name, { id, said });
    this.#annotations = this.#annotations.filter((each) => !annotations.includes(each));
    const open = conclusion === null;
    if (before === null || !open)
      await this.#parts.ledger.observe([{ type: "run.reported", run, data: { check: id, head, open } }]);
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
