import { benchAction } from "./action.js";
import { benchApp } from "./app/app.js";
import { benchClones } from "./clones.js";
import { benchEngine } from "./engine.js";
import { benchGovern } from "./govern.js";
import { benchGrowth } from "./growth.js";
import { benchLanding } from "./landing.js";
import { benchLedger } from "./ledger.js";
import { benchProcesses } from "./processes.js";
import { benchPullLanding } from "./pull-landing.js";
import { benchReceipts } from "./receipts.js";
import { benchSchedule } from "./schedule.js";
import { benchStart } from "./start.js";
import { benchWaves } from "./waves.js";

const PARTS: Readonly<Record<string, () => unknown>> = {
  start: benchStart,
  schedule: benchSchedule,
  growth: benchGrowth,
  ledger: benchLedger,
  processes: benchProcesses,
  clones: benchClones,
  landing: benchLanding,
  "pull-landing": benchPullLanding,
  receipts: benchReceipts,
  govern: benchGovern,
  engine: benchEngine,
  app: benchApp,
  action: benchAction,
  waves: benchWaves,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0)
  throw new Error(`no such part: ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
for (const [name, bench] of Object.entries(PARTS))
  if (asked.length === 0 || asked.includes(name)) await bench();
