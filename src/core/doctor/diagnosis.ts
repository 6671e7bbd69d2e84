import type { NoGithub } from "../config/github-remote.js";
import type { ContainmentLevel, NetworkWish } from "../contain/containment.js";
import type { AccountPin } from "../govern/account-pin.js";
import type { QuotaLevel, QuotaWindow } from "../govern/quota-level.js";
import type { AccountMark } from "../govern/verify-identity.js";
import { FLEET_STANDINGS, type FleetDiagnosis } from "./fleet-diagnosis.js";

/** What a diagnosis is about, in the order of the report. */
export const AREAS = [
  "project",
  "agents",
  "signing",
  "ledger",
  "GitHub",
  "App",
  "rules",
  "checks",
  "workflow",
  "schedule",
  "runners",
] as const;
export type Area = (typeof AREAS)[number];

/**
 * `bad` stops koryph or lets somebody around it; `warning` costs something or is an open door that somebody may want;
 * `unknown` could not be looked at.
 */
export type DiagnosisLevel = "good" | "warning" | "bad" | "unknown";

/** One thing that `koryph doctor` has looked at. */
export type Diagnosis =
  | { readonly code: "project_unfit"; readonly why: string; readonly fix: string }
  | { readonly code: "agent_ready"; readonly runtime: string; readonly version: string }
  /** Agents get whatever credentials there are. */
  | { readonly code: "accounts_unpinned"; readonly project: string }
  | {
      readonly code: "account_verified";
      readonly runtime: string;
      readonly place: Pick<AccountPin, "profile" | "variable">;
      readonly account: AccountMark;
    }
  | { readonly code: "account_refused"; readonly why: string; readonly fix: string }
  /** Nothing shuts agents in on this machine, although something is to. */
  | {
      readonly code: "containment_missing" | "containment_refused";
      readonly level: Exclude<ContainmentLevel, "off"> | "manual";
      readonly why: string;
    }
  /** The version of bubblewrap, and where agents may connect to. */
  | { readonly code: "containment_ready"; readonly version: string; readonly network: NetworkWish }
  | { readonly code: "containment_off" }
  | { readonly code: "agent_unusable"; readonly why: string; readonly fix: string }
  /** Nobody has said what the account's windows hold. */
  | { readonly code: "quota_uncalibrated"; readonly pool: string }
  | {
      readonly code: "quota_ready";
      readonly pool: string;
      readonly window: QuotaWindow;
      readonly fraction: number;
      readonly level: QuotaLevel;
    }
  /** A calibrated window counts as full; `stops` where that keeps agents from being started. */
  | {
      readonly code: "quota_unmeasured";
      readonly pool: string;
      readonly window: QuotaWindow;
      readonly stops: boolean;
    }
  | { readonly code: "quota_unreadable"; readonly why: string; readonly fix: string }
  | { readonly code: "signing_ready"; readonly branch: string; readonly principal: string }
  | { readonly code: "signing_off" }
  | { readonly code: "signing_broken"; readonly why: string; readonly fix: string }
  | { readonly code: "ledger_ready" }
  /** There is no remote. */
  | { readonly code: "ledger_stays" }
  | { readonly code: "ledger_not_probed" }
  | { readonly code: "ledger_refuses_create"; readonly why: string }
  | { readonly code: "ledger_ignores_lease" }
  | { readonly code: "ledger_not_atomic" }
  | { readonly code: "ledger_keeps_refs"; readonly refs: readonly string[] }
  | { readonly code: "no_github"; readonly why: NoGithub }
  | { readonly code: "no_token"; readonly host: string; readonly needed: boolean }
  | { readonly code: "token_writes"; readonly repository: string; readonly role: string }
  | { readonly code: "token_only_reads"; readonly repository: string; readonly needed: boolean }
  | { readonly code: "github_silent"; readonly why: string }
  | { readonly code: "token_unknown"; readonly why: string }
  | { readonly code: "rules_unreadable"; readonly why: string }
  | { readonly code: "branch_open"; readonly branch: string }
  | { readonly code: "rules_kept"; readonly branch: string; readonly count: number }
  | { readonly code: "rule_unsupported"; readonly rule: string; readonly why: string }
  | {
      readonly code: "no_bypass";
      readonly ruleset: string;
      /** Whether the App stands above it, so that landings go on by comment. */
      readonly appLands: boolean;
    }
  | { readonly code: "rules_not_split"; readonly ruleset: string; readonly rules: readonly string[] }
  | { readonly code: "signatures_demanded" }
  | { readonly code: "check_by_anyone"; readonly check: string }
  | { readonly code: "check_unseen"; readonly check: string; readonly branch: string }
  | { readonly code: "checks_seen"; readonly count: number }
  | { readonly code: "no_check_required"; readonly branch: string }
  | { readonly code: "gate_unshown" }
  | { readonly code: "workflow_ready"; readonly file: string }
  | { readonly code: "workflow_missing"; readonly file: string; readonly branch: string }
  | { readonly code: "workflow_takes_no_dispatch"; readonly file: string }
  | { readonly code: "job_missing"; readonly file: string; readonly kind: string }
  | { readonly code: "cron_on_the_hour"; readonly file: string; readonly cron: string }
  | { readonly code: "credentials_kept"; readonly file: string }
  | FleetDiagnosis;

