/** What stands around a run on GitHub: the App, who passes rulesets, the clock that starts runs, and the machines. */
export type FleetDiagnosis =
  | { readonly code: "app_unseen"; readonly slug: string; readonly why: "hidden" | "key" }
  | { readonly code: "app_not_named"; readonly slug: string; readonly named: string }
  | { readonly code: "app_not_installed"; readonly slug: string; readonly suspended: boolean }
  | { readonly code: "app_lacks_events"; readonly slug: string; readonly events: readonly string[] }
  | { readonly code: "app_lacks_permissions"; readonly slug: string; readonly permissions: readonly string[] }
  | { readonly code: "app_may_more"; readonly slug: string; readonly permissions: readonly string[] }
  | { readonly code: "app_ready"; readonly slug: string; readonly installed: boolean }
  | { readonly code: "app_bypasses"; readonly ruleset: string; readonly slug: string }
  | { readonly code: "app_bypasses_pulls_only"; readonly ruleset: string; readonly slug: string }
  | { readonly code: "app_no_bypass"; readonly ruleset: string; readonly slug: string }
  | { readonly code: "app_bypass_unknown"; readonly ruleset: string; readonly slug: string }
  | { readonly code: "bypass_listed"; readonly ruleset: string; readonly who: readonly PassedActor[] }
  | { readonly code: "guards_bypassed"; readonly ruleset: string; readonly who: readonly PassedActor[] }
  | { readonly code: "schedule_kept"; readonly file: string; readonly runs: number; readonly minutes: number }
  | { readonly code: "schedule_late"; readonly file: string; readonly runs: number; readonly minutes: number }
  | { readonly code: "schedule_new"; readonly file: string }
  | {
      readonly code: "schedule_missed";
      readonly file: string;
      readonly missed: number;
      /** When it last ran by the clock; null when it never did. */
      readonly last: string | null;
    }
  | { readonly code: "schedule_unreadable"; readonly file: string; readonly cron: string }
  | { readonly code: "runs_unreadable"; readonly file: string }
  | {
      readonly code: "workflow_disabled";
      readonly file: string;
      readonly state: string;
      readonly needed: boolean;
    }
  | { readonly code: "checks_never_start"; readonly file: string }
  | { readonly code: "events_ready"; readonly file: string }
  | { readonly code: "events_beside_app"; readonly file: string; readonly slug: string }
  | { readonly code: "events_check_out"; readonly file: string }
  | { readonly code: "events_dropped"; readonly file: string }
  | { readonly code: "events_unheard"; readonly file: string; readonly workflows: readonly string[] }
  | { readonly code: "runner_ready"; readonly labels: readonly string[]; readonly online: number }
  | { readonly code: "runner_offline"; readonly labels: readonly string[]; readonly names: readonly string[] }
  | { readonly code: "runner_missing"; readonly labels: readonly string[]; readonly file: string }
  | {
      readonly code: "runner_unknown";
      readonly labels: readonly string[];
      readonly needs: "repository" | "organisation";
    }
  | { readonly code: "runner_public" };

/** Whom a ruleset lets past, as GitHub lists it. */
export interface PassedActor {
  readonly type: string;
  readonly id: number | null;
  readonly mode: string;
  /** koryph's own App is said by its name. */
  readonly slug: string | null;
}

/** Where each stands in the report, and how much it matters. */
export const FLEET_STANDINGS = {
  app_unseen: { area: "App", level: "unknown" },
  app_not_named: { area: "App", level: "bad" },
  app_not_installed: { area: "App", level: "bad" },
  app_lacks_events: { area: "App", level: "bad" },
  app_lacks_permissions: { area: "App", level: "bad" },
  app_may_more: { area: "App", level: "warning" },
  app_ready: { area: "App", level: "good" },
  app_bypasses: { area: "rules", level: "good" },
  app_bypasses_pulls_only: { area: "rules", level: "bad" },
  app_no_bypass: { area: "rules", level: "bad" },
  app_bypass_unknown: { area: "rules", level: "unknown" },
  bypass_listed: { area: "rules", level: "good" },
  guards_bypassed: { area: "rules", level: "warning" },
  schedule_kept: { area: "schedule", level: "good" },
  schedule_late: { area: "schedule", level: "warning" },
  schedule_new: { area: "schedule", level: "good" },
  schedule_missed: { area: "schedule", level: "warning" },
  schedule_unreadable: { area: "schedule", level: "unknown" },
  runs_unreadable: { area: "schedule", level: "unknown" },
  workflow_disabled: { area: "workflow", level: "warning" },
  checks_never_start: { area: "checks", level: "warning" },
  events_ready: { area: "workflow", level: "good" },
  events_beside_app: { area: "workflow", level: "warning" },
  events_check_out: { area: "workflow", level: "bad" },
  events_dropped: { area: "workflow", level: "warning" },
  events_unheard: { area: "workflow", level: "warning" },
  runner_ready: { area: "runners", level: "good" },
  runner_offline: { area: "runners", level: "warning" },
  runner_missing: { area: "runners", level: "warning" },
  runner_unknown: { area: "runners", level: "unknown" },
  runner_public: { area: "runners", level: "warning" },
} as const satisfies Readonly<Record<FleetDiagnosis["code"], object>>;

export function isFleet(diagnosis: { readonly code: string }): diagnosis is FleetDiagnosis {
  return diagnosis.code in FLEET_STANDINGS;
}
