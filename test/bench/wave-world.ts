import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { handedOn } from "../../src/core/config/action-inputs.js";
import { AppBenchWorld, REPOSITORY } from "./app/app-world.js";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const ACTION = fileURLToPath(new URL("../../../dist/action/main.js", import.meta.url));
const PERMISSIONS = { contents: "write", pull_requests: "write", issues: "write", checks: "write" } as const;

/** Issues that touch different places, released by a maintainer, and a runner that works on them. */
export class WaveBenchWorld {
  readonly github: AppBenchWorld;
  #child: ChildProcess | null = null;
  readonly #top = mkdtempSync(join(tmpdir(), "koryph-bench-"));

  private constructor(github: AppBenchWorld) {
    this.github = github;
  }

  /** `agent` is sh, in its clone, with `$KORYPH_BEAD` and `$top`, a folder that outlives it. */
  static async open(agent: string, issues: number): Promise<WaveBenchWorld> {
    const world = new WaveBenchWorld(await AppBenchWorld.open());
    const { sandbox } = world.github;
    const script = join(world.#top, "agent.sh");
    writeFileSync(script, `#!/bin/sh\ntop='${world.#top}'\n${agent}\n`);
    chmodSync(script, 0o755);
    const config = {
      ...{
        schema_version: 1,
        project_id: "shop",
        work_source: "github",
        merge_policy: "auto",
        gate: ["true"],
      },
      ...{ max_concurrent_slots: 10, dispatch_stagger_seconds: 0, default_runtime: "shell" },
      runtimes: { shell: { command: [script] } },
    };
    await sandbox.commit(REPOSITORY, "main", { "koryph.project.json": JSON.stringify(config) });
    sandbox.addUser("maria");
    sandbox.setRole(REPOSITORY, "maria", "admin");
    for (let number = 1; number <= issues; number += 1) {
      await world.github.opens("maria", `Part ${number}`);
      await world.#label(number, [`fp:part-${number}`, "koryph:release"]);
    }
    await sandbox.settled();
    return world;
  }

  async #label(number: number, labels: readonly string[]): Promise<void> {
    const { url } = this.github.sandbox;
    const answer = await fetch(`${url}/repos/${REPOSITORY}/issues/${number}/labels`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.github.sandbox.tokenFor("maria")}` },
      body: JSON.stringify({ labels }),
    });
    if (!answer.ok) throw new Error(`labelling answered ${answer.status}`);
  }

  /** `ended` throws when the step failed. */
  run(): { readonly child: ChildProcess; readonly ended: Promise<void> } {
    const { sandbox } = this.github;
    const workspace = join(this.#top, "workspace");
    const gitDir = sandbox.world.repository(REPOSITORY)?.gitDir ?? "";
    execFileSync("git", ["clone", "--quiet", gitDir, workspace]);
    const url = `${sandbox.url}/${REPOSITORY}.git`;
    execFileSync("git", ["remote", "set-url", "origin", url], { cwd: workspace });
    mkdirSync(this.#home);
    const wide = ["--ceiling", "10", "--pool", "shell", "--cap", "10"];
    execFileSync(process.execPath, [MAIN, "governor", "set", ...wide], { env: { KORYPH_HOME: this.#home } });
    const child = spawn(process.execPath, [ACTION, "--secrets-on-stdin"], {
      cwd: workspace,
      env: {
        ...{ PATH: process.env.PATH, HOME: this.#top, KORYPH_HOME: this.#home },
        ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", KORYPH_MEMINFO: "/dev/null" },
        ...{ GITHUB_WORKSPACE: workspace, GITHUB_REPOSITORY: REPOSITORY, GITHUB_RUN_ID: "1" },
        ...{ GITHUB_API_URL: sandbox.url, GITHUB_SERVER_URL: sandbox.url },
        ...{ GITHUB_OUTPUT: this.#file("output"), GITHUB_STEP_SUMMARY: this.#file("summary") },
        ...{ KORYPH_INPUT_MODE: "run", KORYPH_INPUT_AUTO_MERGE: "true" },
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child = child;
    const token = sandbox.actionsToken(REPOSITORY, { metadata: "read", ...PERMISSIONS });
    child.stdin?.end(handedOn({ token }));
    let log = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    const ended = new Promise<void>((resolve, reject) => {
      child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`the run failed\n${log}`))));
    });
    return { child, ended };
  }

  /** What the agent of a bead is told meanwhile. */
  inbox(bead: string): string {
    const runs = join(this.#home, "projects", "shop", "runs");
    const files = existsSync(runs)
      ? readdirSync(runs).map((run) => join(runs, run, bead, "agent", "INBOX.md"))
      : [];
    return files.map((file) => (existsSync(file) ? readFileSync(file, "utf8") : "")).join("");
  }

  /** Whether GitHub's copy of the ledger tells of the bead; the engine sends it off every half minute. */
  knows(bead: string): boolean {
    const gitDir = this.github.sandbox.world.repository(REPOSITORY)?.gitDir ?? "";
    const log = ["--git-dir", gitDir, "log", "--format=%B", "refs/koryph/ledger"];
    const { status, stdout } = spawnSync("git", log, { encoding: "utf8", maxBuffer: 2 ** 28 });
    return status === 0 && stdout.includes(`"${bead}"`);
  }

  /** A file that agents wait for. */
  allow(name: string): void {
    this.#file(name);
  }

  isThere(name: string): boolean {
    return existsSync(join(this.#top, name));
  }

  async close(): Promise<void> {
    if (this.#child?.exitCode === null) this.#child.kill();
    await this.github.close();
    rmSync(this.#top, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }

  #file(name: string): string {
    const path = join(this.#top, name);
    writeFileSync(path, "");
    return path;
  }

  get #home(): string {
    return join(this.#top, "home");
  }
}
