import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DescribedRuntime } from "../../../src/adapters/runtimes/described-runtime.js";
import { askVersion, findBinary, findProgram } from "../../../src/adapters/runtimes/find-binary.js";
import { openRuntime } from "../../../src/adapters/runtimes/open-runtime.js";
import { slotMarkers } from "../../../src/core/runtimes/agent-environment.js";
import { claude } from "../../../src/core/runtimes/claude/claude.js";
import type { LaunchSpec } from "../../../src/core/runtimes/launch-spec.js";
import { RUNTIMES } from "../../../src/core/runtimes/runtimes.js";
import { adviceOf, launch, projectIn as project, script, specIn } from "../../support/core/runtime-bench.js";
import { tempFolder } from "../../support/temp-folder.js";

const PATH = process.env.PATH ?? "";

/** Prints its arguments and environment as a stream that the parser understands. */
const FAKE_CLAUDE = `#!/usr/bin/env node
if (process.argv.includes("--version")) { console.log("2.1.197 (Claude Code)"); process.exit(0); }
const seen = { argv: process.argv.slice(2), env: process.env, prompt: require("node:fs").readFileSync(0, "utf8") };
console.log(JSON.stringify({ type: "system", subtype: "init", session_id: "s-1", claude_code_version: "2.1.197" }));
console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false, result: JSON.stringify(seen), total_cost_usd: 0.5 }));
`;

describe("opening a runtime", () => {
  test.each<{ name: string; runtime: string; runtimes?: object; needs: string[] }>([
    { name: "an unknown one", runtime: "mine", needs: ["no runtime mine", "runtimes.mine.command"] },
    {
      name: "one that is switched off",
      runtime: "claude",
      runtimes: { claude: { enabled: false } },
      needs: ["switched off", "runtimes.claude.enabled"],
    },
    {
      name: "command without a program",
      runtime: "command",
      needs: ["no program", "runtimes.command.command"],
    },
    { name: "an inherited property", runtime: "constructor", needs: ["no runtime constructor"] },
  ])("$name is refused with what it needs", async ({ runtime, runtimes, needs }) => {
    const advice = await adviceOf(() => openRuntime(runtime, project("/", runtimes), {}));
    for (const need of needs) expect(advice).toContain(need);
  });

  test.each(RUNTIMES.map(({ name }) => name))("%s is built in, and a command does not replace it", (name) => {
    const runtime = openRuntime(name, project("/", { [name]: { command: ["x"] } }), {});
    expect(runtime.name).toBe(name);
    expect(runtime).toBeInstanceOf(DescribedRuntime);
  });

  test("any name becomes a runtime by being given a program", () => {
    const runtime = openRuntime("mine", project("/", { mine: { command: ["x"] } }), {});
    expect(runtime.name).toBe("mine");
  });
});

