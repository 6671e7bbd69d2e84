import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const ENV = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.com",
  // What else runs on this machine keeps no agent waiting.
  KORYPH_MEMINFO: "/dev/null",
};

export interface WorldSpec {
  readonly files: number;
  readonly beads: number;
  readonly slots: number;
  /** Body of the agent: sh, in its clone, with `$KORYPH_BEAD`. */
  readonly agent: string;
}

/** A repository with a bare remote, a backlog without conflicts and an agent, and real engines on it. */
export class EngineWorld {
  readonly top = mkdtempSync(join(tmpdir(), "koryph-bench-"));
  readonly operator = join(this.top, "operator");
  readonly remote = join(this.top, "remote.git");
  readonly home = join(this.top, "home");
  readonly beads: readonly string[];

  constructor({ files, beads, slots, agent }: WorldSpec) {
    git(this.top, "init", "--quiet", "--bare", "--initial-branch=main", this.remote);
    fill(this.operator, files);
    const script = join(this.top, "agent.sh");
    writeFileSync(script, `#!/bin/sh\n${agent}\n`);
    chmodSync(script, 0o755);
    const config = {
      schema_version: 1,
      project_id: "bench",
      work_source: "file",
      gate: ["true"],
      max_concurrent_slots: slots,
      dispatch_stagger_seconds: 0,
      default_runtime: "shell",
      runtimes: { shell: { command: [script] } },
    };
    writeFileSync(join(this.operator, "koryph.project.json"), JSON.stringify(config));
    git(this.operator, "add", "--all");
    git(this.operator, "commit", "--quiet", "-m", "files");
    git(this.operator, "remote", "add", "origin", this.remote);
    git(this.operator, "push", "--quiet", "origin", "main");
    this.beads = Array.from({ length: beads }, (_, index) => `b-${index}`);
    mkdirSync(join(this.operator, ".koryph"));
    const lines = this.beads.map((id) =>
      JSON.stringify({
        id,
        title: id,
        status: "open",
        issue_type: "task",
        priority: 2,
        labels: [`fp:${id}`],
      }),
    );
    writeFileSync(join(this.operator, ".koryph", "beads.jsonl"), `${lines.join("\n")}\n`);
    const wide = ["--ceiling", `${slots}`, "--pool", "shell", "--cap", `${slots}`];
    this.node(MAIN, "governor", "set", ...wide);
  }

  /** `ended` has what the run said; it throws when the engine did: figures of a failed run would look better than any other. */
  run(...flags: string[]): { child: ChildProcess; ended: Promise<string> } {
    const child = spawn(process.execPath, [MAIN, "run", ...flags], {
      cwd: this.operator,
      env: { ...ENV, HOME: this.top, KORYPH_HOME: this.home },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const ended = new Promise<string>((resolve, reject) => {
      child.once("close", (code) => {
        if (code === 0 || code === 4) resolve(said);
        else reject(new Error(`the engine ended with ${code}`));
      });
    });
    return { child, ended };
  }

  /** Another program of Node's than a run, to its end. */
  node(...argv: string[]): void {
    const env = { ...ENV, HOME: this.top, KORYPH_HOME: this.home };
    const { status } = spawnSync(process.execPath, argv, { cwd: this.operator, env });
    if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}`);
  }

  /** Path of a file of each bead's first attempt that has it. */
  attemptFiles(name: string): { bead: string; path: string }[] {
    const runs = join(this.home, "projects", "bench", "runs");
    return list(runs).flatMap((run) =>
      list(join(runs, run)).flatMap((bead) => {
        const path = join(runs, run, bead, "1", name);
        return statSync(path, { throwIfNoEntry: false }) ? [{ bead, path }] : [];
      }),
    );
  }

  /** When each agent ended (its exit file's time) and began (the first line of its output), in ms. */
  times(): { exits: number[]; starts: number[] } {
    const exits = this.attemptFiles("exit.json").map(({ path }) => statSync(path).mtimeMs);
    const starts = this.attemptFiles("out.jsonl").map(
      ({ path }) => Number(readFileSync(path, "utf8").split("\n")[0]) / 1e6,
    );
    return { exits: exits.sort((a, b) => a - b), starts: starts.sort((a, b) => a - b) };
  }

  remove(): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}

function git(folder: string, ...args: string[]): void {
  execFileSync("git", args, { cwd: folder, env: ENV, stdio: ["ignore", "ignore", "inherit"] });
}

function list(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : [];
}

function fill(folder: string, files: number): void {
  mkdirSync(folder);
  git(folder, "init", "--quiet", "--initial-branch=main");
  for (let index = 0; index < files; index += 1) {
    const part = join(folder, `d${index % 50}`);
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `f${index}.txt`), `${index}\n`.repeat(40));
  }
}
