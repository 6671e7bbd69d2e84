import { expect, test } from "vitest";
import { examineGate, type GateFacts } from "../../../src/core/doctor/examine-gate.js";

const base = { branch: "main", checked: false, appLands: true };
const run: GateFacts = { land: { gate: "run" }, jobs: { kinds: [] } };
const checks: GateFacts = { ...run, land: { gate: "checks" } };
const runner: GateFacts = { ...run, jobs: { workflow: "koryph.yml", kinds: ["gate"] } };

test.each<{ name: string; given: GateFacts; facts?: Partial<typeof base>; codes: string[] }>([
  {
    name: "the App cannot run the gate, and nobody does it for the App",
    given: run,
    codes: ["gate_unshown"],
  },
  { name: "a runner does", given: runner, codes: [] },
  { name: "at a terminal koryph runs it", given: run, facts: { appLands: false }, codes: [] },
  { name: "checks are the gate, and none is required", given: checks, codes: ["no_check_required"] },
  { name: "checks are the gate, and some are required", given: checks, facts: { checked: true }, codes: [] },
])("$name", ({ given, facts, codes }) =>
  expect(examineGate(given, { ...base, ...facts }).map(({ code }) => code)).toEqual(codes),
);