describe("finding a program", () => {
  test("a name is looked for on PATH, in order, and only as an executable file", async () => {
    const root = tempFolder();
    mkdirSync(join(root, "a", "tool"), { recursive: true });
    mkdirSync(join(root, "b"));
    writeFileSync(join(root, "b", "tool"), "");
    const found = script(join(root, "c"), "tool", "#!/bin/sh\n");
    const path = ["relative", "a", "b", "c"]
      .map((name) => (name === "relative" ? "." : join(root, name)))
      .join(":");
    expect(await findBinary("tool", { root, path })).toBe(found);
    expect(await findBinary("other", { root, path })).toBeNull();
    expect(await findBinary("tool", { root, path: undefined })).toBeNull();
  });

  test("a path is taken from the project's root", async () => {
    const root = tempFolder();
    const found = script(join(root, "agents"), "mine.sh", "#!/bin/sh\n");
    expect(await findBinary("./agents/mine.sh", { root, path: "" })).toBe(found);
  });

  test.each<{ name: string; text: string; mode?: number; kind: string; interpreter?: string }>([
    { name: "a script", text: "#!/bin/sh\n", kind: "found" },
    { name: "a script for a program on PATH", text: "#!/usr/bin/env sh\n", kind: "found" },
    { name: "a program that is no script", text: "\u007fELF", kind: "found" },
    { name: "a script without its bits", text: "#!/bin/sh\n", mode: 0o644, kind: "not-executable" },
    {
      name: "a script for a program that is not there",
      text: "#! /opt/none/python -u\n",
      kind: "bad-interpreter",
      interpreter: "/opt/none/python",
    },
    {
      name: "a script for a program that is not on PATH",
      text: "#!/usr/bin/env -S none-such --fast\n",
      kind: "bad-interpreter",
      interpreter: "none-such",
    },
    {
      name: "a script with another system's line ends",
      text: "#!/bin/sh\r\necho hello\r\n",
      kind: "bad-interpreter",
      interpreter: "/bin/sh\r",
    },
  ])("$name is $kind", async ({ text, mode = 0o755, kind, interpreter }) => {
    const root = tempFolder();
    const path = script(root, "tool", text);
    chmodSync(path, mode);
    for (const program of ["./tool", "tool"]) {
      const found = await findProgram(program, { root, path: `${root}:${PATH}` });
      expect(found).toMatchObject({ kind, ...(interpreter === undefined ? {} : { path, interpreter }) });
    }
  });

  test("one that may not be run does not hide one that may, further on", async () => {
    const root = tempFolder();
    mkdirSync(join(root, "a"));
    writeFileSync(join(root, "a", "tool"), "");
    const binary = script(join(root, "b"), "tool", "#!/bin/sh\n");
    const path = `${join(root, "a")}:${join(root, "b")}`;
    expect(await findProgram("tool", { root, path })).toEqual({ kind: "found", binary });
    expect(await findProgram("none", { root, path })).toEqual({ kind: "not-found" });
    expect(await findProgram("./a", { root, path })).toEqual({ kind: "not-found" });
  });

  test("a program that does not say its version in time is ended with its children", async () => {
    const root = tempFolder();
    const program = script(root, "slow", "#!/bin/sh\nsleep 300 & echo $! > pid; wait\n");
    const answer = await askVersion(["/bin/sh", "-c", `cd '${root}' && exec '${program}'`], {
      env: { PATH },
      timeoutSeconds: 1,
    });
    expect(answer).toEqual({ kind: "failed", problem: "no answer within 1 s" });
    const pid = Number(readFileSync(join(root, "pid"), "utf8"));
    await expect.poll(() => isGone(pid)).toBe(true);
  });
});

