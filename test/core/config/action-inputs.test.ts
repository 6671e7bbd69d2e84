import { expect, test } from "vitest";
import { handedOn, readActionInputs, secretVariables } from "../../../src/core/config/action-inputs.js";

test("inputs nobody gave are absent, and the project is the workspace itself", () => {
  expect(readActionInputs({ KORYPH_INPUT_MAX: "", KORYPH_INPUT_ONLY: " \n" })).toEqual({
    kind: "ok",
    inputs: { mode: "plan", project: "." },
  });
});

test("given inputs are read by their names, without the white space YAML leaves at their ends", () => {
  const env = {
    KORYPH_INPUT_PROJECT: "packages/shop",
    KORYPH_INPUT_MAX: "3\n",
    KORYPH_INPUT_PARENT: "shop-1",
    KORYPH_INPUT_ONLY: "shop-1.2",
    KORYPH_INPUT_EPIC: "shop-9",
    KORYPH_INPUT_DEFAULT_MODEL: " opus ",
  };
  expect(readActionInputs(env)).toEqual({
    kind: "ok",
    inputs: {
      mode: "plan",
      project: "packages/shop",
      max: 3,
      parent: "shop-1",
      only: "shop-1.2",
      epic: "shop-9",
      "default-model": "opus",
    },
  });
});

test("a switch that is off is one that nobody gave", () => {
  const env = {
    KORYPH_INPUT_MODE: "run",
    KORYPH_INPUT_ONCE: "true",
    KORYPH_INPUT_REVIEW: "false",
    KORYPH_INPUT_BUDGET: "12.50",
    KORYPH_INPUT_TOKEN: "t",
  };
  expect(readActionInputs(env)).toEqual({
    kind: "ok",
    inputs: { mode: "run", project: ".", once: true, budget: 12.5, token: "t" },
  });
});

test("variables that are no input of ours are not looked at", () => {
  expect(readActionInputs({ INPUT_MAX: "3", KORYPH_INPUT_SIZE: "x" })).toEqual({
    kind: "ok",
    inputs: { mode: "plan", project: "." },
  });
});

test.each([
  {
    name: "no beads at once",
    variable: "MAX",
    value: "0",
    problem: 'max: "0", a whole number of at least 1',
  },
  { name: "half a bead", variable: "MAX", value: "1.5", problem: 'max: "1.5", a whole number of at least 1' },
  {
    name: "a number and more",
    variable: "MAX",
    value: "3; rm -rf .",
    problem: 'max: "3; rm -rf .", a whole number of at least 1',
  },
  {
    name: "a bead id that is a command",
    variable: "ONLY",
    value: "$(touch pwned)",
    problem: 'only: "$(touch pwned)", a bead id: letters, digits, dots, hyphens and underscores',
  },
  {
    name: "a bead id that is an option",
    variable: "PARENT",
    value: "--all",
    problem: 'parent: "--all", a bead id: letters, digits, dots, hyphens and underscores',
  },
  {
    name: "a bead id with a second line",
    variable: "EPIC",
    value: "shop-1\nMAX=9",
    problem: 'epic: "shop-1\\nMAX=9", a bead id: letters, digits, dots, hyphens and underscores',
  },
  {
    name: "a model with a space",
    variable: "DEFAULT_MODEL",
    value: "so nnet",
    problem: 'default-model: "so nnet", a model name, such as sonnet',
  },
  {
    name: "a mode that there is not",
    variable: "MODE",
    value: "serve",
    problem: 'mode: "serve", one of plan, run, job, events',
  },
  {
    name: "an input of another mode",
    variable: "BUDGET",
    value: "5",
    problem: "budget: a value in mode plan, none: it is for mode run",
  },
  {
    name: "a secret in the wrong mode",
    variable: "SIGNING_KEY",
    value: "-----BEGIN OPENSSH PRIVATE KEY-----",
    problem: "signing-key: a value in mode plan, none: it is for mode job",
  },
  {
    name: "a switch between on and off",
    variable: "ONCE",
    value: "yes",
    problem: 'once: "yes", one of true, false',
  },
  {
    name: "a sum with a sign",
    variable: "BUDGET",
    value: "$5",
    problem: 'budget: "$5", a sum such as 12.50',
  },
  {
    name: "a folder with a line break",
    variable: "PROJECT",
    value: "a\nb",
    problem: 'project: "a\\nb", a folder\'s path without control characters',
  },
])("$name is refused", ({ variable, value, problem }) => {
  expect(problems({ [`KORYPH_INPUT_${variable}`]: value })).toEqual([problem]);
});

test("all mistakes are named at once", () => {
  expect(problems({ KORYPH_INPUT_MAX: "many", KORYPH_INPUT_ONLY: "?" })).toHaveLength(2);
});

function problems(env: Record<string, string>): string[] {
  const reading = readActionInputs(env);
  return reading.kind === "ok"
    ? []
    : reading.problems.map(({ key, found, need }) => `${key}: ${found}, ${need}`);
}

test("secrets arrive as they were handed on, a key with its lines", () => {
  expect(secretVariables(handedOn({ token: "ghs_1", "signing-key": "one\ntwo\n" }))).toEqual({
    KORYPH_INPUT_TOKEN: "ghs_1",
    KORYPH_INPUT_APP_PRIVATE_KEY: "",
    KORYPH_INPUT_SIGNING_KEY: "one\ntwo\n",
  });
});
