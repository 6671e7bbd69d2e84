import { admit } from "../../core/govern/admit.js";
import type { AgentLease, LeaseProcess } from "../../core/govern/agent-lease.js";
import { attach } from "../../core/govern/attach.js";
import type { GovernorState } from "../../core/govern/governor-state.js";
import { release, withdrawDemand } from "../../core/govern/release.js";
import { endAgent } from "../../core/govern/report-rate-limit.js";
import type { ProcessIdentity } from "../../core/model/process-identity.js";
import { governorAdvice } from "../../core/replies/govern/governor.js";
import { UserError } from "../../lib/user-error.js";
import type { AgentProcesses } from "../../ports/agent-processes.js";
import type { AdmissionAnswer, AgentWish, EndedAgent, Governor } from "../../ports/govern/governor.js";
import { bootId } from "../process/boot-id.js";
import { containerSpace } from "../process/pid-space.js";
import { readEntry } from "../process/proc-table.js";
import { deadLeases } from "./dead-leases.js";
import type { GovernorFile } from "./governor-file.js";
import { memoryFile, readMemory } from "./read-memory.js";

/** The machine's governor, as one engine has it. */
export class MachineGovernor implements Governor {
  readonly self: ProcessIdentity = {
    pid: process.pid,
    start: readEntry(process.pid)?.start ?? "",
    boot: bootId(),
  };
  readonly #file: GovernorFile;
  readonly #processes: Pick<AgentProcesses, "status">;

  constructor(file: GovernorFile, processes: Pick<AgentProcesses, "status">) {
    this.#file = file;
    this.#processes = processes;
  }

  async admit(wish: AgentWish, ended: readonly EndedAgent[] = []): Promise<AdmissionAnswer> {
    try {
      const answer = await this.#ask(wish, new Set(), ended);
      if (answer.kind === "granted") return answer;
      // Only now it matters who has died: looking at each takes longer than all the rest.
      const dead = await deadLeases(await this.#leases(), this.#processes);
      return dead.size === 0 ? answer : await this.#ask(wish, dead);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return { kind: "denied", why: { code: "governor_unavailable", problem: error.message } };
    }
  }

  #ask(
    wish: AgentWish,
    dead: ReadonlySet<string>,
    ended: readonly EndedAgent[] = [],
  ): Promise<AdmissionAnswer> {
    return this.#file.change((before) => {
      const state = afterEnds(before, ended);
      const memory = readMemory(memoryFile());
      const process = inSpace(this.self);
      const request = { ...wish, ...memory, process, dead, jitter: Math.random() };
      const admission = admit(state, request, Date.now());
      const { kind } = admission;
      const answer = kind === "granted" ? { kind } : { kind, why: admission.why };
      return { state: admission.state, answer };
    });
  }

  async attach(agent: AgentWish & { readonly process: ProcessIdentity }): Promise<void> {
    const { process, ...wish } = agent;
    await this.#file.change((state) => ({
      state: attach(state, { ...wish, process: inSpace(process) }, Date.now()),
      answer: null,
    }));
  }

  async end(ended: readonly EndedAgent[]): Promise<void> {
    await this.#file.change((state) => ({ state: afterEnds(state, ended), answer: null }));
  }

  async held(project: string): Promise<readonly AgentLease[]> {
    return (await this.#leases()).filter((lease) => lease.project === project);
  }

  async leave(project: string): Promise<void> {
    const { pid, start } = this.self;
    await this.#file.change((state) => {
      const own = state.leases.filter(
        ({ project: of, process }) =>
          of === project &&
          process.pid === pid &&
          process.start === start &&
          (process.space ?? null) === containerSpace(),
      );
      const left = own.reduce((before, lease) => release(before, lease, "failed", Date.now()), state);
      return { state: withdrawDemand(left, project), answer: null };
    });
  }

  async #leases(): Promise<readonly AgentLease[]> {
    const reading = await this.#file.read();
    if (reading.kind === "unreadable") throw UserError.of(governorAdvice.unreadable(reading));
    return reading.state.leases;
  }
}

function afterEnds(state: GovernorState, ended: readonly EndedAgent[]): GovernorState {
  return ended.reduce((before, { agent, how }) => endAgent(before, agent, how, Date.now()), state);
}

/** An agent is started by its own engine, so it is counted where the engine is. */
function inSpace(process: ProcessIdentity): LeaseProcess {
  const space = containerSpace();
  return space === null ? process : { ...process, space };
}