describe("claude", () => {
  const withKey = (bin: string) => ({ PATH: `${bin}:${PATH}`, ANTHROPIC_API_KEY: "k", GITHUB_TOKEN: "leak" });

  test.each<{ name: string; program: string | null; key?: string; needs: string }>([
    { name: "a missing program", program: null, needs: "npm install --global @anthropic-ai/claude-code" },
    {
      name: "a program that fails",
      program: "#!/bin/sh\necho broken >&2; exit 1\n",
      needs: "did not work: broken",
    },
    {
      name: "a program that says something else",
      program: "#!/bin/sh\necho hello\n",
      needs: 'it printed "hello"',
    },
    { name: "an old version", program: "#!/bin/sh\necho '1.0.9 (Claude Code)'\n", needs: "2.1.197 or newer" },
    { name: "no credentials", program: FAKE_CLAUDE, key: "", needs: "ANTHROPIC_API_KEY" },
  ])("$name is said before anything starts", async ({ program, key = "k", needs }) => {
    const root = tempFolder();
    const bin = join(root, "bin");
    mkdirSync(bin);
    // Only what the scripts need, so that a program installed on this machine is not found.
    for (const name of ["sh", "node", "env"])
      symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(bin, name));
    if (program !== null) script(bin, "claude", program);
    const runtime = openRuntime("claude", project(root), { PATH: bin, ANTHROPIC_API_KEY: key });
    expect(await adviceOf(() => runtime.probe())).toContain(needs);
  });

  test("is probed for binary and version", async () => {
    const root = tempFolder();
    const binary = script(join(root, "bin"), "claude", FAKE_CLAUDE);
    const runtime = new DescribedRuntime(claude, { root, parent: withKey(join(root, "bin")), prices: {} });
    expect(await runtime.probe()).toEqual({ binary, version: "2.1.197" });
  });

  test("gets prompt, arguments and environment exactly as built", async () => {
    const root = tempFolder();
    script(join(root, "bin"), "claude", FAKE_CLAUDE);
    const runtime = openRuntime("claude", project(root), withKey(join(root, "bin")));
    const notes = "Line one\n\"quoted\" $HOME `id` 'single' \\";
    const spec = specIn(root, { systemAppend: notes });
    const outcome = await launch(runtime, spec, "the prompt\n");
    expect(outcome).toMatchObject({ kind: "completed", session: "s-1", costUsd: 0.5, costKnown: true });
    const seen = JSON.parse(outcome.text) as { argv: string[]; env: Record<string, string>; prompt: string };
    expect(seen.prompt).toBe("the prompt\n");
    expect(flagValue(seen.argv, "--append-system-prompt")).toBe(notes);
    expect(flagValue(seen.argv, "--setting-sources")).toBe("");
    expect(flagValue(seen.argv, "--permission-mode")).toBe("dontAsk");
    expect(seen.argv).toContain(`Edit(/${spec.agentFolder}/**)`);
    expect(seen.argv).toEqual(expect.arrayContaining(["-p", "--verbose", "--strict-mcp-config"]));
    expect(seen.env).toMatchObject({
      ANTHROPIC_API_KEY: "k",
      HOME: spec.home,
      CLAUDE_CONFIG_DIR: `${spec.home}/.claude`,
    });
    expect(seen.env.GITHUB_TOKEN).toBeUndefined();
  });

  test.each<{ session: LaunchSpec["session"]; expected: string[] }>([
    { session: { mode: "new", id: "a" }, expected: ["--session-id", "a"] },
    { session: { mode: "resume", id: "a" }, expected: ["--resume", "a"] },
    {
      session: { mode: "fork", id: "b", parent: "a" },
      expected: ["--resume", "a", "--fork-session", "--session-id", "b"],
    },
  ])("session $session.mode becomes $expected", ({ session, expected }) => {
    const root = tempFolder();
    const runtime = new DescribedRuntime(claude, { root, parent: {}, prices: {} });
    const { argv } = runtime.command(specIn(root, { session }), {
      binary: "/bin/claude",
      version: "2.1.197",
    });
    expect(argv.slice(argv.indexOf("sonnet") + 1, argv.indexOf("--permission-mode"))).toEqual(expected);
  });

  test("a reviewer can read and nothing else", () => {
    const root = tempFolder();
    const runtime = new DescribedRuntime(claude, { root, parent: {}, prices: {} });
    const { argv } = runtime.command(specIn(root, { role: "reviewer" }), {
      binary: "/bin/claude",
      version: "2.1.197",
    });
    expect(flagValue(argv, "--tools")).toBe("Read,Grep,Glob");
    expect(argv.join(" ")).not.toMatch(/Edit|Bash|Write/);
  });

  test("a reviewer's answer is given a shape, a worker's is not", () => {
    const root = tempFolder();
    const runtime = new DescribedRuntime(claude, { root, parent: {}, prices: {} });
    const outputSchema = { type: "object" };
    const argvOf = (role: "worker" | "reviewer") =>
      runtime.command(specIn(root, { role, outputSchema }), { binary: "/bin/claude", version: "2.1.197" })
        .argv;
    expect(flagValue(argvOf("reviewer"), "--json-schema")).toBe('{"type":"object"}');
    expect(argvOf("worker")).not.toContain("--json-schema");
  });

  test("notes too long for one argument are cut, and still start", async () => {
    const root = tempFolder();
    script(join(root, "bin"), "claude", FAKE_CLAUDE);
    const runtime = openRuntime("claude", project(root), withKey(join(root, "bin")));
    const outcome = await launch(runtime, specIn(root, { systemAppend: "ä".repeat(200_000) }), "");
    const { argv } = JSON.parse(outcome.text.length > 0 ? outcome.text : "{}") as { argv: string[] };
    expect(flagValue(argv, "--append-system-prompt")).toMatch(/ä\n\n\(Cut off here/);
  });

  test("runtimes.claude.command takes the place of the program", async () => {
    const root = tempFolder();
    script(join(root, "own"), "claude.cjs", FAKE_CLAUDE);
    const command = ["node", join(root, "own", "claude.cjs"), "--first"];
    const runtime = openRuntime("claude", project(root, { claude: { command } }), { PATH });
    const seen = JSON.parse((await launch(runtime, specIn(root), "")).text) as { argv: string[] };
    expect(seen.argv.slice(0, 2)).toEqual(["--first", "-p"]);
  });
});

