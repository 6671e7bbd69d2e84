import { benchApp } from "./app.js";
import { benchClones } from "./clones.js";
import { benchEngine } from "./engine.js";
import { benchLanding } from "./landing.js";
import { benchLedger } from "./ledger.js";
import { benchProcesses } from "./processes.js";
import { benchPullLanding } from "./pull-landing.js";
import { benchReceipts } from "./receipts.js";
import { benchSchedule } from "./schedule.js";

await benchSchedule();
await benchLedger();
await benchProcesses();
await benchClones();
await benchLanding();
await benchPullLanding();
await benchReceipts();
await benchEngine();
await benchApp();
