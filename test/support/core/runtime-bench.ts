import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProjectConfig } from "../../../src/core/config/project-schema.js";
import { homeFolders } from "../../../src/core/runtimes/agent-environment.js";
import type { Outcome } from "../../../src/core/runtimes/agent-outcome.js";
import type { LaunchSpec } from "../../../src/core/runtimes/launch-spec.js";
import { UserError } from "../../../src/lib/user-error.js";
import type { AgentRuntime } from "../../../src/ports/agent-runtime.js";

/** Writes an executable and returns its path. */
export function script(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

export function projectIn(root: string, runtimes: object = {}): { root: string; config: ProjectConfig } {
  const config = ProjectConfig.parse({
    schema_version: 1,
    project_id: "p",
    work_source: "file",
    gate: ["true"],
    runtimes,
  });
  return { root, config };
}

/** Only what scripts need, so that a program installed on this machine is not found. */
export function barePath(root: string): string {
  const bin = join(root, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["sh", "node", "env", "cat"])
    symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(bin, name));
  return bin;
}

export function specIn(folder: string, change: Partial<LaunchSpec> = {}): LaunchSpec {
  const spec: LaunchSpec = {
    role: "worker",
    cwd: join(folder, "work"),
    agentFolder: join(folder, "agent folder"),
    home: join(folder, "home"),
    model: "sonnet",
    session: { mode: "new", id: "11111111-1111-4111-8111-111111111111" },
    costBaselineUsd: 0,
    ...change,
  };
  for (const path of [spec.cwd, spec.agentFolder, ...homeFolders(spec.home)])
    mkdirSync(path, { recursive: true });
  return spec;
}

/** Starts what the runtime built, just so, and reads its stream to the end. */
export async function launch(runtime: AgentRuntime, spec: LaunchSpec, prompt: string): Promise<Outcome> {
  const probe = await runtime.probe();
  const { argv, env, files = {} } = runtime.command(spec, probe);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const [program = "", ...args] = argv;
  const ran = spawnSync(program, args, { cwd: spec.cwd, env: { ...env }, input: prompt, encoding: "utf8" });
  const parser = runtime.parser(spec, probe);
  for (const line of ran.stdout.split("\n")) parser.push(line);
  return parser.end({ stopping: false, code: ran.status, ended: "by-itself", stderr: ran.stderr });
}

export async function adviceOf(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    if (error instanceof UserError) return `${error.message} → ${error.hint}`;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** The value of each `-c key=value`. */
export function settingsIn(argv: readonly string[]): Record<string, string> {
  const given = argv.filter((_, index) => argv[index - 1] === "-c");
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf("=");
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
