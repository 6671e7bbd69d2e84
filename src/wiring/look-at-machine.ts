import { deadLeases } from "../adapters/govern/dead-leases.js";
import { GovernorFile } from "../adapters/govern/governor-file.js";
import { memoryFile, readMemory } from "../adapters/govern/read-memory.js";
import { locateHome } from "../adapters/home/koryph-home.js";
import { DetachedProcesses } from "../adapters/process/detached-processes.js";
import { governorAdvice } from "../core/replies/govern/governor.js";
import type { SeenMachine, UnseenMachine } from "../core/run/plan/admit-plan.js";
import { UserError } from "../lib/user-error.js";

/** Who has which place on this machine; nothing is changed. A problem where nobody can tell. */
export async function lookAtMachine(): Promise<SeenMachine | (UnseenMachine & { readonly hint: string })> {
  try {
    const reading = await new GovernorFile(locateHome()).read();
    if (reading.kind === "unreadable") throw UserError.of(governorAdvice.unreadable(reading));
    const { state } = reading;
    const dead = await deadLeases(state.leases, new DetachedProcesses());
    return { state, dead, ...readMemory(memoryFile()), now: Date.now() };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { problem: error.message, hint: error.hint };
  }
}
