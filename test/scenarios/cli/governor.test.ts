import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { GovernorFile } from "../../../src/adapters/govern/governor-file.js";
import { MachineGovernor } from "../../../src/adapters/govern/machine-governor.js";
import { KoryphHome } from "../../../src/adapters/home/koryph-home.js";
import { buildProgram } from "../../../src/cli/program.js";
import { PLAIN } from "../../../src/lib/paint.js";
import { UserError } from "../../../src/lib/user-error.js";
import { tempFolder } from "../../support/temp-folder.js";

let home = "";

beforeEach(() => {
  home = join(tempFolder(), "home");
  vi.stubEnv("KORYPH_HOME", home);
  return () => vi.unstubAllEnvs();
});

/** The verbs of `koryph governor` as the surface wires them, with what they print. */
async function governor(...args: string[]): Promise<string> {
  let said = "";
  const out = (line: string) => {
    said += `${line}\n`;
  };
  const { program } = buildProgram({ out, err: out, paint: PLAIN }, () => {});
  program.exitOverride();
  for (const command of program.commands) command.exitOverride();
  await program.parseAsync(["governor", ...args], { from: "user" });
  return said;
}

const shown = async () => JSON.parse(await governor("show", "--json"));

test("a machine on which nothing was started, or set, is shown as it counts, and nothing is made", async () => {
  expect(await governor("show")).toBe(
    [
      "machine: 0 of 8 agents at work",
      "memory: nobody can tell how much there is",
      "account claude: 0 of 8 (fixed)",
      "",
    ].join("\n"),
  );
  expect(await shown()).toEqual({
    ceiling: 8,
    memory: { available_mb: null, total_mb: null, floor_mb: null },
    resources: {},
    pools: [
      {
        ...{ pool: "claude", adaptive: false, cap: 8, hard_max: null, cap_now: 8, at_work: 0 },
        ...{ rate_limits: 0, breaker: "closed", open_until: null, wanted_by: [] },
      },
    ],
    leases: [],
  });
});

test("what is set is shown, stays beside what is set later, and is taken back", async () => {
  const set = "set; it counts from the next place that is asked for\n";
  expect(await governor("set", "--ceiling", "3", "--resource", "gpu=2", "--resource", "port=0")).toBe(set);
  expect(await governor("set", "--cap", "2", "--adaptive", "on", "--hard-max", "5")).toBe(set);
  expect(await governor("set", "--pool", "codex", "--cap", "4", "--memory-floor", "512")).toBe(set);
  expect(await shown()).toMatchObject({
    ceiling: 3,
    memory: { floor_mb: 512 },
    resources: { gpu: 2, port: 0 },
    pools: [
      { pool: "claude", adaptive: true, cap: 2, hard_max: 5, cap_now: 2 },
      { pool: "codex", adaptive: false, cap: 4, hard_max: null, cap_now: 4 },
    ],
  });
  const back = ["--resource", "gpu=auto", "--memory-floor", "auto", "--hard-max", "auto"];
  expect(await governor("set", ...back)).toBe(set);
  expect(await shown()).toMatchObject({
    memory: { floor_mb: null },
    resources: { port: 0 },
    pools: [{ pool: "claude", hard_max: null }, {}],
  });
});

test("what is set already is said to be, and the record stays as it is", async () => {
  await governor("set", "--ceiling", "3");
  const before = readFileSync(join(home, "governor.json"), "utf8");
  expect(await governor("set", "--ceiling", "3")).toBe("nothing changed: it is set so already\n");
  expect(readFileSync(join(home, "governor.json"), "utf8")).toBe(before);
});

test("an agent's place is shown with its project, and not any more when its process is gone", async () => {
  const file = new GovernorFile(new KoryphHome(home));
  const engine = new MachineGovernor(file, { status: async () => ({ kind: "none" }) });
  const wish = { project: "shop", bead: "a", attempt: 2, pool: "", folder: "/none", capacities: {} };
  await engine.admit({ ...wish, resources: ["gpu"] });
  expect(await governor("show")).toMatch(
    new RegExp(`shop +a +attempt 2 +claude +pid ${process.pid} +\\d+s +res:gpu`),
  );
  await engine.attach({ ...wish, resources: ["gpu"], process: { pid: 1, start: "never", boot: "none" } });
  expect(await shown()).toMatchObject({ leases: [], pools: [{ at_work: 0, wanted_by: ["shop"] }] });
});

test("a record that cannot be read is named, and neither shown nor changed", async () => {
  await governor("set", "--ceiling", "3");
  const file = join(home, "governor.json");
  writeFileSync(file, "{");
  for (const args of [["show"], ["set", "--ceiling", "4"]]) {
    const refused = governor(...args);
    await expect(refused).rejects.toThrow(UserError);
    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining(`${file} cannot be read`),
      hint: expect.stringContaining(`${file}.unreadable has a copy`),
    });
  }
  expect(readFileSync(file, "utf8")).toBe("{");
});

test.each([
  { args: [], says: /needs to know what to set/ },
  { args: ["--pool", "codex"], says: /needs to know what to set/ },
])("set $args is refused", async ({ args, says }) => {
  await expect(governor("set", ...args)).rejects.toThrow(says);
});

test("who set what is kept for this machine, once, and not what changed nothing", async () => {
  await governor("set", "--ceiling", "4");
  await governor("set", "--ceiling", "4");
  const lines = readFileSync(join(home, "audit.jsonl"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      ...{ kind: "governor-set", project_id: null, detail: { ceiling: 4 } },
      actor: expect.stringMatching(/./),
    }),
  ]);
});
