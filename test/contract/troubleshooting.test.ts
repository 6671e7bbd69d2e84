import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ControlRefusal } from "../../src/core/control/control-decision.js";
import type { WithdrawalRefusal } from "../../src/core/control/decide-withdrawal.js";
import type { JobRefusal } from "../../src/core/jobs/decide-job.js";
import type { RequestRefusal } from "../../src/core/land/decide-request.js";
import type { ApprovalRefusal } from "../../src/core/land/pull/decide-approval.js";
import { PULL_REASONS } from "../../src/core/land/pull/pull-refusal.js";
import { REFUSALS } from "../../src/core/land/refusal.js";
import type { AnalysisFailure } from "../../src/core/review/pull/decide-analysis.js";
import { reasonCode } from "../../src/core/run/tick/run-outcome.js";
import type { RunEndReason } from "../../src/core/run/tick/tick-facts.js";
import type { DispatchRefusalCode } from "../../src/core/schedule/dispatch-refusal.js";
import type { EngineBusy } from "../../src/engine/lease/engine-busy.js";

/** The compiler keeps each of these complete: a code that the union gets has to be added here, and so to the page. */
type All<Code extends string> = Readonly<Record<Code, true>>;

const RUN: All<RunEndReason | EngineBusy["code"] | "not-started"> = {
  ...{ drained: true, once: true, "all-deferred": true, interrupted: true, "operator-drain": true },
  ...{ "budget-cap": true, "quota-cap": true, "runtime-fault": true, "gate-red-on-base": true, failed: true },
  ...{ lease_held: true, lock_held: true, "not-started": true },
};
const DISPATCH: All<DispatchRefusalCode> = {
  ...{ issue_type: true, gate_label: true, not_released: true, held: true, no_dispatch: true },
  ...{ refactor_core: true, already_active: true, container: true, model_refused: true },
  ...{ runtime_refused: true, policy_refused: true, runtime_paused: true, wave_full: true },
  ...{ resource_at_capacity: true, conflict_in_flight: true, conflict: true, reserved: true, blocked: true },
  ...{ not_admitted: true, merge_pending: true, merged: true, beyond_budget: true, behind_budget: true },
  ...{ quota_reached: true, quota_unmeasured: true, quota_narrowed: true, quota_exceeded: true },
};
const LANDING: All<RequestRefusal["kind"] | WithdrawalRefusal["code"] | "not_landable"> = {
  ...{ squash_signed: true, no_slot: true, held: true, under_way: true, at_work: true, is_pull: true },
  ...{ no_commits: true, not_accepted: true, not_queued: true, too_late: true, not_landable: true },
};
const JOB: All<JobRefusal | AnalysisFailure["code"] | "interrupted" | "not_rebased" | "degraded"> = {
  ...{ not_dispatched: true, unknown_job: true, inputs_differ: true, evidence_gone: true },
  ...{ not_permitted: true, not_open: true, head_moved: true, base_moved: true, gate_changed: true },
  ...{ not_approved: true, claimed: true, interrupted: true, not_rebased: true, degraded: true },
  ...{ reviewer_failed: true, review_refused: true, runner_refused: true, other_app: true },
  ...{ runner_failed: true, runner_silent: true },
};
const REQUEST: All<ControlRefusal["code"] | ApprovalRefusal["code"]> = {
  ...{ read_only: true, before_run: true, other_run: true, no_run: true, no_bead: true, unknown_bead: true },
  ...{ absent_bead: true, closed_bead: true, draining: true, landed: true, not_at_work: true },
  ...{ not_blocked: true, taken: true, not_held: true, too_wide: true },
  ...{ not_open: true, own_work: true, too_large: true, sha_mismatch: true, head_moved: true },
};

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const page = read("docs/troubleshooting.md");

/** What a comment is refused for before, or beside, what the ledger and the pull request say. */
const COMMENT = [
  "app/link",
  "app/reach",
  "commands/comment-refusals",
  "review/analysis-replies",
  "land/pull/pull-replies",
]
  .flatMap((file) => [
    ...read(`src/core/replies/${file}.ts`).matchAll(/(?:refused\(\s*|\bcode: )"([a-z_]+)"/g),
  ])
  .flatMap(([, code = ""]) => (code in REQUEST || code in LANDING || code in JOB ? [] : [code]))
  // A job is refused for this, too.
  .concat("not_permitted");

const SECTIONS: readonly { readonly heading: string; readonly codes: readonly string[] }[] = [
  { heading: "A run ended", codes: Object.keys(RUN).map((code) => reasonCode(code as RunEndReason)) },
  { heading: "A bead is not dispatched", codes: Object.keys(DISPATCH) },
  { heading: "A bead does not land", codes: [...Object.keys(REFUSALS), ...Object.keys(LANDING)] },
  { heading: "A job is not done", codes: Object.keys(JOB) },
  { heading: "A request is refused", codes: Object.keys(REQUEST) },
  { heading: "A comment is not carried out", codes: COMMENT },
];

test.each(SECTIONS)(
  "docs/troubleshooting.md has a row for each code under $heading, and no other",
  ({ heading, codes }) => {
    const section = page.split("\n## ").find((text) => text.startsWith(`${heading}\n`)) ?? "";
    const rows = [...section.matchAll(/^\| (`[^|]+) \| [^|]+ \| [^|]+ \|$/gm)];
    const told = rows.flatMap(([, first = ""]) => first.split(", ").map((code) => code.replaceAll("`", "")));
    expect([...told].sort()).toEqual([...new Set(codes)].sort());
  },
);

test("docs/troubleshooting.md has one index of the codes of all surfaces, A to Z, with where each is explained", () => {
  const grammar = read("docs/commands.md").split("## When a command is not understood")[1] ?? "";
  const elsewhere = [
    { place: "[refusals of pull requests](landing.md#refusals)", codes: Object.keys(PULL_REASONS) },
    {
      place: "[commands](commands.md#when-a-command-is-not-understood)",
      codes: [...grammar.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code = ""]) => code),
    },
    { place: "[containment](containment.md#levels)", codes: ["containment_missing"] },
  ];
  const here = SECTIONS.map(({ heading, codes }) => ({
    place: `[${heading}](#${heading.toLowerCase().replaceAll(" ", "-")})`,
    codes,
  }));
  const places = new Map<string, string[]>();
  for (const { place, codes } of [...here, ...elsewhere])
    for (const code of new Set(codes)) places.set(code, [...(places.get(code) ?? []), place]);
  const rows = [...places]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, where]) => `| \`${code}\` | ${where.join(", ")} |`);
  const index = page.split("\n## All codes\n")[1] ?? "";
  expect(index.match(/^\| `.*$/gm) ?? []).toEqual(rows);
});
