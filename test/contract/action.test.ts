import { readFileSync } from "node:fs";
import { validateAction } from "@action-validator/core";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { outputsOf } from "../../src/action/outputs.js";
import { notBegunOutputs, runOutputs } from "../../src/action/run-outputs.js";
import {
  ActionInputs,
  INPUT_FACTS,
  inputVariable,
  SECRET_INPUTS,
} from "../../src/core/config/action-inputs.js";
import { ProjectConfig } from "../../src/core/config/project-schema.js";
import { summarise } from "../../src/core/replies/run/progress.js";
import { emptyState } from "../../src/core/run/ledger/ledger-state.js";
import { planDispatch } from "../../src/core/run/plan/plan-dispatch.js";
import { auditPlan } from "../../src/core/schedule/audit-plan.js";
import { baseProject } from "../support/cli/project.js";

interface Entry {
  readonly description: string;
  readonly default?: string;
  readonly value?: string;
}

interface Step {
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
}

const source = read("action.yml");
const action = parse(source) as {
  readonly inputs: Readonly<Record<string, Entry>>;
  readonly outputs: Readonly<Record<string, Entry>>;
  readonly runs: { readonly steps: readonly Step[] };
};

const written = () => {
  const config = ProjectConfig.parse(baseProject);
  const plan = planDispatch({ config, beads: [], frontier: [] });
  return [
    ...Object.keys(outputsOf({ config, plan, audit: auditPlan({ beads: [], areaMap: {} }) })),
    ...Object.keys(runOutputs(summarise(emptyState(), "r", { reason: "drained", code: 4 }), 4)),
  ];
};

test("action.yml is valid", () => {
  expect(validateAction(source).errors).toEqual([]);
});

test("the validator would notice a mistake", () => {
  expect(validateAction(source.replace("using: composite", "using: compost")).errors).not.toEqual([]);
});

test("its inputs are those the code reads, passed as variables and never inside a script", () => {
  const names = Object.keys(ActionInputs.shape);
  expect(Object.keys(action.inputs)).toEqual(names);
  expect(action.runs.steps.at(-1)?.env).toEqual(
    Object.fromEntries(names.map((name) => [inputVariable(name), `\${{ inputs.${name} }}`])),
  );
  for (const { run } of action.runs.steps) expect(run).not.toContain("${{");
});

test("it hands secrets on in the order in which they are read, and by no other way", () => {
  const [handing = "", unset = ""] = action.runs.steps.at(-1)?.run.split("\n") ?? [];
  const variables = SECRET_INPUTS.map(inputVariable);
  expect([...handing.matchAll(/"\$(KORYPH_\w+)"/g)].map(([, name]) => name)).toEqual(variables);
  expect(unset.split(" ")).toEqual(["unset", ...variables]);
});

test("it says of each input what the code says, and no other default counts", () => {
  const said = Object.entries(action.inputs).map(([name, each]) => [name, each.description, each.default]);
  const known = Object.entries(INPUT_FACTS).map(([name, each]) => [name, each.about, each.default ?? ""]);
  expect(said).toEqual(known);
});

test("a run that did not begin writes the outputs of one that did", () => {
  const without = notBegunOutputs("failure", "not_started", { message: "m", hint: "h" });
  expect(written().slice(-Object.keys(without).length)).toEqual(Object.keys(without));
});

test("its outputs are those the code writes", () => {
  const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value]);
  expect(values).toEqual(written().map((name) => [name, `\${{ steps.koryph.outputs.${name} }}`]));
});

test("docs/action.md has a row for each input and output, in the words of action.yml", () => {
  const rows = read("docs/action.md")
    .split("\n")
    .filter((line) => /^\| `[a-z_-]+` \|/.test(line));
  expect(rows).toEqual([
    ...Object.entries(action.inputs).map(
      ([name, input]) =>
        `| \`${name}\` | ${input.default === "" ? "" : `\`${input.default}\` `}| ${input.description} |`,
    ),
    ...Object.entries(action.outputs).map(([name, output]) => `| \`${name}\` | ${output.description} |`),
  ]);
});

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}
