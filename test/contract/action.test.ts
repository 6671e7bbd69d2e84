import { readFileSync } from "node:fs";
import { validateAction } from "@action-validator/core";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { outputsOf } from "../../src/action/outputs.js";
import { ActionInputs, inputVariable } from "../../src/core/config/action-inputs.js";
import { ProjectConfig } from "../../src/core/config/project-schema.js";
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
  return Object.keys(outputsOf({ config, plan, audit: auditPlan({ beads: [], areaMap: {} }) }));
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

test("its outputs are those the code writes", () => {
  const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value]);
  expect(values).toEqual(written().map((name) => [name, `\${{ steps.plan.outputs.${name} }}`]));
});

test("docs/action.md has a row for each input and output, in the words of action.yml", () => {
  const rows = read("docs/action.md")
    .split("\n")
    .filter((line) => /^\| `[a-z-]+` \|/.test(line));
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