type DiagnosisCode = Diagnosis["code"];

interface Standing {
  readonly area: Area;
  readonly level: DiagnosisLevel;
}

/** Where each stands in the report, and how much it matters. */
const STANDINGS: Readonly<Record<DiagnosisCode, Standing>> = {
  ...FLEET_STANDINGS,
  project_unfit: { area: "project", level: "bad" },
  agent_ready: { area: "agents", level: "good" },
  agent_unusable: { area: "agents", level: "bad" },
  accounts_unpinned: { area: "agents", level: "warning" },
  account_verified: { area: "agents", level: "good" },
  account_refused: { area: "agents", level: "bad" },
  containment_missing: { area: "agents", level: "warning" },
  containment_refused: { area: "agents", level: "bad" },
  containment_ready: { area: "agents", level: "good" },
  containment_off: { area: "agents", level: "warning" },
  quota_uncalibrated: { area: "agents", level: "warning" },
  quota_ready: { area: "agents", level: "good" },
  quota_unreadable: { area: "agents", level: "bad" },
  quota_unmeasured: { area: "agents", level: "warning" },
  signing_ready: { area: "signing", level: "good" },
  signing_off: { area: "signing", level: "warning" },
  signing_broken: { area: "signing", level: "bad" },
  ledger_ready: { area: "ledger", level: "good" },
  ledger_stays: { area: "ledger", level: "good" },
  ledger_not_probed: { area: "ledger", level: "unknown" },
  ledger_refuses_create: { area: "ledger", level: "bad" },
  ledger_ignores_lease: { area: "ledger", level: "bad" },
  ledger_not_atomic: { area: "ledger", level: "warning" },
  ledger_keeps_refs: { area: "ledger", level: "warning" },
  no_github: { area: "GitHub", level: "good" },
  no_token: { area: "GitHub", level: "unknown" },
  token_writes: { area: "GitHub", level: "good" },
  token_only_reads: { area: "GitHub", level: "warning" },
  github_silent: { area: "GitHub", level: "unknown" },
  token_unknown: { area: "GitHub", level: "bad" },
  rules_unreadable: { area: "rules", level: "bad" },
  branch_open: { area: "rules", level: "warning" },
  rules_kept: { area: "rules", level: "good" },
  rule_unsupported: { area: "rules", level: "bad" },
  no_bypass: { area: "rules", level: "bad" },
  rules_not_split: { area: "rules", level: "warning" },
  signatures_demanded: { area: "rules", level: "bad" },
  check_by_anyone: { area: "checks", level: "warning" },
  check_unseen: { area: "checks", level: "warning" },
  checks_seen: { area: "checks", level: "good" },
  no_check_required: { area: "checks", level: "bad" },
  gate_unshown: { area: "checks", level: "warning" },
  workflow_ready: { area: "workflow", level: "good" },
  workflow_missing: { area: "workflow", level: "bad" },
  workflow_takes_no_dispatch: { area: "workflow", level: "bad" },
  job_missing: { area: "workflow", level: "bad" },
  cron_on_the_hour: { area: "workflow", level: "warning" },
  credentials_kept: { area: "workflow", level: "warning" },
};

export function areaOf({ code }: Diagnosis): Area {
  return STANDINGS[code].area;
}

export function levelOf(diagnosis: Diagnosis): DiagnosisLevel {
  // A token that nobody needs may be missing, and so may walls.
  if ("needed" in diagnosis && diagnosis.needed) return "bad";
  // Nobody lands at a terminal where the App does.
  if (diagnosis.code === "no_bypass" && diagnosis.appLands) return "warning";
  return STANDINGS[diagnosis.code].level;
}

/** Whether an unattended run would stop, or could be got around. */
export function isUnsafe(diagnoses: readonly Diagnosis[]): boolean {
  return diagnoses.some((diagnosis) => levelOf(diagnosis) === "bad");
}
