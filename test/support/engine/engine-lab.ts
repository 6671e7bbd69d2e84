import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { Ended } from "../cli/koryph.js";
import { baseProject, git } from "../cli/project.js";
import { standingBeside, standingIsFree, standingKoryph } from "../cli/standing-koryph.js";
import { tempFolder } from "../temp-folder.js";
import { AGENT_SCRIPT } from "./engine-agents.js";
import { endMarked } from "./engine-processes.js";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const RUNNER = fileURLToPath(new URL("./engine-runner.mjs", import.meta.url));

/** A process less for each commit and each push. */
const NO_MAINTENANCE = "[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n";

/** Nobody can tell how much memory there is, so that what else runs on this machine keeps no agent waiting. */
const NO_READING = "/dev/null";

interface LabSeed {
  /** Bead → what its agents do, as lines of sh; by attempt where the key ends in `.1`, `.2`, … */
  readonly agents: Readonly<Record<string, string>>;
  /** Fields laid over the beads that `agents` names. */
  readonly beads?: Readonly<Record<string, object>>;
  readonly config?: object;
  /** A bare repository as `origin`; without it the checkout itself is the remote. */
  readonly remote?: boolean;
}

export interface LedgerLine {
  readonly type: string;
  readonly bead?: string;
  readonly run?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Everything said so far, on either stream. */
  said(): string;
  /** Waits until it has said this. */
  says(text: string | RegExp): Promise<void>;
}

/** A repository with beads and scripted agents, worked on by the built koryph from a home of its own. */
export class EngineLab {
  /** What each process has said so far. Not private: labs are made from others. */
  readonly running: (() => string)[] = [];
  readonly top: string;
  readonly root: string;
  readonly remote: string;
  readonly home: string;
  readonly projectHome: string;
  readonly beads: readonly string[];
  /** Laid over the environment of every command. */
  env: Record<string, string> = {};

  constructor({ agents, beads = {}, config = {}, remote = false }: LabSeed) {
    this.top = tempFolder();
    // Asked for after the folder, so it is done before the folder goes.
    onTestFinished(() => endMarked(this.top));
    this.root = join(this.top, "checkout");
    this.remote = join(this.top, "remote.git");
    this.home = join(this.top, "koryph-home");
    this.projectHome = join(this.home, "projects", "lab");
    this.beads = [
      ...new Set([...Object.keys(agents).map((name) => name.replace(/\.\d+$/, "")), ...Object.keys(beads)]),
    ];
    for (const name of ["agents", "starts", "user", "checkout/.koryph"])
      mkdirSync(join(this.top, name), { recursive: true });
    writeFileSync(join(this.top, "agent.sh"), AGENT_SCRIPT, { mode: 0o755 });
    for (const [name, lines] of Object.entries(agents)) this.behave(name, lines);
    git(this.root, "init", "--quiet", "--initial-branch=main");
    appendFileSync(join(this.root, ".git", "config"), NO_MAINTENANCE);
    this.configure(config);
    writeFileSync(join(this.root, ".gitignore"), ".koryph/\n");
    writeFileSync(join(this.root, "README.md"), "lab\n");
    git(this.root, "add", "--all");
    git(this.root, "commit", "--quiet", "-m", "first");
    if (remote) this.#addRemote();
    this.writeBeads(beads);
  }

  /** Another checkout of the same remote with a home of its own, as on another machine; the same beads and agents. */
  beside(name: string): EngineLab {
    const [root, home] = [join(this.top, name), join(this.top, `${name}-home`)];
    git(this.top, "clone", "--quiet", this.remote, root);
    mkdirSync(join(root, ".koryph"));
    const other: EngineLab = Object.assign(Object.create(EngineLab.prototype), this, {
      root,
      home,
      projectHome: join(home, "projects", "lab"),
    });
    other.writeBeads();
    return other;
  }

  behave(name: string, lines: string): void {
    writeFileSync(join(this.top, "agents", name), lines);
  }

  configure(config: object): void {
    const runtimes = { shell: { command: [join(this.top, "agent.sh"), this.top] } };
    const settings = { dispatch_stagger_seconds: 0, poll_seconds: 1, default_runtime: "shell", runtimes };
    const text = JSON.stringify({ ...baseProject, project_id: "lab", ...settings, ...config });
    writeFileSync(join(this.root, "koryph.project.json"), text);
  }

