import { describe, expect, test } from "vitest";
import { type Diagnosis, isUnsafe } from "../../../src/core/doctor/diagnosis.js";
import { examineLedger, type LedgerProbe } from "../../../src/core/doctor/examine-ledger.js";
import { examineRules, type RuleFacts } from "../../../src/core/doctor/examine-rules.js";
import { examineWorkflow, type WorkflowFacts } from "../../../src/core/doctor/examine-workflow.js";
import type { BaseRule } from "../../../src/core/land/pull/base-rules.js";
import type { SeenCheck } from "../../../src/core/land/pull/judge-checks.js";

const codes = (diagnoses: readonly Diagnosis[]) => diagnoses.map(({ code }) => code);
const bypassed = { name: "process", bypassed: true };
const guards = { name: "guards", bypassed: false };
const PULLS: BaseRule = { type: "pull_request", parameters: {}, ruleset: bypassed };
const FORCE: BaseRule = { type: "non_fast_forward", parameters: {}, ruleset: guards };
const GREEN: SeenCheck = {
  ...{ name: "test", app: 15_368, status: "done", state: "success", order: 1, jobOfHead: true },
};
const checks = (...required: object[]): BaseRule => ({
  ...{ type: "required_status_checks", ruleset: bypassed },
  parameters: { required_status_checks: required },
});

describe("rules of the default branch", () => {
  const sound = [PULLS, FORCE, checks({ context: "test", integration_id: 15_368 })];
  const facts = (rules: readonly BaseRule[], more: Partial<RuleFacts> = {}): RuleFacts => ({
    ...{ branch: "main", rules: { kind: "read", rules }, seen: [GREEN], signs: false },
    passedByApp: new Set(),
    ...more,
  });
  const SIGNED: BaseRule = { type: "required_signatures", parameters: {}, ruleset: guards };

  test.each<{ name: string; given: RuleFacts; says: readonly string[]; unsafe: boolean }>([
    {
      name: "split rulesets with a bypass are fine",
      given: facts(sound),
      says: ["rules_kept", "checks_seen"],
      unsafe: false,
    },
    { name: "a branch without rules is open", given: facts([]), says: ["branch_open"], unsafe: false },
    {
      name: "rules that cannot be read stop every landing",
      given: facts([], { rules: { kind: "unreadable", why: "hidden" } }),
      says: ["rules_unreadable"],
      unsafe: true,
    },
    {
      name: "without a bypass the merge button is the only way",
      given: facts([{ ...PULLS, ruleset: { name: "process", bypassed: false } }]),
      says: ["no_bypass"],
      unsafe: true,
    },
    {
      name: "whoever may not land at a terminal may leave it to the App",
      given: facts([{ ...PULLS, ruleset: { name: "process", bypassed: false } }], {
        passedByApp: new Set(["process"]),
      }),
      says: ["no_bypass"],
      unsafe: false,
    },
    {
      name: "guards that the App stands above guard nothing either",
      given: facts([FORCE], { passedByApp: new Set(["guards"]) }),
      says: ["rules_kept", "rules_not_split"],
      unsafe: false,
    },
    {
      name: "a rule that koryph does not know stops every landing",
      given: facts([...sound, { type: "workflows", parameters: {}, ruleset: guards }]),
      says: ["rule_unsupported", "checks_seen"],
      unsafe: true,
    },
    {
      name: "guards in a ruleset that is bypassed guard nothing",
      given: facts([PULLS, { ...FORCE, ruleset: bypassed }, { ...SIGNED, ruleset: bypassed }], {
        signs: true,
      }),
      says: ["rules_kept", "rules_not_split"],
      unsafe: false,
    },
    {
      name: "signatures are asked for and koryph has no key",
      given: facts([SIGNED]),
      says: ["signatures_demanded"],
      unsafe: true,
    },
    {
      name: "signatures are asked for and koryph signs",
      given: facts([SIGNED], { signs: true }),
      says: ["rules_kept"],
      unsafe: false,
    },
    {
      name: "a required check without a source counts from anybody",
      given: facts([checks({ context: "test" })]),
      says: ["rules_kept", "check_by_anyone"],
      unsafe: false,
    },
    {
      name: "a required check that nobody reports is waited for in vain",
      given: facts(sound, { seen: [] }),
      says: ["rules_kept", "check_unseen"],
      unsafe: false,
    },
  ])("$name", ({ given, says, unsafe }) => {
    const diagnoses = examineRules(given);
    expect(codes(diagnoses)).toEqual(says);
    expect(isUnsafe(diagnoses)).toBe(unsafe);
  });

  test("the guards that are not enforced are named", () => {
    const [, split] = examineRules(facts([PULLS, { ...FORCE, ruleset: bypassed }]));
    expect(split).toEqual({ code: "rules_not_split", ruleset: "process", rules: ["non_fast_forward"] });
  });
});

