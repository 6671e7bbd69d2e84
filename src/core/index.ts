/** `koryph/core`: the rules, as plain functions over plain data. No clock, disk, network or environment. */
export { type BeadReading, readBead } from "./config/bead-record.js";
export { engineSatisfies } from "./config/engine-version.js";
export type { Problem } from "./config/problems.js";
export type { ProjectConfig } from "./config/project-schema.js";
export { type ProjectReading, readProject } from "./config/read-project.js";
export { type AdmissionDenial, type AdmissionDenialCode, DENIAL_REACH } from "./govern/admission-denial.js";
export { type Admission, type AdmissionRequest, admit } from "./govern/admit.js";
export { AgentLease, type LeaseKey, leaseId } from "./govern/agent-lease.js";
export { attach, type GovernedAgent } from "./govern/attach.js";
export {
  type Billing,
  type BillingFacts,
  type BillingRefusal,
  chooseBilling,
} from "./govern/billing/choose-billing.js";
export type { Breaker } from "./govern/breaker.js";
export {
  type Calibration,
  type CalibrationRefusal,
  calibrate,
  QuotaCalibration,
  UNCALIBRATED,
  withCeiling,
} from "./govern/calibrate.js";
export { configureMachine, type MachineChoice } from "./govern/configure-machine.js";
export { configurePool, type PoolChoice } from "./govern/configure-pool.js";
export { effectiveCap } from "./govern/effective-cap.js";
export { fairShares, type SharingProject } from "./govern/fair-shares.js";
export { GovernorState, NEW_GOVERNOR } from "./govern/governor-state.js";
export {
  GUARD_MODES,
  type GuardChoice,
  type GuardMode,
  GuardSetting,
  guardMode,
} from "./govern/guard-mode.js";
export { type MemoryAnswer, type MemoryRequest, memoryAdmits } from "./govern/memory-admits.js";
export type { PoolState } from "./govern/pool-state.js";
export { type Preflight, type PreflightRefusal, preflight } from "./govern/preflight.js";
export {
  QUOTA_LADDER,
  QUOTA_WINDOWS,
  QuotaLadder,
  type QuotaLevel,
  type QuotaStanding,
  type QuotaUsage,
  type QuotaWindow,
  quotaLevel,
  type WindowUsage,
} from "./govern/quota-level.js";
export { type LeaseEnd, prune, release, withdrawDemand } from "./govern/release.js";
export {
  type AgentEnding,
  endAgent,
  type RateLimitReport,
  reportRateLimit,
} from "./govern/report-rate-limit.js";
export { scaledWidth } from "./govern/scaled-width.js";
export {
  AccountIdentity,
  type AccountMark,
  type AccountMode,
  type AccountProfile,
  type IdentityDecision,
  type IdentityRefusal,
  verifyIdentity,
} from "./govern/verify-identity.js";
export { isProtected, PROTECTED_PATHS } from "./land/protected-paths.js";
export { type Bead, type BeadId, isClosed, parseBeadId } from "./model/bead.js";
export { acceptanceCriteria, type Criterion } from "./prompt/acceptance-criteria.js";
export { dispatchRefusalText } from "./replies/schedule/schedule.js";
export { type DegradedReview, readVerdict, type VerdictReading } from "./review/read-verdict.js";
export { VERDICT_SCHEMA, Verdict } from "./review/verdict.js";
export { type MergePolicy, type PolicyChoice, resolveMergePolicy } from "./route/merge-policy.js";
export { type ModelChoice, type ModelRequest, type ModelTier, resolveModel } from "./route/resolve-model.js";
export { type RiskTier, resolveRiskTier } from "./route/risk-tier.js";
export { resolveTimeout, type TimeoutChoice, type TimeoutRequest } from "./route/stage-timeout.js";
export { poolOfAgent } from "./runtimes/pool-of-agent.js";
export { type AuditInput, auditPlan, type CorpusStats, type PlanAudit } from "./schedule/audit-plan.js";
export type { AuditWarning } from "./schedule/audit-warnings.js";
export {
  buildWave,
  type InFlight,
  type NotSelected,
  type Selected,
  STARVING_AFTER,
  type Wave,
  type WaveInput,
} from "./schedule/build-wave.js";
export { type ConflictMode, conflicts } from "./schedule/conflict.js";
export type { ConflictingPairs, ConflictPair, TokenLoad } from "./schedule/conflicting-pairs.js";
export type { DispatchRefusal, DispatchRefusalCode } from "./schedule/dispatch-refusal.js";
export { type AreaMap, type Footprint, footprintOf, UNKNOWN_TOKEN } from "./schedule/footprint.js";
export type { Capacities } from "./schedule/resources.js";
export { containersOf, descendantsOf, frontierOf } from "./schedule/work-graph.js";
