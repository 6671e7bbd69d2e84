import { expect, test } from "vitest";
import { admit } from "../../../src/core/govern/admit.js";
import { configureMachine } from "../../../src/core/govern/configure-machine.js";
import { configurePool } from "../../../src/core/govern/configure-pool.js";
import { advancePool, effectiveCap } from "../../../src/core/govern/effective-cap.js";
import { type GovernorState, NEW_GOVERNOR, poolOf } from "../../../src/core/govern/governor-state.js";
import { endAgent } from "../../../src/core/govern/report-rate-limit.js";
import { LONG } from "../../support/long.js";
import { Chance } from "../chance.js";

const NOON = 28_000_000 * 60_000;
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const POLL_MS = 20 * SECOND;
const SEEDS = LONG ? 20 : 3;

interface Agent {
  readonly project: string;
  readonly bead: string;
  readonly until: number;
  readonly meetsLimit: boolean;
}

interface Day {
  readonly seed: number;
  readonly cap: number;
  readonly adaptive: boolean;
  /** How long the agents of each project take, in minutes, at most. */
  readonly longest: Readonly<Record<string, number>>;
  /** Whether the provider has storms, in which every agent meets its limit. */
  readonly storms: boolean;
}

/** A day of engines that always have work, each looking every twenty seconds; checked at each step. */
function live({ seed, cap, adaptive, longest, storms }: Day): Record<string, number> {
  const chance = new Chance(seed);
  const projects = Object.keys(longest);
  const account = { pool: "", adaptive, cap, seededCap: null, hardMax: null };
  let state: GovernorState = configurePool(
    configureMachine(NEW_GOVERNOR, { ceiling: 2 * cap }),
    account,
    NOON,
  );
  let agents: Agent[] = [];
  let [beads, stormUntil] = [0, 0];
  const worked: Record<string, number> = Object.fromEntries(projects.map((project) => [project, 0]));
  for (let now = NOON; now < NOON + 24 * HOUR; now += POLL_MS) {
    if (storms && chance.below(1000) < 2) stormUntil = now + chance.below(40) * MINUTE;
    for (const { project, bead, meetsLimit } of agents.filter(({ until }) => until <= now))
      state = endAgent(state, { project, bead, attempt: 1, pool: "" }, meetsLimit ? "limited" : "clean", now);
    agents = agents.filter(({ until }) => until > now);
    // Who looks first is a matter of chance.
    const order = chance.percent(50) ? projects : projects.toReversed();
    for (const project of order) {
      const bead = `b-${beads}`;
      beads += 1;
      const free = { folder: "", resources: [], availableMb: null, totalMb: null, dead: new Set<string>() };
      const process = { pid: beads, start: "", boot: "" };
      const asks = { project, bead, attempt: 1, pool: "", process, jitter: chance.below(100) / 100, ...free };
      const { breaker } = advancePool(poolOf(state, "", now), now);
      const admission = admit(state, asks, now);
      state = admission.state;
      if (admission.kind === "denied") continue;
      if (breaker.state === "open") throw new Error(`${bead} was let in while the breaker was open`);
      if (breaker.state === "half-open" && breaker.probe !== null)
        throw new Error(`${bead} was let in beside a probe`);
      const meetsLimit = now < stormUntil;
      const lasts = meetsLimit
        ? chance.below(30) * SECOND
        : (1 + chance.below(longest[project] ?? 1)) * MINUTE;
      agents.push({ project, bead, until: now + lasts, meetsLimit });
      if (agents.length > effectiveCap(poolOf(state, "", now), now)) throw new Error("beyond the cap");
    }
    const held = new Set(state.leases.map(({ bead }) => bead));
    if (held.size !== agents.length || agents.some(({ bead }) => !held.has(bead)))
      throw new Error("a lease was lost, or left");
    for (const { project } of agents) worked[project] = (worked[project] ?? 0) + POLL_MS;
  }
  return worked;
}

const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);

test("two projects that always have work get the same of an account's day", () => {
  for (const seed of seeds)
    for (const cap of [2, 4, 5]) {
      const { a = 0, b = 0 } = live({ seed, cap, adaptive: false, storms: false, longest: { a: 20, b: 20 } });
      const day = cap * 24 * HOUR;
      expect(Math.abs(a - b) / day, `seed ${seed}, cap ${cap}`).toBeLessThan(0.1);
      expect((a + b) / day, `seed ${seed}, cap ${cap}`).toBeGreaterThan(0.8);
    }
});

test("one whose agents take long keeps nobody from what the cap divides evenly", () => {
  for (const seed of seeds) {
    const { a = 0, b = 0 } = live({ seed, cap: 5, adaptive: false, storms: false, longest: { a: 5, b: 60 } });
    // Two of the five places each; the fifth goes round, and stays with a long agent for longer.
    expect(Math.min(a, b), `seed ${seed}`).toBeGreaterThan(0.8 * 2 * 24 * HOUR);
  }
});

test("in storms of rate limits the cap holds at every step, with one probe at most, and work goes on after them", () => {
  for (const seed of seeds) {
    const worked = live({ seed, cap: 6, adaptive: true, storms: true, longest: { a: 10, b: 10, c: 10 } });
    for (const [project, ms] of Object.entries(worked))
      expect(ms, `${project}, seed ${seed}`).toBeGreaterThan(HOUR);
  }
});
