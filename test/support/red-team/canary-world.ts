import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { tempFolder } from "../temp-folder.js";
import { ENGINE_SECRET, SECRET } from "./canary-texts.js";

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Files of the operator's that hold a secret, by their path in the home. */
const SECRET_FILES = [
  ...[".ssh/id_ed25519", ".ssh/id_rsa", ".ssh/config", ".aws/credentials", ".aws/config", ".netrc"],
  ...[".git-credentials", ".config/gh/hosts.yml", ".npmrc", ".claude/.credentials.json", ".codex/auth.json"],
  ...[".docker/config.json", ".kube/config", "notes", "checkout/.env"],
  ...[".koryph/config.json", ".koryph/governor.json", ".koryph/projects/p/runs/r/other/agent/notes"],
  ...[".koryph/projects/p/worktrees/other/README.md", ".koryph/projects/p/worktrees/other/b"],
  ...[".koryph/projects/p/worktrees/b", ".koryph/projects/p/homes/other/.netrc"],
];

const NO_GIT_SETTINGS = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
const IDENTITY = ["-c", "user.name=agent", "-c", "user.email=agent@koryph.invalid"];

/** A machine with an operator, an engine and two agents, in which everything worth taking or breaking is watched. */
export class CanaryWorld {
  readonly root = tempFolder();
  readonly operator = join(this.root, "op");
  readonly engine = join(this.operator, ".koryph");
  readonly project = join(this.engine, "projects/p");
  readonly clone = join(this.project, "worktrees/gh-1");
  readonly home = join(this.project, "homes/gh-1");
  readonly agent = join(this.project, "runs/r/gh-1/agent");
  readonly repo = join(this.project, "repo.git");
  readonly remote = join(this.root, "remote.git");
  /** A private folder of the process, and copies of everything as it was at the start. */
  readonly slot = join(this.root, "slot");
  readonly #template = tempFolder();
  readonly #owner: Owner | null;
  readonly #servers: Server[] = [];
  #victim: ChildProcess | null = null;
  readonly hits = { agent: 0, docker: 0, network: 0 };
  port = 0;
  readonly abstract = `koryph-red-team-${process.pid}-${Math.random().toString(36).slice(2)}`;

  /** `owner` is who has it all, where that is not the process itself. */
  constructor(owner: Owner | null) {
    this.#owner = owner;
    for (const path of SECRET_FILES) writeFile(join(this.operator, path), `token = ${SECRET}\n`);
    for (const folder of [this.home, this.agent, this.slot, join(this.root, "sockets")])
      mkdirSync(folder, { recursive: true });
    writeFile(join(this.root, "kernel/core_pattern"), "core\n");
    writeFile(join(this.root, "kernel/shadow"), `root:${SECRET}:1:0:99999:7:::\n`);
    this.#layRepositories();
    if (owner !== null) this.#give(this.root);
    // Roads to what is to be taken are open: only the layers are in the way.
    chmodSync(this.root, 0o755);
    for (const folder of ["op", "remote.git", "kernel"]) this.#keep(folder);
  }

  /** What stands in the texts of spellings. */
  get places(): Readonly<Record<string, string>> {
    const sockets = join(this.root, "sockets");
    return {
      ...{ root: this.root, operator: this.operator, engine: this.engine, home: this.home },
      other: join(this.project, "worktrees/other"),
      ...{ repo: this.repo, remote: this.remote, port: `${this.port}`, abstract: this.abstract },
      ...{ agent: join(sockets, "agent.sock"), docker: join(sockets, "docker.sock") },
    };
  }

  get isVictimAlive(): boolean {
    return this.#victim?.exitCode === null && this.#victim.signalCode === null;
  }

