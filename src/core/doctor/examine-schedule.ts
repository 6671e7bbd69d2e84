import { type Cron, dueTimes, readCron } from "./cron.js";
import type { FleetDiagnosis } from "./fleet-diagnosis.js";

export interface ScheduleFacts {
  readonly file: string;
  readonly text: string;
  /** As GitHub has it: `active`, `disabled_inactivity`, …; null when it could not be read. */
  readonly state: string | null;
  /** When runs by the clock began, and when the workflow came to be: ISO. */
  readonly runs: readonly string[];
  readonly since: string;
  /** Whether the App starts this one. */
  readonly needed: boolean;
  readonly now: number;
}

const MINUTE_MS = 60_000;
const MOST_MISSED = 3;
const LATE_MINUTES = 30;

/** The schedules in a workflow, as they are written. */
export function cronsOf(text: string): readonly string[] {
  return [...text.matchAll(/^\s*-?\s*cron:\s*["']?([^"'\n#]+)/gm)].map(([, cron = ""]) => cron.trim());
}

/** Whether a schedule falls on the full hour, when GitHub is busiest. */
export function isOnTheHour(cron: string): boolean {
  return readCron(cron)?.minutes.has(0) ?? false;
}

/** What the clock has made of a workflow's schedules; nothing where it has none and is switched on. */
export function examineSchedule(facts: ScheduleFacts): readonly FleetDiagnosis[] {
  const { file, text, state, needed } = facts;
  const crons = cronsOf(text);
  if (state === null) return crons.length === 0 && !needed ? [] : [{ code: "runs_unreadable", file }];
  if (state !== "active") return [{ code: "workflow_disabled", file, state, needed }];
  if (crons.length === 0) return [];
  const read = crons.map((cron) => ({ cron, times: readCron(cron) }));
  const odd = read.find(({ times }) => times === null);
  // In another time zone than UTC the times below would be wrong ones.
  if (odd !== undefined || /^\s*timezone:/m.test(text))
    return [{ code: "schedule_unreadable", file, cron: odd?.cron ?? crons.join(", ") }];
  return [
    judgeRuns(
      facts,
      read.flatMap(({ times }) => times ?? []),
    ),
  ];
}

function judgeRuns({ file, runs, since, now }: ScheduleFacts, crons: readonly Cron[]): FleetDiagnosis {
  const began = runs.map((at) => Date.parse(at)).toSorted((a, b) => b - a);
  const last = began[0] ?? null;
  const due = crons
    .flatMap((cron) => dueTimes(cron, { before: now, count: 100 }))
    .filter((at) => at > (last ?? Date.parse(since)));
  if (due.length > MOST_MISSED) {
    const told = last === null ? null : new Date(last).toISOString();
    return { code: "schedule_missed", file, missed: due.length, last: told };
  }
  if (last === null) return { code: "schedule_new", file };
  const delays = began.map((at) => {
    const before = crons.flatMap((cron) => dueTimes(cron, { before: at, count: 1 }));
    return (at - Math.max(...before)) / MINUTE_MS;
  });
  const minutes = Math.round(median(delays.filter(Number.isFinite)));
  return {
    code: minutes >= LATE_MINUTES ? "schedule_late" : "schedule_kept",
    ...{ file, runs: began.length, minutes },
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