describe("the ledger's remote", () => {
  const fine: LedgerProbe = { kind: "tried", keepsLease: true, isAtomic: true, left: [] };
  test.each<{ name: string; given: LedgerProbe | null; says: readonly string[]; unsafe: boolean }>([
    { name: "all it needs", given: fine, says: ["ledger_ready"], unsafe: false },
    { name: "not tried", given: null, says: ["ledger_not_probed"], unsafe: false },
    {
      name: "no right to push",
      given: { kind: "refused", why: "denied" },
      says: ["ledger_refuses_create"],
      unsafe: true,
    },
    {
      name: "a lease that is not kept",
      given: { ...fine, keepsLease: false },
      says: ["ledger_ignores_lease"],
      unsafe: true,
    },
    {
      name: "no atomic push",
      given: { ...fine, isAtomic: false },
      says: ["ledger_not_atomic"],
      unsafe: false,
    },
    {
      name: "refs that stay",
      given: { ...fine, left: ["refs/koryph/x"] },
      says: ["ledger_keeps_refs"],
      unsafe: false,
    },
  ])("$name", ({ given, says, unsafe }) => {
    const diagnoses = examineLedger(given, { hasRemote: true });
    expect(codes(diagnoses)).toEqual(says);
    expect(isUnsafe(diagnoses)).toBe(unsafe);
  });

  test("without a remote it stays where it is, tried or not, unless that does not work", () => {
    const here = { hasRemote: false };
    expect(codes(examineLedger(null, here))).toEqual(["ledger_stays"]);
    expect(codes(examineLedger(fine, here))).toEqual(["ledger_stays"]);
    expect(codes(examineLedger({ kind: "refused", why: "read only" }, here))).toEqual([
      "ledger_refuses_create",
    ]);
  });
});

describe("the workflow of runners", () => {
  const TEXT = [
    "on:",
    "  workflow_dispatch:",
    "  schedule:",
    '    - cron: "17 */2 * * *"',
    "jobs:",
    "  review:",
    "    steps:",
    "      - uses: actions/checkout@v4",
    "        with:",
    "          persist-credentials: false",
  ].join("\n");
  const facts = (text: string | null, kinds: readonly string[] = ["review"]): WorkflowFacts => ({
    ...{ file: "koryph.yml", branch: "main", text, kinds },
  });
  test.each<{ name: string; given: WorkflowFacts; says: readonly string[] }>([
    { name: "as the docs show it", given: facts(TEXT), says: ["workflow_ready"] },
    {
      name: "on one line",
      given: facts(TEXT.replace(/^on:\n {2}workflow_dispatch:/, "on: [push, workflow_dispatch]")),
      says: ["workflow_ready"],
    },
    { name: "missing", given: facts(null), says: ["workflow_missing"] },
    {
      name: "only named in a comment",
      given: facts(TEXT.replace("workflow_dispatch:", "# no workflow_dispatch")),
      says: ["workflow_takes_no_dispatch"],
    },
    { name: "without one of its jobs", given: facts(TEXT, ["review", "gate"]), says: ["job_missing"] },
    { name: "on the hour", given: facts(TEXT.replace("17 */2", "0 */2")), says: ["cron_on_the_hour"] },
    {
      name: "on the hour, in two digits and no quotes",
      given: facts(TEXT.replace('"17 */2 * * *"', "00 6 * * *")),
      says: ["cron_on_the_hour"],
    },
    {
      name: "with a token left behind",
      given: facts(TEXT.replace("persist-credentials: false", "fetch-depth: 0")),
      says: ["credentials_kept"],
    },
  ])("$name", ({ given, says }) => {
    expect(codes(examineWorkflow(given))).toEqual(says);
  });
});
