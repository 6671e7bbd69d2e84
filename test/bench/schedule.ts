import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileSource } from "../../src/adapters/work/file-source.js";
import { readProject } from "../../src/core/config/read-project.js";
import type { Bead } from "../../src/core/model/bead.js";
import { planDispatch } from "../../src/core/run/plan/plan-dispatch.js";
import { auditPlan } from "../../src/core/schedule/audit-plan.js";
import { buildWave } from "../../src/core/schedule/build-wave.js";
import { frontierOf } from "../../src/core/schedule/work-graph.js";
import { plainBuildWave, plainParallelWidth } from "../support/core/plain-schedule.js";
import { backlog, flying } from "./backlog.js";
import { measure, report } from "./measure.js";

const SIZES = [1_000, 10_000, 100_000];
/** The plain versions take minutes at the largest size, and nobody asks how many. */
const PLAIN_UP_TO = 10_000;

interface Rule {
  readonly name: string;
  readonly wanted: string;
  /** Ours and the plain version, on a backlog of this size. */
  readonly variants: (size: number) => { ours: () => unknown; plain: () => unknown };
}

const RULES: readonly Rule[] = [
  {
    name: "buildWave",
    wanted: "≥ 4",
    variants: (size) => {
      const input = { frontier: backlog(size), areaMap: {}, inFlight: flying(100) };
      return { ours: () => buildWave(input), plain: () => plainBuildWave(input) };
    },
  },
  {
    name: "auditPlan without pairs",
    wanted: "≥ 20",
    variants: (size) => {
      const beads = backlog(size, { withBlockers: true });
      const input = { beads, areaMap: {}, pairLimit: null };
      return { ours: () => auditPlan(input), plain: () => plainParallelWidth(beads, {}) };
    },
  },
];

export async function benchSchedule(): Promise<void> {
  // One rule after the other: what one leaves to the garbage collector must not be paid by the next.
  for (const { name, wanted, variants } of RULES) {
    const took: number[] = [];
    for (const size of SIZES) {
      const { ours, plain } = variants(size);
      if (size > PLAIN_UP_TO) {
        took.push(measure(10, { ours }).ours);
        continue;
      }
      const best = measure(25, { ours, plain });
      took.push(best.ours);
      report(`${name}, ${size} beads: plain / ours`, best.plain / best.ours, size === 10_000 ? wanted : "—");
    }
    for (const [index, size] of SIZES.slice(1).entries())
      report(`${name}, ${size} / ${size / 10} beads`, (took[index + 1] ?? 0) / (took[index] ?? 1), "≤ 13");
  }
  await benchReading();
}

/** In a dry run, reading and validating the work file should cost more than deciding. */
async function benchReading(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "koryph-bench-"));
  try {
    mkdirSync(join(root, ".koryph"));
    const project = readProject(
      JSON.stringify({
        schema_version: 1,
        project_id: "bench",
        work_source: "file",
        gate: ["true"],
        max_concurrent_slots: 1_000,
      }),
    );
    if (project.kind !== "ok") throw new Error("the bench project is wrong");
    const beads = backlog(10_000);
    writeFileSync(
      join(root, ".koryph/beads.jsonl"),
      beads.map((bead) => `${JSON.stringify({ ...bead, issue_type: bead.type })}\n`).join(""),
    );
    const reading: number[] = [];
    const deciding: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const start = process.hrtime.bigint();
      const read: readonly Bead[] = await new FileSource(root).all();
      const middle = process.hrtime.bigint();
      planDispatch({ config: project.config, beads: read, frontier: frontierOf(read) });
      const end = process.hrtime.bigint();
      reading.push(Number(middle - start));
      deciding.push(Number(end - middle));
    }
    const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
    report(
      "dry run of 10000 beads: reading the file / scheduling",
      middle(reading) / middle(deciding),
      "> 1",
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
