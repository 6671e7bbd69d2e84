import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DescribedRuntime } from "../../../src/adapters/runtimes/described-runtime.js";
import { openRuntime } from "../../../src/adapters/runtimes/open-runtime.js";
import { programBehind } from "../../../src/adapters/runtimes/program-behind.js";
import { codex } from "../../../src/core/runtimes/codex/codex.js";
import type { LaunchSpec } from "../../../src/core/runtimes/launch-spec.js";
import {
  adviceOf,
  barePath,
  launch,
  projectIn,
  script,
  settingsIn,
  specIn,
} from "../../support/core/runtime-bench.js";
import { tempFolder } from "../../support/temp-folder.js";

/** Answers with its arguments, environment, prompt and the schema it was given. */
const FAKE = `#!/usr/bin/env node
if (process.argv.includes("--version")) { console.log("codex-cli 0.166.0"); process.exit(0); }
const { readFileSync } = require("node:fs");
const argv = process.argv.slice(2);
const at = argv.indexOf("--output-schema");
const schema = at === -1 ? null : readFileSync(argv[at + 1], "utf8");
const seen = { argv, env: process.env, prompt: readFileSync(0, "utf8"), schema };
console.log(JSON.stringify({ type: "thread.started", thread_id: "t-1" }));
console.log(JSON.stringify({ type: "turn.started" }));
console.log(JSON.stringify({ type: "item.completed", item: { type: "agent_message", text: JSON.stringify(seen) } }));
console.log(JSON.stringify({ type: "turn.completed", usage: { input_tokens: 1000000, output_tokens: 0 } }));
`;
interface Seen {
  argv: string[];
  env: Record<string, string>;
  prompt: string;
  schema: string | null;
}

const probe = { binary: "/bin/codex", version: "0.166.0" };

describe("before anything starts", () => {
  test.each<{ name: string; program: string | null; key?: string; needs: string }>([
    { name: "a missing program", program: null, needs: "npm install --global @openai/codex" },
    { name: "an old version", program: "#!/bin/sh\necho codex-cli 0.99.1\n", needs: "0.166.0 or newer" },
    { name: "no version", program: "#!/bin/sh\necho hello\n", needs: 'it printed "hello"' },
    { name: "no credentials", program: FAKE, key: "", needs: "CODEX_API_KEY, OPENAI_API_KEY" },
  ])("$name is said", async ({ program, key = "k", needs }) => {
    const root = tempFolder();
    const bin = barePath(root);
    if (program !== null) script(bin, "codex", program);
    const runtime = openRuntime("codex", projectIn(root), { PATH: bin, OPENAI_API_KEY: key });
    expect(await adviceOf(() => runtime.probe())).toContain(needs);
  });

  test("a program of the project's own may bring its credentials", async () => {
    const root = tempFolder();
    const bin = barePath(root);
    script(bin, "my-codex", FAKE);
    const command = ["my-codex", "-c", "model_provider=mine"];
    const runtime = openRuntime("codex", projectIn(root, { codex: { command } }), { PATH: bin });
    expect(await runtime.probe()).toEqual({ binary: join(bin, "my-codex"), version: "0.166.0" });
  });
});

describe("the program behind npm's script", () => {
  const machine = process.arch === "arm64" ? ["linux-arm64", "aarch64"] : ["linux-x64", "x86_64"];
  const native = (folder: string) =>
    script(join(folder, "vendor", `${machine[1]}-unknown-linux-musl`, "bin"), "codex", "");

  test.each<{ name: string; beside: string[] }>([
    { name: "beside its package", beside: ["@openai", `codex-${machine[0]}`] },
    {
      name: "inside its package",
      beside: ["@openai", "codex", "node_modules", "@openai", `codex-${machine[0]}`],
    },
    { name: "in its package", beside: ["@openai", "codex"] },
  ])("is found $name", async ({ beside }) => {
    const modules = join(tempFolder(), "node_modules");
    const wrapper = script(join(modules, "@openai", "codex", "bin"), "codex.js", "#!/usr/bin/env node\n");
    const expected = native(join(modules, ...beside));
    mkdirSync(join(modules, ".bin"));
    symlinkSync(wrapper, join(modules, ".bin", "codex"));
    expect(await programBehind(codex, join(modules, ".bin", "codex"))).toBe(expected);
  });

  test("is not looked for behind anything else, and its absence is borne", async () => {
    const root = tempFolder();
    const other = script(root, "codex", "");
    expect(await programBehind(codex, other)).toBe(other);
    const alone = script(join(root, "@openai", "codex", "bin"), "codex.js", "");
    expect(await programBehind(codex, alone)).toBe(alone);
  });
});

