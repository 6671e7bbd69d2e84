import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openRuntime } from "../../../src/adapters/runtimes/open-runtime.js";
import { agentRoom } from "../../../src/core/runtimes/agent-room.js";
import type { LaunchSpec } from "../../../src/core/runtimes/launch-spec.js";
import { containmentHere } from "../../support/contained.js";
import { launch, projectIn, script, specIn } from "../../support/core/runtime-bench.js";
import { tempFolder } from "../../support/temp-folder.js";

const bubblewrap = await containmentHere();

/** Asks the hooks of its settings before each call, as the real one was seen to do, and tells what it was answered. */
const ASKING_CLAUDE = `#!/usr/bin/env node
const { readFileSync, spawnSync } = require("node:fs") && { ...require("node:fs"), ...require("node:child_process") };
if (process.argv.includes("--version")) { console.log("2.1.197 (Claude Code)"); process.exit(0); }
const { hooks = {} } = JSON.parse(readFileSync(process.argv[process.argv.indexOf("--settings") + 1], "utf8"));
const print = (line) => console.log(JSON.stringify(line));
print({ type: "system", subtype: "init", session_id: "s-1", claude_code_version: "2.1.197" });
const denied = [];
for (const command of JSON.parse(readFileSync(0, "utf8"))) {
  const told = { hook_event_name: "PreToolUse", cwd: process.cwd(), tool_name: "Bash", tool_input: { command } };
  for (const { matcher, hooks: each } of hooks.PreToolUse ?? []) {
    if (!new RegExp("^(" + matcher + ")$").test("Bash")) continue;
    for (const hook of each) {
      const ran = spawnSync("/bin/sh", ["-c", hook.command], { input: JSON.stringify(told), encoding: "utf8" });
      const output = ran.stdout === "" ? null : JSON.parse(ran.stdout).hookSpecificOutput;
      if (ran.status === 2 || output?.permissionDecision === "deny") denied.push({ tool_name: "Bash", tool_use_id: command, tool_input: { command } });
    }
  }
}
print({ type: "result", subtype: "success", is_error: false, result: "", total_cost_usd: 0, permission_denials: denied });
`;

function agentIn(folder: string, change: Partial<LaunchSpec> = {}) {
  const program = script(join(folder, "bin"), "claude", ASKING_CLAUDE);
  const runtime = openRuntime("claude", projectIn(folder, { claude: { command: [program] } }), process.env);
  const spec = specIn(folder, {
    guard: { folder: join(folder, "run's folder"), engine: [folder], defaultBranch: "trunk" },
    ...change,
  });
  return { runtime, spec };
}

test("an agent's calls are judged by the program that koryph brings, and denials reach its outcome", async () => {
  const folder = tempFolder();
  const { runtime, spec } = agentIn(folder);
  const calls = [
    "git status",
    "sh -c 'git push'",
    "git checkout trunk",
    "git checkout main",
    `cat ${folder}/governor.json`,
  ];
  const outcome = await launch(runtime, spec, JSON.stringify(calls));
  expect(outcome.denials).toHaveLength(3);
  expect(outcome.denials.join("\n")).toContain("git push");
  const noted = readFileSync(join(folder, "run's folder", "denials.jsonl"), "utf8")
    .trim()
    .split("\n");
  expect(noted.map((line) => JSON.parse(line).code)).toEqual(["push", "default-branch", "engine-files"]);
});

test("the settings lie in the attempt's folder, and not where the agent works", async () => {
  const folder = tempFolder();
  const { runtime, spec } = agentIn(folder);
  const { argv, files = {} } = runtime.command(spec, await runtime.probe());
  expect(Object.keys(files)).toEqual([join(folder, "run's folder", "guard-settings.json")]);
  expect(argv[argv.indexOf("--settings") + 1]).toBe(Object.keys(files)[0]);
  expect(argv.slice(argv.indexOf("--setting-sources"), argv.indexOf("--setting-sources") + 2)).toEqual([
    "--setting-sources",
    "",
  ]);
});

test("a guard that cannot be started denies", async () => {
  const folder = tempFolder();
  const { runtime, spec } = agentIn(folder);
  const command = runtime.command(spec, await runtime.probe());
  const [[path = "", text = ""] = []] = Object.entries(command.files ?? {});
  const broken = { ...command, files: { [path]: text.replace("dist/guard/main.js", "dist/guard/none.js") } };
  const stub = {
    ...runtime,
    probe: () => runtime.probe(),
    command: () => broken,
    parser: runtime.parser.bind(runtime),
  };
  const outcome = await launch(stub as typeof runtime, spec, JSON.stringify(["git status"]));
  expect(outcome.denials).toHaveLength(1);
});

test.runIf(bubblewrap !== null)(
  "an agent that is contained finds its guard, and cannot change it",
  async () => {
    const folder = tempFolder();
    const { runtime, spec } = agentIn(folder);
    const command = runtime.command(spec, await runtime.probe());
    const room = agentRoom(spec, command, join(folder, "objects"));
    for (const path of room.writable) mkdirSync(path, { recursive: true });
    for (const [path, text] of Object.entries(command.files ?? {})) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const [settings = ""] = Object.keys(command.files ?? {});
    const network = { kind: "off" } as const;
    const places = { ...room, folder: join(folder, "run's folder"), network };
    const ask = async (argv: readonly string[], input: string) => {
      const contained = await bubblewrap?.contain({ argv, env: command.env, cwd: spec.cwd }, places);
      const [program = "", ...args] = contained?.argv ?? [];
      return spawnSync(program, args, { input, encoding: "utf8", env: contained?.env, cwd: spec.cwd });
    };
    const { stdout, stderr } = await ask(command.argv, JSON.stringify(["git status", "git push"]));
    expect(stderr).toBe("");
    expect(stdout).toContain('"permission_denials":[{"tool_name":"Bash","tool_use_id":"git push"');
    const changed = await ask(["/bin/sh", "-c", `echo '{}' >"${settings}"`], "");
    expect(changed.stderr).toMatch(/Read-only|Permission denied/);
  },
);
