import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packagePath } from "../../adapters/project/package-path.js";
import { handedOn, inputVariable, SECRET_INPUTS } from "../../core/config/action-inputs.js";
import { DEMO_REPOSITORY, type DemoWorld } from "./demo-world.js";

const ACTION = packagePath("dist/action/main.js");
const CLI = packagePath("dist/cli/main.js");

interface Watching {
  /** Something was printed. */
  readonly onLine?: ((kill: () => void) => void) | undefined;
  /** Kills it, and what it started and not sent off by itself. */
  readonly signal: AbortSignal;
}

interface ProgramEnd {
  /** Null for one that was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a step of a workflow hands on, by name. */
type Outputs = Readonly<Record<string, string>>;

let runs = 100;

/** The Action as a runner starts it: a fresh checkout, its inputs and the workflow's facts as environment, and secrets through a pipe. */
export async function runAction(
  { sandbox, runner }: DemoWorld,
  inputs: Readonly<Record<string, string>>,
  watching: Watching,
): Promise<ProgramEnd & { readonly outputs: Outputs }> {
  runs += 1;
  const { workspace, scratch, token } = runner;
  await rm(workspace, { recursive: true, force: true });
  await mkdir(workspace);
  const url = `${sandbox.url}/${DEMO_REPOSITORY}.git`;
  await run("git", ["clone", "--quiet", url, workspace], {}, watching);
  const [output, summary] = [join(scratch, "output"), join(scratch, "summary")];
  for (const file of [output, summary]) await writeFile(file, "");
  const open = Object.entries(inputs).filter(([name]) => !SECRET_INPUTS.some((secret) => secret === name));
  const env = {
    ...runnerEnvironment({ sandbox, runner }),
    ...{ GITHUB_ACTIONS: "true", CI: "true", GITHUB_WORKSPACE: workspace, GITHUB_TOKEN: token },
    ...{ GITHUB_REPOSITORY: DEMO_REPOSITORY, GITHUB_RUN_ID: `${runs}`, RUNNER_TRACKING_ID: `demo_${runs}` },
    ...{ GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary },
    ...Object.fromEntries(open.map(([name, value]) => [inputVariable(name), value])),
  };
  const input = handedOn(inputs);
  const end = await run(process.execPath, [ACTION, "--secrets-on-stdin"], env, { ...watching, input });
  return { ...end, outputs: readOutputs(await readFile(output, "utf8")) };
}

/** The command line on the runner's machine. */
export function runKoryph(
  world: DemoWorld,
  args: readonly string[],
  watching: Watching,
): Promise<ProgramEnd> {
  const env = runnerEnvironment(world);
  return run(process.execPath, [CLI, "--project", world.runner.workspace, ...args], env, watching);
}

/** What a program that is killed leaves in the folder for temporary files goes with the demo's own. */
function runnerEnvironment({ sandbox, runner: { scratch, home } }: Pick<DemoWorld, "sandbox" | "runner">) {
  return {
    ...{ HOME: scratch, TMPDIR: scratch, KORYPH_HOME: home.path, KORYPH_BACKOFF_SEC: "1" },
    ...{ GITHUB_API_URL: sandbox.url, GITHUB_SERVER_URL: sandbox.url },
  };
}

async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { onLine, signal, input }: Watching & { readonly input?: string },
): Promise<ProgramEnd> {
  signal.throwIfAborted();
  const { execa } = await import("execa");
  const child = execa(program, args, {
    // Nothing of whoever watches: neither their GitHub token nor their git settings.
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", ...env },
    extendEnv: false,
    ...(input === undefined ? { stdin: "ignore" as const } : { input }),
    all: true,
    reject: false,
    // A group of its own: the keyboard's interrupt is the demo's affair, and one signal reaches its git commands too.
    detached: true,
    cleanup: true,
  });
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  };
  signal.addEventListener("abort", kill, { once: true });
  try {
    for await (const _ of child.iterable({ from: "all" })) onLine?.(kill);
    const { exitCode = null, stdout, stderr } = await child;
    signal.throwIfAborted();
    return { code: exitCode, stdout, stderr };
  } finally {
    signal.removeEventListener("abort", kill);
  }
}

/** `name<<mark`, lines, `mark`, as a runner reads the file. */
function readOutputs(text: string): Outputs {
  const found = text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm);
  return Object.fromEntries([...found].map(([, name = "", , value = ""]) => [name, value]));
}
