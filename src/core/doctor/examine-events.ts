import type { FleetDiagnosis } from "./fleet-diagnosis.js";

interface EventsFacts {
  readonly file: string;
  readonly text: string;
  /** The names of the repository's workflows whose end landings may wait for. */
  readonly checks: readonly string[];
}

/** Whether a workflow answers comments in the App's place. */
export function answersEvents(text: string): boolean {
  return /^\s*mode:\s*["']?events\b/m.test(text);
}

/** The workflow that answers comments without a server, read as lines. */
export function examineEvents({ file, text, checks }: EventsFacts): readonly FleetDiagnosis[] {
  const found: FleetDiagnosis[] = [];
  if (/uses:\s*["']?actions\/checkout@/.test(text)) found.push({ code: "events_check_out", file });
  if (/^\s*concurrency:/m.test(text) && !/^\s*queue:\s*["']?max\b/m.test(text))
    found.push({ code: "events_dropped", file });
  const unheard = checks.filter((name) => !text.includes(name));
  if (unheard.length > 0) found.push({ code: "events_unheard", file, workflows: unheard });
  return found.length > 0 ? found : [{ code: "events_ready", file }];
}
