import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { parse } from "yaml";
import { processesOf } from "../engine/engine-processes.js";
import { type Annotation, annotationsIn, keyValues } from "./runner-text.js";

/**
 * Runs a composite action's `run` steps as GitHub's runner does. Steps that use other actions, masks and
 * the step-debug commands are left out: nothing here needs them.
 */
export interface CompositeJob {
  /** The folder of action.yml. */
  readonly actionPath: string;
  readonly workspace: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** The job's own environment. It starts from nothing but PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * `cancel` does to the step that runs what GitHub's runner does: SIGINT, SIGTERM after 7.5 s and the end after 10 s.
   * `lose` is a machine that is switched off: nothing of the job outlives it.
   */
  readonly fate?: JobFate;
}

/** What others do to a job while it runs. */
export class JobFate {
  readonly #signals: ((signal: "cancel" | "lose") => void)[] = [];
  cancelled = false;

  cancel(): void {
    this.cancelled = true;
    for (const tell of this.#signals) tell("cancel");
  }

  lose(): void {
    this.cancelled = true;
    for (const tell of this.#signals) tell("lose");
  }

  hear(tell: (signal: "cancel" | "lose") => void): void {
    this.#signals.push(tell);
  }
}

/** What a runner gives the processes of a step before it ends them, and all of them in the end. */
const TERM_AFTER_MS = 7_500;
const KILL_AFTER_MS = 10_000;

export interface CompositeResult {
  readonly conclusion: "success" | "failure";
  readonly outputs: Readonly<Record<string, string>>;
  readonly steps: readonly StepResult[];
  /** Standard output and standard error of all steps, as they came. */
  readonly log: string;
  readonly annotations: readonly Annotation[];
  readonly summary: string;
  /** From the moment it was cancelled until its step ended, in ms; null when nobody cancelled it. */
  readonly cancelMs: number | null;
  /** Processes that the runner had to end after the last step. */
  readonly orphans: number;
}

interface StepResult {
  readonly name: string;
  readonly outcome: "success" | "failure" | "skipped";
  /** The outcome, except that a failure under continue-on-error counts as a success. */
  readonly conclusion: "success" | "failure" | "skipped";
}

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly if?: string | boolean;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly "working-directory"?: string;
  readonly "continue-on-error"?: boolean | string;
}

interface ActionFile {
  readonly inputs?: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly outputs?: Readonly<Record<string, { readonly value?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const FILE_COMMANDS = ["OUTPUT", "ENV", "PATH", "STEP_SUMMARY", "STATE"] as const;
type FileCommand = (typeof FILE_COMMANDS)[number];

const SHELLS: Readonly<Record<string, string>> = {
  bash: "bash --noprofile --norc -e -o pipefail {0}",
  sh: "sh -e {0}",
};

export async function runComposite(job: CompositeJob): Promise<CompositeResult> {
  const action = parse(await readFile(join(job.actionPath, "action.yml"), "utf8")) as ActionFile;
  if (action.runs.using !== "composite") throw new Error(`not a composite action: ${action.runs.using}`);
  const temp = await mkdtemp(join(tmpdir(), "runner-"));
  try {
    return await new Run(job, action, temp).all();
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

class Run {
  readonly #job: CompositeJob;
  readonly #action: ActionFile;
  readonly #temp: string;
  readonly #inputs: Record<string, string>;
  /** What a step sees: the job's environment and what earlier steps wrote to GITHUB_ENV and GITHUB_PATH. */
  readonly #env: Record<string, string>;
  readonly #steps: Record<string, { outputs: Record<string, string>; outcome: string; conclusion: string }> =
    {};
  readonly #tracking = `github_${randomUUID()}`;
  #failed = false;
  #cancelMs: number | null = null;
  #log = "";
  #summary = "";

  constructor(job: CompositeJob, action: ActionFile, temp: string) {
    this.#job = job;
    this.#action = action;
    this.#temp = temp;
    const defaults = Object.entries(action.inputs ?? {}).map(([name, input]) => [
      name,
      `${input.default ?? ""}`,
    ]);
    this.#inputs = { ...Object.fromEntries(defaults), ...job.inputs };
    this.#env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...job.env };
  }

  async all(): Promise<CompositeResult> {
    const results: StepResult[] = [];
    for (const [index, step] of this.#action.runs.steps.entries())
      results.push(await this.#step(step, index));
    const outputs = Object.entries(this.#action.outputs ?? {});
    const orphans = this.#endTracked();
    return {
      conclusion: this.#failed ? "failure" : "success",
      outputs: Object.fromEntries(outputs.map(([name, { value }]) => [name, this.#text(value ?? "")])),
      steps: results,
      log: this.#log,
      annotations: annotationsIn(this.#log),
      summary: this.#summary,
      cancelMs: this.#cancelMs,
      orphans,
    };
  }

  /** The runner ends whatever carries its mark. */
  #endTracked(): number {
    const left = processesOf(`RUNNER_TRACKING_ID=${this.#tracking}`);
    for (const pid of left) endProcess(pid);
    return left.length;
  }

  async #step(step: Step, index: number): Promise<StepResult> {
    const name = step.name ?? `step ${index + 1}`;
    if (step.run === undefined || step.shell === undefined) throw new Error(`${name} has no run or no shell`);
    let outcome: StepResult["outcome"] = "skipped";
    let outputs: Record<string, string> = {};
    if (this.#wanted(step.if) && this.#job.fate?.cancelled !== true) {
      const files = await this.#freshFiles(index);
      outcome = (await this.#spawn(step, files, index)) === 0 ? "success" : "failure";
      outputs = await this.#collect(files);
    }
    const forgiven = outcome === "failure" && this.#text(`${step["continue-on-error"] ?? false}`) === "true";
    const conclusion = forgiven ? "success" : outcome;
    if (conclusion === "failure") this.#failed = true;
    if (step.id !== undefined) this.#steps[step.id] = { outputs, outcome, conclusion };
    return { name, outcome, conclusion };
  }

  async #freshFiles(index: number): Promise<Record<FileCommand, string>> {
    const folder = join(this.#temp, "_runner_file_commands", `${index}`);
    await mkdir(folder, { recursive: true });
    const files = FILE_COMMANDS.map((command) => [command, join(folder, command.toLowerCase())] as const);
    for (const [, path] of files) await writeFile(path, "");
    return Object.fromEntries(files) as Record<FileCommand, string>;
  }

  async #spawn(step: Step, files: Record<FileCommand, string>, index: number): Promise<number> {
    const script = join(this.#temp, `${index}.sh`);
    await writeFile(script, this.#text(step.run ?? ""));
    const template = SHELLS[step.shell ?? ""] ?? step.shell ?? "";
    if (!template.includes("{0}")) throw new Error(`unknown shell ${template}`);
    const [program = "", ...args] = template.split(" ").map((word) => word.replace("{0}", script));
    const own = Object.entries(step.env ?? {}).map(([key, value]) => [key, this.#text(`${value ?? ""}`)]);
    const commands = Object.entries(files).map(([command, path]) => [`GITHUB_${command}`, path]);
    const child = spawn(program, args, {
      cwd: resolve(this.#job.workspace, this.#text(step["working-directory"] ?? "")),
      env: {
        ...this.#env,
        ...Object.fromEntries(own),
        ...this.#runnerEnv(),
        ...Object.fromEntries(commands),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.#log += text;
      });
    }
    const timers: NodeJS.Timeout[] = [];
    let cancelledAt: number | null = null;
    this.#job.fate?.hear((signal) => {
      if (signal === "lose") {
        this.#endTracked();
        return;
      }
      cancelledAt = performance.now();
      child.kill("SIGINT");
      timers.push(setTimeout(() => child.kill("SIGTERM"), TERM_AFTER_MS));
      timers.push(setTimeout(() => this.#endTracked(), KILL_AFTER_MS));
    });
    return new Promise((done, fail) => {
      child.on("error", fail).on("close", (code) => {
        for (const timer of timers) clearTimeout(timer);
        if (cancelledAt !== null) this.#cancelMs = performance.now() - cancelledAt;
        done(code ?? 1);
      });
    });
  }

  #runnerEnv(): Record<string, string> {
    return {
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_ACTION_PATH: this.#job.actionPath,
      GITHUB_WORKSPACE: this.#job.workspace,
      RUNNER_TEMP: this.#temp,
      RUNNER_TRACKING_ID: this.#tracking,
    };
  }

  /** Takes over what the step wrote and returns its outputs. */
  async #collect(files: Record<FileCommand, string>): Promise<Record<string, string>> {
    const read = (command: FileCommand) => readFile(files[command], "utf8");
    Object.assign(this.#env, keyValues(await read("ENV")));
    const paths = (await read("PATH")).split(/\r?\n/).filter((line) => line !== "");
    this.#env.PATH = [...paths.reverse(), this.#env.PATH].join(delimiter);
    this.#summary += await read("STEP_SUMMARY");
    return keyValues(await read("OUTPUT"));
  }

  /** A condition that asks for no status means: and nothing failed so far. */
  #wanted(condition: Step["if"]): boolean {
    const source = `${condition ?? "success()"}`.replace(/^\s*\$\{\{([\s\S]*)\}\}\s*$/, "$1");
    const asksStatus = /\b(?:always|success|failure|cancelled)\s*\(/i.test(source);
    return truthy(this.#evaluate(asksStatus ? source : `success() && (${source})`));
  }

  #text(template: string): string {
    return template.replace(/\$\{\{([\s\S]*?)\}\}/g, (_, source: string) =>
      this.#evaluate(source).coerceString(),
    );
  }

  #evaluate(source: string): data.ExpressionData {
    const context = {
      inputs: this.#inputs,
      steps: this.#steps,
      env: this.#env,
      github: { action_path: this.#job.actionPath, workspace: this.#job.workspace },
      runner: { temp: this.#temp },
    };
    const statuses = { always: true, success: !this.#failed, failure: this.#failed, cancelled: false };
    const functions = Object.entries(statuses).map(([name, answer]) => ({
      name,
      minArgs: 0,
      maxArgs: 0,
      call: () => new data.BooleanData(answer),
    }));
    const tree = new Parser(new Lexer(source.trim()).lex().tokens, Object.keys(context), functions).parse();
    const facts = JSON.parse(JSON.stringify(context), data.reviver) as data.Dictionary;
    return new Evaluator(tree, facts, new Map(functions.map((each) => [each.name, each]))).evaluate();
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone meanwhile.
  }
}

function truthy(value: data.ExpressionData): boolean {
  switch (value.kind) {
    case data.Kind.Null:
      return false;
    case data.Kind.Boolean:
    case data.Kind.String:
    case data.Kind.Number:
      return Boolean(value.value);
    default:
      return true;
  }
}
