import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { takeLocalLock } from "../../../src/adapters/home/local-lock.js";
import { buildProgram } from "../../../src/cli/program.js";
import { freeableBytes } from "../../../src/cli/wiring/freeable-bytes.js";
import type { NewEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { PLAIN } from "../../../src/lib/paint.js";
import { type WiredProject, wireProject } from "../../../src/wiring/wire-project.js";
import { baseProject } from "../../support/cli/project.js";
import { dispatching } from "../../support/core/ledgers.js";
import { CloneWorld, commit, git } from "../../support/engine/clone-world.js";
import { longTest } from "../../support/long.js";
import { tempFolder } from "../../support/temp-folder.js";

afterEach(() => void vi.unstubAllEnvs());

const LONG_AGO = new Date(Date.now() - 40 * 86_400_000);

/** A project with a remote, clones and a ledger, all real, in a home of its own. */
class GcWorld {
  readonly top = tempFolder();
  readonly home = join(this.top, "home");
  readonly repository = new CloneWorld(join(this.top, "repository"));
  readonly projectHome = join(this.home, "projects", "shop");
  readonly clones = this.repository.open({ home: this.projectHome });

  constructor() {
    vi.stubEnv("KORYPH_HOME", this.home);
    commit(this.repository.operator, "a project", { "koryph.project.json": JSON.stringify(baseProject) });
    this.repository.push();
    mkdirSync(join(this.repository.operator, ".koryph"));
    this.beads({ other: "open" });
  }

  beads(statuses: Record<string, string>): void {
    const lines = Object.entries(statuses).map(([id, status]) =>
      JSON.stringify({ id, title: id, status, issue_type: "task", priority: 2, labels: [] }),
    );
    writeFileSync(join(this.repository.operator, ".koryph/beads.jsonl"), `${lines.join("\n")}\n`);
  }

  wired(): Promise<WiredProject> {
    return wireProject(this.repository.operator, "0.1.0");
  }

  async record(...events: NewEvent[]): Promise<void> {
    const { ledger } = await this.wired();
    await ledger.observe(events);
    await ledger.share("now");
  }

  /** A clone whose agent has committed, collected and saved on the remote. */
  async worked(bead: string): Promise<string> {
    const folder = join(this.projectHome, "runs", "r-old", bead, "1");
    const prepared = await this.clones.prepare({ bead, start: "fresh", bootstrap: [], folder });
    if (prepared.kind !== "ready") throw new Error(prepared.reason);
    commit(prepared.facts.path, `work on ${bead}`, { [`${bead}.txt`]: "done\n" });
    await this.clones.collect(bead);
    await this.clones.checkpoint(bead);
    this.file(`homes/${bead}/settings.json`);
    return prepared.facts.path;
  }

  file(name: string): string {
    const path = join(this.projectHome, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, "");
    return path;
  }

  has(name: string): boolean {
    return existsSync(join(this.projectHome, name));
  }

  saved(): string[] {
    const listing = git(this.repository.remote, "for-each-ref", "--format=%(refname)", "refs/koryph/wip");
    return listing.split("\n").filter((ref) => ref !== "");
  }

  branches(): string[] {
    const repo = join(this.projectHome, "repo.git");
    return git(repo, "for-each-ref", "--format=%(refname)", "refs/heads/agent", "refs/koryph/old")
      .split("\n")
      .filter((ref) => ref !== "");
  }

  async freeable(): Promise<number> {
    const project = await this.wired();
    return freeableBytes(project, (await project.ledger.refresh()).state, this.clones);
  }

  async gc(...args: string[]): Promise<string> {
    let said = "";
    const out = (line: string) => {
      said += `${line}\n`;
    };
    const terminal = { out, err: out, paint: PLAIN };
    const { program } = buildProgram(terminal, () => {});
    await program.parseAsync(["--project", this.repository.operator, "gc", ...args], { from: "user" });
    return said;
  }
}

/** Sets the times of a folder and of all below it back. */
function age(path: string): void {
  for (const name of readdirSync(path, { recursive: true, encoding: "utf8" }))
    utimesSync(join(path, name), LONG_AGO, LONG_AGO);
  utimesSync(path, LONG_AGO, LONG_AGO);
}

function slotEvents(bead: string, run: string): NewEvent {
  return {
    type: "slot.dispatching",
    bead,
    run,
    data: {
      ...dispatching,
      title: bead,
      footprint: { reads: [], writes: [bead] },
      resources: [],
      runtime: "shell",
    },
  };
}

test("a dry run names what may go and removes nothing; --apply removes exactly that", async () => {
  const world = new GcWorld();
  await world.worked("b-done");
  await world.worked("b-open");
  const dirty = await world.worked("b-dirty");
  writeFileSync(join(dirty, "unsaved.txt"), "not in any commit\n");
  world.beads({ other: "open", "b-done": "closed", "b-open": "in_progress", "b-dirty": "closed" });
  const run: NewEvent = {
    type: "run.started",
    run: "r-new",
    data: { mode: "rolling", engine_version: "0.1.0", budget_usd: null, resumed: false },
  };
  await world.record(run, slotEvents("b-open", "r-new"));
  world.file("runs/r-new/b-open/1/prompt.md");
  world.file("runs/r-young/b-x/1/prompt.md");
  world.file("runs/r-old/b-done/1/prompt.md");
  age(join(world.projectHome, "runs/r-old"));
  age(join(world.projectHome, "runs/r-new"));
  world.file("trash/b-gone/new-abc123/file");
  age(join(world.projectHome, "trash"));
  const ticket = world.file(`engine.lock.${"ab".repeat(12)}`);
  utimesSync(ticket, LONG_AGO, LONG_AGO);
  world.file("scratch/b-now/file");

  const shown = await world.gc();
  expect(shown).toContain("would remove");
  expect(shown).toContain("koryph gc --apply removes them");
  expect(shown).toMatch(/kept:\n\s+b-dirty\s+clone\s+it holds work that is in no commit/);
  expect(await world.freeable()).toBeGreaterThan(0);
  const planned = JSON.parse(await world.gc("--json"));
  expect(planned).toMatchObject({ project_id: "shop", applied: false, days: 30, kept_clones: [] });
  const names = planned.removed.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`);
  expect(names.sort()).toEqual(
    [
      "clone b-done",
      "home b-done",
      "run r-old",
      "wip b-done",
      "branch b-done",
      `leftover ${join(world.projectHome, "trash/b-gone")}`,
      `leftover ${ticket}`,
    ].sort(),
  );
  expect(world.has("clones/b-done") && world.has("runs/r-old") && existsSync(ticket)).toBe(true);
  expect(world.saved()).toHaveLength(3);

  const done = JSON.parse(await world.gc("--apply", "--json"));
  expect(done.applied).toBe(true);
  expect(done.removed).toEqual(planned.removed);
  expect(
    ["clones/b-done", "homes/b-done", "runs/r-old", "trash/b-gone"].filter((name) => world.has(name)),
  ).toEqual([]);
  expect(existsSync(ticket)).toBe(false);
  const stay = [
    "clones/b-open",
    "homes/b-open",
    "clones/b-dirty",
    "homes/b-dirty",
    "runs/r-new",
    "runs/r-young",
  ];
  expect(stay.filter((name) => !world.has(name))).toEqual([]);
  expect(world.has("scratch/b-now")).toBe(true);
  expect(existsSync(join(dirty, "unsaved.txt"))).toBe(true);
  expect(world.saved()).toEqual(["refs/koryph/wip/b-dirty", "refs/koryph/wip/b-open"]);
  expect(world.branches()).toEqual(["refs/heads/agent/b-dirty", "refs/heads/agent/b-open"]);
  expect(readFileSync(join(world.home, "audit.jsonl"), "utf8")).toContain('"kind":"gc"');

  expect(JSON.parse(await world.gc("--apply", "--json")).removed).toEqual([]);
});

longTest(
  "a bead that waits for a person keeps its clone until it is named, and its branch outlives it",
  async () => {
    const world = new GcWorld();
    await world.worked("b-1");
    world.beads({ "b-1": "in_progress" });
    await world.record(slotEvents("b-1", "r-old"), {
      type: "slot.finished",
      bead: "b-1",
      run: "r-old",
      data: { status: "merge-pending", head: "0".repeat(40), commits: 1 },
    });
    expect(await world.gc("--apply")).toContain("a person has to look: b-1 (finished)");
    expect(world.has("clones/b-1")).toBe(true);
    await expect(world.gc("b-9")).rejects.toThrow("nothing of b-9 is on this machine");
    expect(await world.freeable()).toBe(0);
    expect(await world.gc("b-1", "--apply")).toMatch(/b-1\s+clone, agent's home\s+its slot is finished/);
    expect(world.has("clones/b-1") || world.has("homes/b-1")).toBe(false);
    expect(world.branches()).toEqual(["refs/heads/agent/b-1"]);
    expect(world.saved()).toEqual(["refs/koryph/wip/b-1"]);
  },
);

test("while an engine runs nothing is looked at, and the refusal says who it is", async () => {
  const world = new GcWorld();
  const { home } = await world.wired();
  const attempt = await takeLocalLock(home.engineLock("shop"));
  if (attempt.kind !== "taken") throw new Error("the lock is held");
  await expect(world.gc("--apply")).rejects.toThrow(
    new RegExp(`an engine uses these files: pid ${process.pid} on .+ since 20`),
  );
  await attempt.lock.release();
  expect(await world.gc()).toContain("nothing to remove");
});
