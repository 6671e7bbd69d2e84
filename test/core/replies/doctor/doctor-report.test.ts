import { expect, test } from "vitest";
import type { Diagnosis } from "../../../../src/core/doctor/diagnosis.js";
import { doctorJson, doctorReport } from "../../../../src/core/replies/doctor/doctor-report.js";

const DIAGNOSES: readonly Diagnosis[] = [
  { code: "no_bypass", ruleset: "pro\u001b[2Jcess", appLands: false },
  { code: "agent_ready", runtime: "claude", version: "2.1.0" },
  { code: "signing_off" },
  { code: "ledger_not_probed" },
];

test("each diagnosis has a line and what to do, by what it is about, and the last line says what it comes to", () => {
  expect(doctorReport(DIAGNOSES).join("\n")).toMatchInlineSnapshot(`
    "ok    agents   claude 2.1.0 is ready
    warn  signing  signing is off: landed commits and receipts carry no signature
                   next: koryph signing init
    ?     ledger   whether the remote takes the ledger was not tried
                   next: koryph doctor without --no-write
    BAD   rules    the ruleset "pro\\u001b[2Jcess" wants every change through GitHub's merge button, which drops signatures
                   next: let koryph's App, and whoever lands at a terminal, bypass it with the mode Always; docs/landing.md has the rulesets to copy

    1 thing has to be mended first (1 warning, 1 not looked at)"
  `);
});

test("what is needed and missing is unsafe, and what nobody needs is not", () => {
  const missing = (needed: boolean): Diagnosis[] => [{ code: "no_token", host: "github.com", needed }];
  expect(doctorJson(missing(true))).toMatchObject({ safe: false, diagnoses: [{ level: "bad" }] });
  expect(doctorJson(missing(false))).toMatchObject({ safe: true, diagnoses: [{ level: "unknown" }] });
  expect(doctorReport(missing(false)).at(-1)).toBe("nothing stands in the way (1 not looked at)");
});

test("a secret in a reason is not shown", () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const diagnosis: Diagnosis = { code: "github_silent", why: `bad credentials ${token}` };
  expect(JSON.stringify(doctorJson([diagnosis]))).not.toContain(token);
});
