import type { AppFacts } from "./examine-app.js";
import type { FleetDiagnosis } from "./fleet-diagnosis.js";

interface EventsFacts {
  readonly file: string;
  readonly text: string;
  /** The names of the repository's workflows whose end landings may wait for. */
  readonly checks: readonly string[];
  /** The App whose server answers the same comments; null where there is none. */
  readonly app: string | null;
}

/** Whether a workflow answers comments in the App's place. */
export function answersEvents(text: string): boolean {
  return /^\s*mode:\s*["']?events\b/m.test(text);
}

/** The App that hears comments, as far as anything shows: one that is there for its token only hears nothing. */
export function answeringApp(app: AppFacts | null): string | null {
  if (app === null) return null;
  return app.kind === "unseen" || app.events.includes("issue_comment") ? app.slug : null;
}

/** The workflow that answers comments without a server, read as lines. */
export function examineEvents({ file, text, checks, app }: EventsFacts): readonly FleetDiagnosis[] {
  const found: FleetDiagnosis[] = [];
  if (app !== null) found.push({ code: "events_beside_app", file, slug: app });
  if (/uses:\s*["']?actions\/checkout@/.test(text)) found.push({ code: "events_check_out", file });
  if (/^\s*concurrency:/m.test(text) && !/^\s*queue:\s*["']?max\b/m.test(text))
    found.push({ code: "events_dropped", file });
  const unheard = checks.filter((name) => !text.includes(name));
  if (unheard.length > 0) found.push({ code: "events_unheard", file, workflows: unheard });
  return found.length > 0 ? found : [{ code: "events_ready", file }];
}
