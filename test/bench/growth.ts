import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { FileSource } from "../../src/adapters/work/file-source.js";
import type { ProjectConfig } from "../../src/core/config/project-schema.js";
import { readProject } from "../../src/core/config/read-project.js";
import { planDispatch } from "../../src/core/run/plan/plan-dispatch.js";
import { buildWave } from "../../src/core/schedule/build-wave.js";
import { auditBacklog } from "../../src/engine/audit-backlog.js";
import { planRun } from "../../src/engine/plan-run.js";
import { backlog, flying } from "./backlog.js";
import { median, report } from "./measure.js";

const LARGEST = 100_000;
const SIZES = [1_000, 10_000, LARGEST];
/** A small backlog is worked on so many times in a round, or else what is measured is the clock. */
const MOST_TIMES = 10;
const WARM_UP = 1;
const ROUNDS = 7;

interface Backlog {
  readonly root: string;
  /** Kept from round to round, as an engine keeps it. */
  readonly standing: FileSource;
  readonly size: number;
}

interface Job {
  readonly name: string;
  readonly once: (backlog: Backlog, config: ProjectConfig) => Promise<unknown>;
}

const JOBS: readonly Job[] = [
  {
    name: "a wave as wide as it gets",
    once: async ({ standing }) =>
      buildWave({ frontier: await standing.ready(), areaMap: {}, inFlight: flying(100) }),
  },
  {
    name: "a tick of a running engine",
    once: async ({ standing }, config) =>
      planDispatch({
        config,
        beads: await standing.all(),
        frontier: await standing.ready(),
        inFlight: flying(9),
      }),
  },
  {
    name: "an audit of beads in memory",
    once: async ({ standing }, config) => auditBacklog(standing, config, {}),
  },
  {
    name: "plan audit, with the file read",
    once: async ({ root }, config) => auditBacklog(new FileSource(root), config, {}),
  },
  {
    name: "run --dry-run, with the file read",
    once: async ({ root }, config) => planRun(new FileSource(root), config, {}),
  },
];

/** What ten times the beads cost, in times what the tenth of them costs. */
export async function benchGrowth(): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), "koryph-bench-"));
  try {
    const config = aConfig();
    const backlogs = SIZES.map((size) => writeBacklog(join(top, `${size}`), size));
    for (const job of JOBS) {
      const rounds: number[][] = [];
      for (let round = -WARM_UP; round < ROUNDS; round += 1) {
        const took: number[] = [];
        for (const each of backlogs) took.push(await computing(job, each, config));
        if (round >= 0) rounds.push(took);
      }
      tell(job.name, rounds);
    }
    report(
      "load of this machine over the last minute, for each processor",
      (loadavg()[0] ?? 0) / availableParallelism(),
      "< 1",
    );
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function tell(name: string, rounds: readonly (readonly number[])[]): void {
  for (const [index, size] of SIZES.entries()) {
    const took = rounds.map((round) => round[index] ?? 0);
    report(`${name}, ${size} beads: ms of computing`, median(took), "—");
  }
  for (const [index, size] of SIZES.slice(1).entries()) {
    // Ratios within a round: what slows the machine down for a while slows both sizes down.
    const ratios = rounds.map((round) => (round[index + 1] ?? 0) / (round[index] ?? 1));
    const what = `${name}, ${size} / ${size / 10} beads, ${rounds.length} rounds`;
    report(`${what}: median`, median(ratios), "≤ 12");
    report(`${what}: 90th percentile`, percentile(ratios, 0.9), "—");
  }
}

/** Milliseconds of the processor, other processes left out. */
async function computing({ once }: Job, backlog: Backlog, config: ProjectConfig): Promise<number> {
  const times = Math.min(MOST_TIMES, LARGEST / backlog.size);
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await once(backlog, config);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0;
}

function writeBacklog(root: string, size: number): Backlog {
  mkdirSync(join(root, ".koryph"), { recursive: true });
  const lines = backlog(size, { withBlockers: true }).map(({ type, blockers, parent: _, ...bead }) =>
    JSON.stringify({
      ...bead,
      issue_type: type,
      dependencies: blockers.map((id) => ({ depends_on_id: id, type: "blocks" })),
    }),
  );
  writeFileSync(join(root, ".koryph/beads.jsonl"), `${lines.join("\n")}\n`);
  return { root, standing: new FileSource(root), size };
}

function aConfig(): ProjectConfig {
  const file = { schema_version: 1, project_id: "bench", work_source: "file", gate: ["true"] };
  const project = readProject(JSON.stringify({ ...file, max_concurrent_slots: 10 }));
  if (project.kind !== "ok") throw new Error("the bench project is wrong");
  return project.config;
}
