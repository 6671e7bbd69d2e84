import { auditPlan } from "../../src/core/schedule/audit-plan.js";
import { buildWave } from "../../src/core/schedule/build-wave.js";
import { plainBuildWave, plainParallelWidth } from "../support/core/plain-schedule.js";
import { backlog, flying } from "./backlog.js";
import { measure, report } from "./measure.js";

/** The plain versions take minutes at larger sizes, and nobody asks how many. */
const SIZES = [1_000, 10_000];

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
    for (const size of SIZES) {
      const best = measure(25, variants(size));
      report(`${name}, ${size} beads: plain / ours`, best.plain / best.ours, size === 10_000 ? wanted : "—");
    }
  }
}
