import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Clones } from "../../../src/adapters/git/clones/clones.js";
import { openRemote } from "../../../src/adapters/git/remote/remote.js";
import type { Prepared } from "../../../src/ports/worktrees.js";
import { onFileEnd } from "../file-end.js";
import { tempFolder } from "../temp-folder.js";

const ENV = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "ann@example.com",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "ann@example.com",
};

export function git(folder: string, ...args: string[]): string {
  const options = {
    cwd: folder,
    env: ENV,
    encoding: "utf8" as const,
    stdio: ["ignore", "pipe", "pipe"] as const,
  };
  return execFileSync("git", args, { ...options, stdio: [...options.stdio] }).trimEnd();
}

export function put(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

export function commit(folder: string, message: string, files: Record<string, string>): string {
  put(folder, files);
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--allow-empty", "-m", message);
  return git(folder, "rev-parse", "HEAD");
}

export const AGENT = { name: "agent", email: "agent@koryph.invalid" };

let made: string | null = null;
let fetched: string | null = null;

function dropTemplates(): void {
  for (const folder of [made, fetched]) if (folder !== null) rmSync(folder, { recursive: true, force: true });
  [made, fetched] = [null, null];
}

/** The repositories every world starts from, made once and copied: making them takes longer than most tests. */
function template(): string {
  if (made !== null) return made;
  const top = mkdtempSync(join(tmpdir(), "koryph-template-"));
  const [remote, operator] = [join(top, "remote.git"), join(top, "operator")];
  git(top, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", remote);
  git(top, "init", "--quiet", "--template=", "--initial-branch=main", operator);
  commit(operator, "first", { "README.md": "hello\n", "src/a.txt": "a\n", ".gitignore": "ignored/\n" });
  git(operator, "push", "--quiet", remote, "main");
  made = top;
  onFileEnd(dropTemplates);
  return top;
}

/** An operator's repository with a bare remote, and clones of it in a home of their own. */
export class CloneWorld {
  readonly top: string;
  readonly operator: string;
  readonly remote: string;
  readonly home: string;
  readonly clones: Clones;

  constructor(top = tempFolder()) {
    this.top = top;
    this.remote = join(top, "remote.git");
    this.operator = join(top, "operator");
    this.home = join(top, "home", "projects", "p");
    cpSync(template(), top, { recursive: true });
    writeFileSync(
      join(this.operator, ".git", "config"),
      `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${this.remote}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
    );
    this.clones = this.open();
  }

  /** One that has fetched: done once for each file of tests and copied. */
  static async fetched<World extends CloneWorld>(this: new () => World): Promise<World> {
    const world = new this();
    if (fetched !== null) {
      mkdirSync(dirname(world.repo), { recursive: true });
      cpSync(fetched, world.repo, { recursive: true });
      return world;
    }
    await world.clones.fetch();
    const copy = mkdtempSync(join(tmpdir(), "koryph-fetched-"));
    cpSync(world.repo, copy, { recursive: true });
    fetched = copy;
    return world;
  }

  open(
    facts: {
      home?: string;
      operatorRepo?: string;
      defaultBranch?: string;
      bootstrapSeconds?: number;
      keepSpare?: boolean;
    } = {},
  ): Clones {
    const { home = this.home, operatorRepo = this.operator, ...rest } = facts;
    return new Clones({
      projectHome: home,
      operatorRepo,
      openRemote: () => openRemote(operatorRepo, "origin"),
      agentIdentity: AGENT,
      ...rest,
    });
  }

  get repo(): string {
    return join(this.home, "repo.git");
  }

  run(bead: string): string {
    return join(this.top, "runs", bead);
  }

  push(): void {
    git(this.operator, "push", "--quiet", "origin", "main");
  }

  /** Moves the default branch on the remote, and lets `repo.git` know. */
  async moveBase(files: Record<string, string>): Promise<string> {
    const sha = commit(this.operator, "base moves", files);
    this.push();
    await this.clones.fetch();
    return sha;
  }

  prepare(bead: string, start: "fresh" | "resume" = "fresh", bootstrap: string[] = []): Promise<Prepared> {
    return this.clones.prepare({ bead, start, bootstrap, folder: this.run(bead) });
  }

  /** A clone that is ready, as its folder. */
  async ready(bead: string): Promise<string> {
    const prepared = await this.prepare(bead);
    if (prepared.kind !== "ready") throw new Error(prepared.reason);
    return prepared.facts.path;
  }
}

export function read(...path: string[]): string {
  return readFileSync(join(...path), "utf8");
}