test("gets prompt, arguments and environment as built, and its key under the name it reads", async () => {
  const root = tempFolder();
  const bin = barePath(root);
  script(bin, "codex", FAKE);
  const prices = { sonnet: { input_usd: 2, output_usd: 0 } };
  const runtime = openRuntime("codex", projectIn(root, { codex: { prices } }), {
    PATH: bin,
    OPENAI_API_KEY: "k",
    GITHUB_TOKEN: "leak",
    TZ: "Asia/Tokyo",
  });
  const spec = specIn(root);
  const outcome = await launch(runtime, spec, "the prompt\n");
  expect(outcome).toMatchObject({ kind: "completed", session: "t-1", costUsd: 2, costKnown: true });
  const { argv, env, prompt } = JSON.parse(outcome.text) as Seen;
  expect(prompt).toBe("the prompt\n");
  expect(argv.slice(0, 2)).toEqual(["exec", "--json"]);
  expect(argv.at(-1)).toBe("-");
  expect(argv).toEqual(expect.arrayContaining(["--ignore-user-config", "--ignore-rules"]));
  expect(settingsIn(argv)).toMatchObject({
    approval_policy: '"never"',
    sandbox_mode: '"workspace-write"',
    "sandbox_workspace_write.writable_roots": JSON.stringify([
      `${spec.cwd}/.git`,
      spec.agentFolder,
      spec.home,
    ]),
    projects: `{${JSON.stringify(spec.cwd)}={"trust_level"="untrusted"}}`,
    project_doc_max_bytes: "0",
    "features.hooks": "false",
    "shell_environment_policy.exclude": '["CODEX_API_KEY","OPENAI_API_KEY","TZ"]',
    "shell_environment_policy.set": '{"TZ"="Asia/Tokyo"}',
  });
  expect(env).toMatchObject({ CODEX_API_KEY: "k", HOME: spec.home, TZ: "UTC" });
  expect(env.GITHUB_TOKEN).toBeUndefined();
});

test.each<{ session: LaunchSpec["session"]; begins: string[]; ends: string[] }>([
  { session: { mode: "new", id: "a" }, begins: ["exec", "--json"], ends: ["-"] },
  { session: { mode: "resume", id: "a" }, begins: ["exec", "resume", "--json"], ends: ["a", "-"] },
  {
    session: { mode: "fork", id: "b", parent: "a" },
    begins: ["exec", "fork", "--json"],
    ends: ["a", "-"],
  },
])("session $session.mode becomes $begins … $ends", ({ session, begins, ends }) => {
  const root = tempFolder();
  const runtime = new DescribedRuntime(codex, { root, parent: {}, prices: {} });
  const [, ...argv] = runtime.command(specIn(root, { session }), probe).argv;
  expect(argv.slice(0, begins.length)).toEqual(begins);
  expect(argv.slice(-ends.length)).toEqual(ends);
});

test("a reviewer can read and nothing else, and its answer is given a shape by a file", async () => {
  const root = tempFolder();
  const bin = barePath(root);
  script(bin, "codex", FAKE);
  const runtime = openRuntime("codex", projectIn(root), { PATH: bin, CODEX_API_KEY: "k" });
  const outputSchema = { type: "object", properties: {} };
  const outcome = await launch(runtime, specIn(root, { role: "reviewer", outputSchema }), "");
  const seen = outcome.structured as Seen;
  expect(JSON.parse(seen.schema ?? "")).toEqual(outputSchema);
  expect(settingsIn(seen.argv)).toMatchObject({ sandbox_mode: '"read-only"' });
  expect(seen.argv.join(" ")).not.toContain("writable_roots");
});

test("the oldest version that was tried is the one the docs name", () => {
  const page = readFileSync(new URL("../../../docs/runtimes.md", import.meta.url), "utf8");
  expect(page).toContain("| `codex` | Codex without its screen, version 0.166.0 or newer |");
});