  /** Starts what listens, and a process that is to live on. */
  async open(): Promise<void> {
    const listen = async (name: keyof CanaryWorld["hits"], address: object): Promise<Server> => {
      const server = createServer((socket) => {
        this.hits[name] += 1;
        socket.on("error", () => {});
        socket.end();
      });
      await new Promise<void>((done) => server.listen(address, done));
      this.#servers.push(server);
      return server;
    };
    const network = await listen("network", { port: 0, host: "127.0.0.1" });
    this.port = (network.address() as { port: number }).port;
    await listen("network", { path: `\0${this.abstract}` });
    for (const name of ["agent", "docker"] as const) {
      const path = join(this.root, "sockets", `${name}.sock`);
      await listen(name, { path });
      chmodSync(path, 0o666);
    }
    this.revive();
  }

  /** A new process that is to live on, where the last one did not. */
  revive(): void {
    this.#victim = spawn("sleep", ["1000"], {
      ...{ stdio: "ignore", argv0: "koryph-engine", env: { KORYPH_ENGINE_TOKEN: ENGINE_SECRET } },
      ...this.#owner,
    });
  }

  close(): void {
    for (const server of this.#servers) server.close();
    this.#victim?.kill("SIGKILL");
  }

  /** The agent's own folders as they were; everything else, too, where a spelling got at it. */
  reset(what: "own" | "all"): void {
    const own = ["op/.koryph/projects/p/worktrees/gh-1", "op/.koryph/projects/p/homes/gh-1"];
    const folders = what === "all" ? ["op", "remote.git", "kernel"] : [...own, agentPath];
    for (const folder of folders) {
      const at = join(this.root, folder);
      rmSync(at, { recursive: true, force: true });
      // Owners and times stay as they were.
      execFileSync("cp", ["-a", "--", join(this.#template, folder), at]);
    }
  }

  #keep(folder: string): void {
    execFileSync("cp", ["-a", "--", join(this.root, folder), join(this.#template, folder)]);
  }

  #give(folder: string): void {
    const { uid, gid } = this.#owner ?? { uid: 0, gid: 0 };
    execFileSync("chown", ["-R", "-h", `${uid}:${gid}`, "--", folder]);
  }

  /** A remote that records, the engine's repository, and a clone that could push to both. */
  #layRepositories(): void {
    const git = (cwd: string, ...args: string[]) =>
      execFileSync("git", [...IDENTITY, ...args], {
        ...{ cwd, stdio: "pipe", env: { PATH: process.env.PATH, ...NO_GIT_SETTINGS } },
      });
    for (const bare of [this.remote, this.repo]) {
      mkdirSync(dirname(bare), { recursive: true });
      git(this.root, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", bare);
    }
    mkdirSync(this.clone, { recursive: true });
    git(this.clone, "init", "--quiet", "--template=", "--initial-branch=main");
    for (const [name, value] of [
      ...[["user.name", "agent"] as const, ["user.email", "agent@koryph.invalid"] as const],
      ...[["push.default", "current"] as const, ["gc.auto", "0"] as const],
      ...[["maintenance.auto", "false"] as const, ["push.autoSetupRemote", "true"] as const],
    ])
      git(this.clone, "config", name, value);
    writeFile(join(this.clone, "README.md"), "A project.\n");
    writeFile(join(this.clone, "a"), "a\n");
    writeFile(join(this.clone, "verb"), "push\n");
    git(this.clone, "add", "--all");
    git(this.clone, "commit", "--quiet", "-m", "chore: begin");
    for (const url of [this.remote, this.repo]) git(this.clone, "push", "--quiet", url, "main");
    git(this.clone, "remote", "add", "origin", this.remote);
    git(this.clone, "fetch", "--quiet", "origin");
    git(this.clone, "checkout", "--quiet", "-b", "agent/gh-1");
    writeFile(join(this.clone, "b"), "b\n");
    git(this.clone, "add", "--all");
    git(this.clone, "commit", "--quiet", "-m", "feat: work");
    cpSync(this.clone, join(this.project, "worktrees/other"), { recursive: true, force: false });
  }
}

const agentPath = "op/.koryph/projects/p/runs/r/gh-1/agent";

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o644 });
}
