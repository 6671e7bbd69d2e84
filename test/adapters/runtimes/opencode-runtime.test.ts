import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DescribedRuntime } from "../../../src/adapters/runtimes/described-runtime.js";
import { openRuntime } from "../../../src/adapters/runtimes/open-runtime.js";
import type { LaunchSpec } from "../../../src/core/runtimes/launch-spec.js";
import { opencode } from "../../../src/core/runtimes/opencode/opencode.js";
import { adviceOf, barePath, launch, projectIn, script, specIn } from "../../support/core/runtime-bench.js";
import { tempFolder } from "../../support/temp-folder.js";

/** Answers with its arguments, environment and prompt. */
const FAKE = `#!/usr/bin/env node
if (process.argv.includes("--version")) { console.log("1.18.33"); process.exit(0); }
const { readFileSync } = require("node:fs");
const seen = { argv: process.argv.slice(2), env: process.env, prompt: readFileSync(0, "utf8") };
const say = (type, part) => console.log(JSON.stringify({ type, sessionID: "ses_1", part }));
say("step_start", {});
say("text", { text: JSON.stringify(seen) });
say("step_finish", { reason: "stop", cost: 0.5, tokens: { input: 1, output: 1 } });
`;
interface Seen {
  argv: string[];
  env: Record<string, string>;
  prompt: string;
}

const probe = { binary: "/bin/opencode", version: "1.18.33" };
const MODEL = "openai/gpt-5.5";

describe("before anything starts", () => {
  test.each<{ name: string; program: string | null; parent?: object; needs: string }>([
    { name: "a missing program", program: null, needs: "npm install --global opencode-ai" },
    { name: "an old version", program: "#!/bin/sh\necho 1.2.3\n", needs: "1.18.33 or newer" },
    { name: "no credentials", program: FAKE, parent: { OPENAI_API_KEY: "" }, needs: "OPENROUTER_API_KEY" },
  ])("$name is said", async ({ program, parent, needs }) => {
    const root = tempFolder();
    const bin = barePath(root);
    if (program !== null) script(bin, "opencode", program);
    const runtime = openRuntime("opencode", projectIn(root), { PATH: bin, OPENAI_API_KEY: "k", ...parent });
    expect(await adviceOf(() => runtime.probe())).toContain(needs);
  });

  test("a provider without its key is said for that bead", async () => {
    const root = tempFolder();
    const runtime = new DescribedRuntime(opencode, { root, parent: { OPENAI_API_KEY: "k" }, prices: {} });
    const spec = specIn(root, { model: "anthropic/claude-sonnet-5" });
    expect(await adviceOf(() => runtime.command(spec, probe))).toMatch(
      /no credentials for model anthropic\/claude-sonnet-5 → set one of ANTHROPIC_API_KEY/,
    );
  });
});

test("gets prompt, arguments and environment as built, and the key of its own provider alone", async () => {
  const root = tempFolder();
  const bin = barePath(root);
  script(bin, "opencode", FAKE);
  const runtime = openRuntime("opencode", projectIn(root), {
    PATH: bin,
    OPENAI_API_KEY: "k",
    ANTHROPIC_API_KEY: "other",
    GITHUB_TOKEN: "leak",
  });
  const spec = specIn(root, { model: MODEL });
  const outcome = await launch(runtime, spec, "the prompt\n");
  expect(outcome).toMatchObject({ kind: "completed", session: "ses_1", costUsd: 0.5, costKnown: true });
  const { argv, env, prompt } = JSON.parse(outcome.text) as Seen;
  expect(prompt).toBe("the prompt\n");
  expect(argv).toEqual(["run", "--format", "json", "--model", MODEL]);
  expect(env).toMatchObject({
    OPENAI_API_KEY: "k",
    HOME: spec.home,
    XDG_DATA_HOME: `${spec.home}/.local/share`,
    OPENCODE_DISABLE_PROJECT_CONFIG: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_PURE: "1",
  });
  expect(env.GITHUB_TOKEN ?? env.ANTHROPIC_API_KEY).toBeUndefined();
  const rules = JSON.parse(env.OPENCODE_PERMISSION ?? "{}") as Record<string, unknown>;
  expect(rules).toMatchObject({
    bash: { "*": "allow", "git push*": "deny" },
    external_directory: { "*": "deny", [`${spec.agentFolder}/**`]: "allow" },
  });
  // Nobody is there to be asked, and what is asked stops the run.
  expect(JSON.stringify(rules)).not.toContain('"ask"');
});

test("a reviewer can read and nothing else", () => {
  const root = tempFolder();
  const runtime = new DescribedRuntime(opencode, { root, parent: { OPENAI_API_KEY: "k" }, prices: {} });
  const { env } = runtime.command(specIn(root, { role: "reviewer", model: MODEL }), probe);
  const rules = JSON.parse(env.OPENCODE_PERMISSION ?? "{}") as Record<string, string>;
  const allowed = Object.keys(rules).filter((tool) => rules[tool] !== "deny");
  expect(rules["*"]).toBe("deny");
  expect(allowed).toEqual(["read", "grep", "glob", "list"]);
});

test.each<{ session: LaunchSpec["session"]; expected: string[] }>([
  { session: { mode: "new", id: "a" }, expected: [] },
  { session: { mode: "resume", id: "ses_a" }, expected: ["--session", "ses_a"] },
  { session: { mode: "fork", id: "b", parent: "ses_a" }, expected: ["--session", "ses_a", "--fork"] },
])("session $session.mode becomes $expected", ({ session, expected }) => {
  const root = tempFolder();
  const runtime = new DescribedRuntime(opencode, { root, parent: { OPENAI_API_KEY: "k" }, prices: {} });
  const { argv } = runtime.command(specIn(root, { session, model: MODEL }), probe);
  expect(argv.slice(argv.indexOf(MODEL) + 1)).toEqual(expected);
});

test.each<{ name: string; put: (clone: string, home: string) => void }>([
  { name: ".opencode", put: (clone) => mkdirSync(join(clone, ".opencode", "plugin"), { recursive: true }) },
  { name: "opencode.json", put: (clone) => writeFileSync(join(clone, "opencode.json"), "{}") },
  { name: "opencode.jsonc", put: (clone) => symlinkSync("nowhere", join(clone, "opencode.jsonc")) },
  {
    name: ".config/opencode/plugin",
    put: (_, home) => mkdirSync(join(home, ".config", "opencode", "plugin"), { recursive: true }),
  },
])("is not started where $name could make it run code", async ({ name, put }) => {
  const root = tempFolder();
  const bin = barePath(root);
  script(bin, "opencode", FAKE);
  const runtime = openRuntime("opencode", projectIn(root), { PATH: bin, OPENAI_API_KEY: "k" });
  const spec = specIn(root, { model: MODEL });
  put(spec.cwd, spec.home);
  const outcome = await launch(runtime, spec, "");
  expect(outcome).toMatchObject({ kind: "not-started", session: null });
  expect(outcome.detail).toContain(`${name} names, so it was not started`);
});

test("the oldest version that was tried is the one the docs name", () => {
  const page = readFileSync(new URL("../../../docs/runtimes.md", import.meta.url), "utf8");
  expect(page).toContain("| `opencode` | opencode with one message, version 1.18.33 or newer |");
});
