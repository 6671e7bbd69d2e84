import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../temp-folder.js";
import { runComposite } from "./run-composite.js";

test("inputs have defaults, are seen by expressions only, and leave as outputs", async () => {
  const { outputs } = await run(
    `
inputs:
  name: { default: world }
  mark: { default: "?" }
outputs:
  greeting: { value: "\${{ steps.greet.outputs.text }}\${{ inputs.mark }}" }
runs:
  using: composite
  steps:
    - { id: greet, shell: bash, env: { NAME: "\${{ inputs.name }}" }, run: 'echo "text=hello $NAME$INPUT_NAME" >> "$GITHUB_OUTPUT"' }
`,
    { mark: "!" },
  );
  expect(outputs).toEqual({ greeting: "hello world!" });
});

test("what a step writes to GITHUB_ENV and GITHUB_PATH is there for later steps only", async () => {
  const { log } = await run(`
runs:
  using: composite
  steps:
    - shell: sh
      run: |
        printf 'NOTE<<END\\ntwo\\nlines\\nEND\\n' >> "$GITHUB_ENV"
        echo /first >> "$GITHUB_PATH"
        echo "now: $NOTE"
    - shell: bash
      run: |
        echo "later: $NOTE"
        echo "\${PATH%%:*}"
`);
  expect(log).toBe("now: \nlater: two\nlines\n/first\n");
});

test("after a failure only steps that ask for it run, and a forgiven failure is none", async () => {
  const { conclusion, steps, summary } = await run(`
runs:
  using: composite
  steps:
    - { id: a, shell: bash, continue-on-error: true, run: 'false | true' }
    - { if: "steps.a.outcome == 'failure'", shell: bash, run: 'echo one >> "$GITHUB_STEP_SUMMARY"; exit 3' }
    - { if: "\${{ true }}", shell: bash, run: 'echo two >> "$GITHUB_STEP_SUMMARY"' }
    - { if: failure(), shell: bash, run: 'echo three >> "$GITHUB_STEP_SUMMARY"' }
`);
  expect(steps.map(({ outcome, conclusion }) => `${outcome}/${conclusion}`)).toEqual([
    "failure/success",
    "failure/failure",
    "skipped/skipped",
    "success/success",
  ]);
  expect({ conclusion, summary }).toEqual({ conclusion: "failure", summary: "one\nthree\n" });
});

test("an annotation is read with its title and line breaks", async () => {
  const { annotations } = await run(`
runs:
  using: composite
  steps:
    - { shell: bash, run: 'echo "::warning title=koryph::100%25 sure%0Anext: rest"' }
`);
  expect(annotations).toEqual([{ level: "warning", title: "koryph", message: "100% sure\nnext: rest" }]);
});

function run(action: string, inputs = {}) {
  const folder = tempFolder();
  writeFileSync(join(folder, "action.yml"), action);
  return runComposite({ actionPath: folder, workspace: folder, inputs });
}
