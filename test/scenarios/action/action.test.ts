import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { GovernorFile } from "../../../src/adapters/govern/governor-file.js";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { configureMachine } from "../../../src/core/govern/configure-machine.js";
import { baseProject, project } from "../../support/cli/project.js";
import { runComposite } from "../../support/cli/run-composite.js";
import { LONG, longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

const backlog = [
  { id: "shop-1", title: "Payments", issue_type: "epic" },
  { id: "shop-2", title: "Add a health check", labels: ["area:api"], priority: 0, parent: "shop-1" },
  { id: "shop-3", title: "Time out slow calls", labels: ["area:api"] },
  { id: "shop-4", title: "Explain refunds", labels: ["area:docs"], parent: "shop-1" },
];

test("a workflow learns what a run would dispatch, in the summary and as outputs", async () => {
  const result = await runAction(project({ beads: backlog }));

  expect(result).toMatchObject({
    conclusion: "success",
    annotations: [],
    outputs: { ready: "4", "would-dispatch": "shop-2,shop-4", deferred: "1", "parallel-width": "2" },
  });
  expect(JSON.parse(result.outputs.plan ?? "")).toMatchObject({
    project_id: "shop",
    dispatch: [{ id: "shop-2", model: "sonnet" }, { id: "shop-4" }],
    deferred: [{ id: "shop-3", reason_code: "conflict", by: "shop-2" }],
    skipped: [{ id: "shop-1" }],
  });
  expect(JSON.parse(result.outputs.audit ?? "")).toMatchObject({ total_open: 4, epic_id: null });
  expect(result.summary).toContain("**2** of 4 ready beads would be dispatched, at most 4 at once.");
  expect(result.summary).toContain(
    "| <code>shop-2</code> | Add a health check | writes <code>src/api</code> |",
  );
  expect(result.summary).toContain(
    "| <code>shop-3</code> | Time out slow calls | footprint conflict with shop-2 |",
  );
  expect(result.summary).toContain("## Plan audit");
});

test("a plan asks the machine's governor, as a dry run does", async () => {
  const home = tempFolder();
  const file = new GovernorFile(new KoryphHome(home));
  await file.change((state) => ({ state: configureMachine(state, { ceiling: 1 }), answer: null }));
  const { outputs } = await runAction(project({ beads: backlog }), {}, { KORYPH_HOME: home });

  expect(outputs).toMatchObject({ "would-dispatch": "shop-2", deferred: "2" });
  expect(JSON.parse(outputs.plan ?? "").deferred).toContainEqual(
    expect.objectContaining({ id: "shop-4", reason_code: "not_admitted" }),
  );
});

longTest("inputs narrow the dry run and the audit", async () => {
  const inputs = { max: "1", parent: "shop-1", epic: "shop-1", "default-model": "opus" };
  const { outputs } = await runAction(project({ beads: backlog }), inputs);

  expect(outputs).toMatchObject({ ready: "2", "would-dispatch": "shop-2", deferred: "1" });
  expect(JSON.parse(outputs.plan ?? "")).toMatchObject({ width: 1, dispatch: [{ model: "opus" }] });
  expect(JSON.parse(outputs.audit ?? "")).toMatchObject({ total_open: 2, epic_id: "shop-1" });
});

longTest("a project in a folder of the checkout is found there", async () => {
  const workspace = tempFolder();
  const shop = join(workspace, "packages/shop");
  mkdirSync(join(shop, ".koryph"), { recursive: true });
  writeFileSync(join(shop, "koryph.project.json"), JSON.stringify(baseProject));
  writeFileSync(join(shop, ".koryph/beads.jsonl"), `${JSON.stringify(backlog[2])}\n`);

  const { outputs } = await runAction(workspace, { project: "packages/shop" });

  expect(outputs["would-dispatch"]).toBe("shop-3");
});

longTest("an empty backlog is no failure", async () => {
  const { conclusion, outputs, summary } = await runAction(project({ beads: [] }));

  expect({ conclusion, outputs }).toMatchObject({
    conclusion: "success",
    outputs: { ready: "0", "would-dispatch": "", deferred: "0", "parallel-width": "0" },
  });
  expect(summary).toContain("Nothing is ready");
});

longTest("a backlog too long for an output leaves it empty and says so", async () => {
  const beads = Array.from({ length: 2500 }, (_, n) => ({ id: `shop-${n}`, title: "x".repeat(100) }));
  const { conclusion, outputs, annotations } = await runAction(project({ beads }));

  expect({ conclusion, ...outputs }).toMatchObject({
    conclusion: "success",
    "would-dispatch": "shop-0",
    plan: "",
  });
  expect(annotations.map(({ level, message }) => `${level}: ${message.split("\n")[0]}`)).toEqual([
    "warning: koryph left the output plan empty: the backlog is too long for it",
    "warning: koryph left the output audit empty: the backlog is too long for it",
  ]);
});

longTest(
  "a list of beads too long for an output is left empty, and the outputs stay below what a job may hand on",
  async () => {
    const beads = Array.from({ length: 1000 }, (_, n) => ({
      id: `shop-${n}-`.padEnd(60, "x"),
      title: "x",
      labels: [`fp:${n}`],
    }));
    const { conclusion, outputs, annotations } = await runAction(
      project({ config: { max_concurrent_slots: 1000 }, beads }),
    );

    expect({ conclusion, ...outputs }).toMatchObject({
      conclusion: "success",
      ready: "1000",
      "would-dispatch": "",
    });
    expect(annotations.map(({ message }) => message.split("\n")[0])).toContain(
      "koryph left the output would-dispatch empty: the backlog is too long for it",
    );
  },
);

test("what drives a terminal is shown in an annotation, not obeyed", async () => {
  const beads = [{ id: "a", title: "A", status: "\u001b[31m\u009b2J\u202e" }];
  const { annotations, log } = await runAction(project({ beads }), { only: "a" });

  expect(annotations[0]?.message).toContain("bead a is not ready: its status is");
  expect(log).not.toMatch(/[\u001b\u007f-\u009f\u202e]/);
});

longTest("a wrong input names the page that lists them, where it lies", async () => {
  const { annotations } = await runAction(project({ beads: [] }), { max: "none" });
  expect(annotations[0]?.message).toContain(`\nnext: ${join(CHECKOUT, "docs/action.md")} lists every input`);
});

test("a wrong project file is one annotation with every mistake and the next step, without a stack", async () => {
  const result = await runAction(project({ config: { gate: [], max_concurrent_slot: 3 }, beads: [] }));

  expect(result).toMatchObject({ conclusion: "failure", summary: "" });
  expect(result.annotations).toHaveLength(1);
  expect(result.annotations[0]).toMatchObject({ level: "error", title: "koryph" });
  expect(result.annotations[0]?.message).toMatch(
    /koryph\.project\.json has 2 problems:\n {2}gate: found \[\]/,
  );
  expect(result.annotations[0]?.message).toContain(
    `\nnext: ${join(CHECKOUT, "docs/configuration.md")} lists every key`,
  );
  expect(result.log).not.toMatch(/^\s+at /m);
});

longTest("titles from strangers are shown and do nothing", async () => {
  const hostile = [
    "a | b `c` **d** @octocat #1 :tada:",
    "<img src=x onerror=alert(1)></details>",
    "[click](https://evil.example) https://evil.example",
    "first\n::add-mask::x\n::error::forged\n## heading",
    "$(touch pwned); `touch pwned`",
  ];
  const beads = hostile.map((title, n) => ({ id: `shop-${n}`, title, labels: [`fp:t${n}</code>@octocat|`] }));
  const workspace = project({ config: { max_concurrent_slots: 9 }, beads });

  const { conclusion, annotations, outputs, log, summary } = await runAction(workspace);

  expect({ conclusion, annotations }).toEqual({ conclusion: "success", annotations: [] });
  expect(JSON.parse(outputs.plan ?? "").dispatch.map(({ title }: { title: string }) => title)).toEqual(
    hostile,
  );
  expect(log).not.toContain("add-mask");
  expect(summary).not.toMatch(/<img|[@`[]|https:|\n::|\n## heading/);
  expect(summary.split("</details>").length).toBe(summary.split("<details>").length);
  const cells = summary.split("\n").filter((line) => line.startsWith("| <code>shop-"));
  expect(cells.map((line) => line.split("|").length)).toEqual(hostile.map(() => 7));
  expect(existsSync(join(workspace, "pwned"))).toBe(false);
});

/** In the long form all cases; otherwise those at the head of a list, each of which is wrong in a way of its own. */
const some = <Case>(sample: number, cases: readonly Case[]): readonly Case[] =>
  LONG ? cases : cases.slice(0, sample);

test.each<{ name: string; inputs: Record<string, string> }>(
  some(2, [
    { name: "a command", inputs: { only: "$(touch pwned)" } },
    { name: "a line for the output file", inputs: { parent: "shop-1\nready=99" } },
    { name: "a command for the runner", inputs: { epic: "x\n::error::forged" } },
    { name: "a second command", inputs: { max: "1; touch pwned" } },
    { name: "quotes and a command", inputs: { "default-model": `"'; touch pwned #` } },
    { name: "an option", inputs: { only: "--all" } },
  ]),
)("$name as an input is refused in one annotation and not run", async ({ inputs }) => {
  const workspace = project({ beads: backlog });
  const before = readdirSync(workspace);

  const { conclusion, annotations, outputs } = await runAction(workspace, inputs);

  expect({ conclusion, ready: outputs.ready }).toEqual({ conclusion: "failure", ready: "" });
  expect(annotations).toHaveLength(1);
  expect(annotations[0]?.message).toMatch(/^the Action's inputs have 1 problem:\n/);
  expect(readdirSync(workspace)).toEqual(before);
});

test.each(
  some(1, [
    { name: "a link to a neighbour", folder: "linked" },
    { name: "a neighbour", folder: "$NEIGHBOUR" },
    { name: "a command", folder: "$(touch pwned)" },
    { name: "a link to itself", folder: "loop" },
    { name: "a folder above the workspace", folder: "../.." },
    { name: "an absolute path", folder: "/" },
    { name: "a folder that is not there", folder: "missing" },
    { name: "a path too long for any disk", folder: "x".repeat(5000) },
  ]),
)("$name is no project folder", async ({ folder }) => {
  const neighbour = project({ beads: backlog });
  const workspace = project({ beads: backlog });
  symlinkSync(neighbour, join(workspace, "linked"));
  symlinkSync("loop", join(workspace, "loop"));

  const input = folder.replace("$NEIGHBOUR", `../${basename(neighbour)}`);
  const { conclusion, annotations, summary } = await runAction(workspace, { project: input });

  expect({ conclusion, summary }).toEqual({ conclusion: "failure", summary: "" });
  expect(annotations).toHaveLength(1);
  expect(annotations[0]?.message).not.toContain("fault in koryph");
  expect(annotations[0]?.message).toMatch(
    /leads out of the workspace|was not found in the folder|cannot be read/,
  );
  expect(existsSync(join(workspace, "pwned"))).toBe(false);
});

test.each(some(1, ["koryph.project.json", ".koryph"]))(
  "a %s that links to the runner's own files is not read",
  async (name) => {
    const neighbour = project({ config: { token: "s3cret" }, beads: `{"id":"s3cret!"}\n` });
    const workspace = tempFolder();
    if (name === ".koryph")
      writeFileSync(join(workspace, "koryph.project.json"), JSON.stringify(baseProject));
    symlinkSync(join(neighbour, name), join(workspace, name));

    const { conclusion, log } = await runAction(workspace);

    expect(conclusion).toBe("failure");
    expect(log).toContain("leads out of the workspace");
    expect(log).not.toContain("s3cret");
  },
);

test("a runner without node is told so in one sentence", async () => {
  const tools = tempFolder();
  symlinkSync("/bin/bash", join(tools, "bash"));

  const { conclusion, steps, annotations } = await runComposite({
    actionPath: CHECKOUT,
    workspace: project(),
    env: { PATH: tools },
  });

  expect({ conclusion, outcomes: steps.map(({ outcome }) => outcome) }).toEqual({
    conclusion: "failure",
    outcomes: ["failure", "skipped"],
  });
  expect(annotations.map(({ message }) => message)).toEqual([
    "koryph needs Node 20.19, 22.12 or newer, which is not on the PATH: put actions/setup-node before this step.",
  ]);
});

function runAction(
  workspace: string,
  inputs: Record<string, string> = {},
  variables: Record<string, string> = {},
) {
  return runComposite({
    actionPath: CHECKOUT,
    workspace,
    inputs,
    // Whatever else runs on this machine has its memory.
    env: { GIT_CONFIG_NOSYSTEM: "1", HOME: workspace, KORYPH_MEMINFO: "/dev/null", ...variables },
  });
}
