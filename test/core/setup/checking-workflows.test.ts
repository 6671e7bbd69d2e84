import { expect, test } from "vitest";
import { checkingWorkflows } from "../../../src/core/setup/checking-workflows.js";

test.each([
  { name: "one that commits start, by its name", text: 'name: "CI: all"\non: [push]\n', found: ["CI: all"] },
  {
    name: "one without a name, by its path",
    text: "on:\n  pull_request:\n",
    found: [".github/workflows/a.yml"],
  },
  { name: "a list of events", text: "name: ci # ours\non:\n  - push\n", found: ["ci"] },
  {
    name: "one by the clock alone",
    text: "name: nightly\non:\n  schedule:\n    - cron: '7 1 * * *'\n",
    found: [],
  },
  {
    name: "a step that pushes is no event",
    text: "name: image\non: workflow_dispatch\njobs:\n  a:\n    steps:\n      - with:\n          push: true\n",
    found: [],
  },
  {
    name: "koryph's own",
    text: "name: koryph events\non:\n  pull_request_target:\njobs:\n  a:\n    steps:\n      - with:\n          mode: events\n",
    found: [],
  },
])("$name", ({ text, found }) => {
  expect(checkingWorkflows([{ file: "a.yml", text }])).toEqual(found);
});
