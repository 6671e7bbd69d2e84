import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import type { GateParts } from "../../../src/adapters/gate/gate-try.js";
import { ProcessGate } from "../../../src/adapters/gate/process-gate.js";
import { DetachedProcesses } from "../../../src/adapters/process/detached-processes.js";
import type { GateAnswer, GateRequest } from "../../../src/ports/gate.js";
import { tempFolder } from "../temp-folder.js";

export const BEAD = `gh-${process.pid}`;
export const GREEN: GateAnswer = { kind: "green" };

/** Environments of living processes that carry the marker of a check of this test file. */
export function livingCommands(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isGone = /^.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
        return isGone ? [] : [readFileSync(`/proc/${pid}/environ`, "utf8")];
      } catch {
        return [];
      }
    })
    .filter((environment) => environment.includes(`KORYPH_SLOT=gate/${BEAD}/`));
}

export interface GateWorld {
  readonly root: string;
  readonly request: GateRequest;
  readonly abort: AbortController;
  /** How often a clean checkout was made. */
  readonly checkouts: () => number;
  /** Lines that commands wrote with `echo … >>$T`, where neither a retry nor a crash removes them. */
  readonly traces: () => string[];
  readonly checkOut: GateParts["checkOut"];
  /** Another commit with one more file. */
  commit(file: string): string;
  run(changes: Partial<GateRequest> & Partial<GateParts>): Promise<GateAnswer>;
  /** Waits until a command has written this line. */
  says(line: string): Promise<void>;
  /** Makes the file `$T.go`, for which commands can wait. */
  release(): Promise<void>;
}

/** A repository with the given files, and what a gate needs to check its commit. */
export function gateWorld(files: Record<string, string> = {}): GateWorld {
  const root = tempFolder();
  const [repo, traceFile] = [join(root, "repo"), join(root, "traces")];
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: repo,
      encoding: "utf8",
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    }).trim();
  function commit(...names: string[]): string {
    for (const name of names) writeFileSync(join(repo, name), files[name] ?? "");
    git("add", "-A");
    git("-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "-qm", "files");
    return git("rev-parse", "HEAD");
  }
  mkdirSync(repo);
  git("init", "-q");
  const head = commit("a.txt", ...Object.keys(files));
  writeFileSync(join(root, "alive"), "");

  let made = 0;
  const pathOf = (name: string) => join(root, "checks", name);
  const dropCheckout = async (name: string) => rmSync(pathOf(name), { recursive: true, force: true });
  async function checkOut(name: string, commitish: string): Promise<string> {
    made += 1;
    mkdirSync(join(root, "checks"), { recursive: true });
    // Beside the old one, so that the two are never the same folder to the file system.
    mkdirSync(`${pathOf(name)}.new`);
    git(`--work-tree=${pathOf(name)}.new`, "checkout", "-q", commitish, "--", ".");
    await dropCheckout(name);
    renameSync(`${pathOf(name)}.new`, pathOf(name));
    return pathOf(name);
  }

  const abort = new AbortController();
  const request: GateRequest = {
    bead: BEAD,
    head,
    commands: [],
    accept: "none",
    folder: join(root, "check's folder"),
    wallSeconds: 300,
    livenessFile: join(root, "alive"),
    leaseSeconds: 300,
    abort: abort.signal,
  };
  const run: GateWorld["run"] = (changes) => {
    const gate = new ProcessGate({
      processes: new DetachedProcesses({ graceSeconds: 0.3, tickSeconds: 1 }),
      checkOut,
      dropCheckout,
      objects: join(root, "repo.git", "objects"),
      environment: { PATH: process.env.PATH },
      killAfterMs: 300,
      ...changes,
    });
    const commands = changes.commands?.map((command) => `T='${traceFile}'; ${command}`) ?? [];
    return gate.run({ ...request, ...changes, commands });
  };
  onTestFinished(async () => {
    abort.abort();
    await run({ head: "another", commands: ["true"] });
  });
  const traces = () => (existsSync(traceFile) ? readFileSync(traceFile, "utf8").trimEnd().split("\n") : []);
  return {
    root,
    request,
    abort,
    checkouts: () => made,
    traces,
    checkOut,
    commit,
    run,
    says: (line) => vi.waitFor(() => expect(traces()).toContain(line), { timeout: 20_000, interval: 10 }),
    release: async () => writeFileSync(`${traceFile}.go`, ""),
  };
}
