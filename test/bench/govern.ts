import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceFile } from "../../src/adapters/files/replace-file.js";
import { GovernorFile } from "../../src/adapters/govern/governor-file.js";
import { MachineGovernor } from "../../src/adapters/govern/machine-governor.js";
import { KoryphHome } from "../../src/adapters/home/koryph-home.js";
import { admit } from "../../src/core/govern/admit.js";
import { configureMachine } from "../../src/core/govern/configure-machine.js";
import { configurePool } from "../../src/core/govern/configure-pool.js";
import { type GovernorState, NEW_GOVERNOR } from "../../src/core/govern/governor-state.js";
import type { AgentWish } from "../../src/ports/govern/governor.js";
import { measure, median, report, timed } from "./measure.js";

const LEASES = 1_000;
const ENGINES = 8;
const CAP = 16;
const TIMES = 20;

const wish = (bead: string): AgentWish => ({
  ...{ project: "bench", bead, attempt: 1, pool: "", folder: "/none" },
  resources: [],
  capacities: {},
});

/** What it takes to let an agent in, and until a rate limit counts for everybody. */
export async function benchGovern(): Promise<void> {
  const home = new KoryphHome(mkdtempSync(join(tmpdir(), "koryph-bench-")));
  try {
    const engines = Array.from(
      { length: ENGINES },
      () => new MachineGovernor(new GovernorFile(home), { status: async () => ({ kind: "none" }) }),
    );
    await admissions(home, engines);
    await rateLimits(home, engines);
  } finally {
    rmSync(home.path, { recursive: true, force: true });
  }
}

async function admissions({ governor: { file } }: KoryphHome, [engine]: readonly MachineGovernor[]) {
  if (engine === undefined) return;
  const state = crowded(engine.self);
  const request = { ...wish("one-more"), process: engine.self, dead: new Set<string>(), jitter: 0 };
  const free = { availableMb: null, totalMb: null };
  const { rule } = measure(25, { rule: () => admit(state, { ...request, ...free }, Date.now()) });
  const text = `${JSON.stringify(state, null, 2)}\n`;
  const [ours, plain]: [number[], number[]] = [[], []];
  for (let round = 0; round < TIMES; round += 1) {
    writeFileSync(file, text);
    ours.push(await timed(() => engine.admit(wish(`b-${round}`))));
    plain.push(await timed(() => replaceFile(file, text, { mode: 0o600 })));
  }
  report(`decisions a second with ${LEASES} leases, in thousands`, 1 / rule, "≥ 1");
  report(`admissions a second with ${LEASES} leases, written and safe`, 1000 / median(ours), "—");
  report("an admission / writing that file", median(ours) / median(plain), "≤ 20");
}

/** Leases of agents that live: of this very process. */
function crowded(process: MachineGovernor["self"]): GovernorState {
  const leases = Array.from({ length: LEASES }, (_, n) => ({
    ...{ project: `p-${n % 10}`, bead: `b-${n}`, attempt: 1, pool: "", folder: "/none" },
    ...{ process, resources: [], memoryMb: 1536, grantedAt: Date.now() },
  }));
  const account = { pool: "", adaptive: false, cap: 2 * LEASES, seededCap: null, hardMax: null };
  const wide = configureMachine(NEW_GOVERNOR, { ceiling: 2 * LEASES });
  return { ...configurePool(wide, account, Date.now()), leases };
}

/** From one engine's report until all of them are refused for the smaller cap. */
async function rateLimits({ governor: { file } }: KoryphHome, engines: readonly MachineGovernor[]) {
  const account = { pool: "", adaptive: true, cap: CAP, seededCap: null, hardMax: CAP };
  const [first, second]: [number[], number[]] = [[], []];
  for (let round = 0; round < TIMES; round += 1) {
    const process = engines[0]?.self;
    if (process === undefined) return;
    // Half of the places are taken, so that the smaller cap is just reached.
    const leases = crowded(process).leases.slice(0, CAP / 2);
    const wide = configureMachine(NEW_GOVERNOR, { ceiling: 2 * CAP });
    const state = { ...configurePool(wide, account, Date.now()), leases };
    writeFileSync(file, `${JSON.stringify(state, null, 2)}\n`);
    first.push(
      await timed(async () => {
        await engines[0]?.end([{ agent: wish("met-it"), how: "limited" }]);
        const answers = await Promise.all(engines.map((engine, n) => engine.admit(wish(`after-${n}`))));
        for (const answer of answers)
          if (answer.kind !== "denied" || answer.why.code !== "pool_full" || answer.why.cap !== CAP / 2)
            throw new Error(`a rate limit did not count: ${JSON.stringify(answer)}`);
      }),
    );
    second.push(await timed(() => engines[0]?.admit(wish("alone"))));
  }
  report(`ms from a rate limit to the smaller cap in ${ENGINES} engines`, median(first), "≤ 1000");
  report(`the same / one engine's question`, median(first) / median(second), "≤ 40");
}