  writeBeads(fields: Readonly<Record<string, object>> = {}): void {
    const lines = this.beads.map((id) => ({
      id,
      title: `work on ${id}`,
      status: "open",
      labels: [`fp:${id}`],
      ...fields[id],
    }));
    writeFileSync(this.workFile, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  get workFile(): string {
    return join(this.root, ".koryph", "beads.jsonl");
  }

  get environment(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? "",
      HOME: join(this.top, "user"),
      KORYPH_HOME: this.home,
      KORYPH_BACKOFF_SEC: "0",
      KORYPH_MEMINFO: NO_READING,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      ...this.env,
    };
  }

  /** Runs a command of koryph to its end; beside another one in a process of its own. */
  koryph(...args: string[]): Promise<Ended> {
    if (!standingIsFree()) return this.start(...args).ended;
    return standingKoryph(this.environment, this.root, args);
  }

  /** Lets so many agents work on the machine at once. Unless told it bears eight, however many a project wants. */
  async bears(agents: number): Promise<void> {
    const places = `${agents}`;
    await this.koryph("governor", "set", "--ceiling", places, "--pool", "shell", "--cap", places);
  }

  /** Begins a command that goes on beside others; in a process of its own only when one is under way already. */
  begin(...args: string[]): Omit<Running, "child"> {
    if (!standingBeside.isFree) return this.start(...args);
    let text = "";
    const command = { variables: this.environment, folder: this.root, args };
    const ended = standingBeside.run(command, (more) => {
      text += more;
    });
    // A test that fails leaves it under way.
    ended.catch(() => {});
    onTestFinished(() => standingBeside.stop());
    const said = () => text;
    this.running.push(said);
    return { ended, said, says: (words) => expect.poll(said, WAIT).toMatch(words) };
  }

  start(...args: string[]): Running {
    return this.launch([MAIN, ...args]);
  }

  /** The engine without the command line around it; see engine-runner.mjs. */
  engine(facts: object = {}): Running {
    return this.launch([RUNNER, JSON.stringify({ folder: this.root, ...facts })]);
  }

  /** What the engines have said so far, for whoever waits in vain. */
  #said(): string {
    return this.running.map((said) => said()).join("\n");
  }

  launch(argv: readonly string[]): Running {
    const child = spawn(process.execPath, argv, {
      cwd: this.root,
      env: this.environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const ended = new Promise<Ended>((resolve) =>
      child.once("close", (code) => resolve({ code, stdout, stderr })),
    );
    const said = () => stdout + stderr;
    this.running.push(said);
    const says = (text: string | RegExp) => expect.poll(said, WAIT).toMatch(text);
    return { child, ended, said, says };
  }

  async log(): Promise<LedgerLine[]> {
    const { stdout } = await this.koryph("log", "--json");
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as LedgerLine]));
  }

  /** Where this machine's copy of the ledger stands; the same for as long as nobody writes. */
  ledgerTip(): string {
    const copy = join(this.projectHome, "ledger.git");
    return existsSync(copy) ? git(copy, "for-each-ref", "refs/koryph/ledger") : "";
  }

  /** Slots' states by bead, as `koryph status` shows them. */
  async status(): Promise<Record<string, string>> {
    const { stdout } = await this.koryph("status", "--json");
    const { slots } = JSON.parse(stdout) as { slots: { bead: string; status: string }[] };
    return Object.fromEntries(slots.map(({ bead, status }) => [bead, status]));
  }

  /** How often an agent was started for a bead. */
  starts(bead: string): string[] {
    const file = join(this.top, "starts", bead);
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  }

  /** Waits until an agent has said `mark <name>`. */
  async marked(name: string): Promise<void> {
    const seen = () => (existsSync(join(this.top, "starts", `${name}.mark`)) ? name : this.#said());
    await expect.poll(seen, WAIT).toBe(name);
  }

  /** Lets agents go on that wait with `await <name>`. */
  allow(name: string): void {
    writeFileSync(join(this.top, "starts", `${name}.go`), "");
  }

  /** Subjects of the bead's own commits in the engine's repository, oldest first. */
  commits(bead: string): string[] {
    const base = git(this.root, "rev-parse", "main").trim();
    const repo = join(this.projectHome, "repo.git");
    const text = git(repo, "log", "--reverse", "--format=%s", `${base}..agent/${bead}`);
    return text.trimEnd().split("\n");
  }

  workLines(): Record<string, unknown>[] {
    return readFileSync(this.workFile, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Names below a folder of the project's home; empty when there is none. */
  names(...path: string[]): string[] {
    const folder = join(this.projectHome, ...path);
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  }

  #addRemote(): void {
    git(this.top, "init", "--quiet", "--bare", "--initial-branch=main", this.remote);
    appendFileSync(join(this.remote, "config"), NO_MAINTENANCE);
    git(this.root, "remote", "add", "origin", this.remote);
    git(this.root, "push", "--quiet", "origin", "main");
  }
}

export const WAIT = { timeout: 120_000, interval: 50 } as const;
