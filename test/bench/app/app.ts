import { loadavg } from "node:os";
import { report } from "../measure.js";
import { benchEyes, benchRequests } from "./app-answers.js";
import { benchIntake } from "./app-intake.js";
import { benchSweep } from "./app-sweep.js";

export async function benchApp(): Promise<void> {
  report("load of the machine before the App's figures", loadavg()[0] ?? 0, "—");
  await benchIntake();
  await benchEyes();
  await benchRequests();
  await benchSweep();
}