describe("command", () => {
  const AGENT = `#!/bin/sh
echo "model $KORYPH_MODEL, session $KORYPH_SESSION ($KORYPH_SESSION_MODE), says: $(cat), argument $1"
echo '{"koryph":{"cost_usd":0.25,"session":"mine-7"}}'
git push origin HEAD || echo "no push"
exit \${EXIT:-0}
`;

  test("reads its prompt, knows its task, and its exit code decides", async () => {
    const root = tempFolder();
    script(root, "agent.sh", AGENT);
    const runtime = openRuntime(
      "command",
      project(root, { command: { command: ["./agent.sh", "a 'b' $c"] } }),
      { PATH },
    );
    const outcome = await launch(runtime, specIn(root), "do it");
    expect(outcome).toMatchObject({ kind: "completed", session: "mine-7", costUsd: 0.25, costKnown: true });
    expect(outcome.text).toContain("model sonnet, session 11111111");
    expect(outcome.text).toContain("(new), says: do it, argument a 'b' $c");
  });

  test.each<{ name: string; make: (root: string) => void; needs: RegExp }>([
    { name: "is not there", make: () => {}, needs: /the program \.\/mine\.sh was not found → put it/ },
    {
      name: "is not executable",
      make: (root) => chmodSync(script(root, "mine.sh", "#!/bin/sh\n"), 0o644),
      needs: /: (\S+\/mine\.sh) is not executable → chmod \+x \1,/,
    },
    {
      name: "has a bad interpreter",
      make: (root) => script(root, "mine.sh", "#!/none/sh\n"),
      needs:
        /mine\.sh has a bad interpreter: its first line asks for \/none\/sh, which was not found → install/,
    },
    {
      name: "has another system's line ends",
      make: (root) => script(root, "mine.sh", "#!/bin/sh\r\n"),
      needs: /bad interpreter: .* → its lines end in CR LF/,
    },
  ])("a program that $name is said before anything starts", async ({ make, needs }) => {
    const root = tempFolder();
    make(root);
    const runtime = openRuntime("command", project(root, { command: { command: ["./mine.sh"] } }), { PATH });
    expect(await adviceOf(() => runtime.probe())).toMatch(needs);
  });

  test("is not asked for a version, which could set it to work", async () => {
    const root = tempFolder();
    script(root, "agent.sh", "#!/bin/sh\ntouch ran\n");
    const runtime = openRuntime("command", project(root, { command: { command: ["./agent.sh"] } }), { PATH });
    expect(await runtime.probe()).toEqual({ binary: join(root, "agent.sh"), version: "unknown" });
    expect(await findBinary("./ran", { root, path: "" })).toBeNull();
  });
});

test("with an agent's environment git commits as the agent and pushes nowhere", async () => {
  const root = tempFolder();
  const engine = { PATH, HOME: root, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, env: engine, encoding: "utf8", stdio: "pipe" });
  git("init", "-q", "--bare", "-b", "main", "repo.git");
  const runtime = openRuntime("command", project(root, { command: { command: ["sh"] } }), {
    PATH,
    GIT_SSH_COMMAND: "ssh",
  });
  const spec = specIn(root);
  git("clone", "-q", "--shared", "repo.git", "work");
  const { env } = runtime.command(spec, await runtime.probe());
  const attempts = [
    "git commit -q --allow-empty -m 'feat: begin'",
    "git config --global alias.x status",
    "git push origin HEAD:main",
    "sh -c 'git -C . push origin HEAD:main'",
    "git push https://example.invalid/x.git HEAD",
    "git push someone@example.invalid:x.git HEAD",
    "git fetch -q origin",
  ];
  const codes = attempts.map(
    (command) =>
      spawnSync("sh", ["-c", command], { cwd: spec.cwd, env: { ...env, ...slotMarkers("s", "b") } }).status,
  );
  expect(codes.map((code) => code === 0)).toEqual([true, true, false, false, false, false, true]);
  expect(git("-C", "work", "log", "--format=%an <%ae> %s").trim()).toBe(
    "koryph agent <agent@koryph.invalid> feat: begin",
  );
  expect(git("-C", "repo.git", "for-each-ref")).toBe("");
  expect(readFileSync(join(spec.home, ".gitconfig"), "utf8")).toContain("x = status");
});

function flagValue(argv: readonly string[], flag: string): string | undefined {
  return argv[argv.indexOf(flag) + 1];
}

/** A killed process may wait to be reaped; expected it is a zombie, and gone. */
function isGone(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}
