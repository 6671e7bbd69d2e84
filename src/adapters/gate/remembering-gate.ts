import type { FinalAnswer, Gate, GateAnswer, GateQuestion, GateRequest } from "../../ports/gate.js";
import type { GateMemory } from "./gate-memory.js";

/** A gate that runs nothing for an answer it has already. Everybody asks through it, so all know what one has learnt. */
export class RememberingGate implements Gate {
  readonly #gate: Pick<Gate, "run">;
  readonly #memory: GateMemory;

  constructor(gate: Pick<Gate, "run">, memory: GateMemory) {
    this.#gate = gate;
    this.#memory = memory;
  }

  async recall(question: GateQuestion): Promise<FinalAnswer | null> {
    if (question.accept === "none") return null;
    const known = this.#memory.find(question);
    return known?.kind === "green" ? known : null;
  }

  async run(request: GateRequest): Promise<GateAnswer> {
    const known = await this.recall(request);
    if (known !== null) return known;
    const answer = await this.#gate.run(request);
    if (answer.kind === "stopped") return answer;
    // One that ran out of time, or was killed, says more about the machine than about the commit.
    const isTelling = answer.kind === "green" || answer.code !== null;
    await (isTelling ? this.#memory.keep(request, answer) : this.#memory.forget(request));
    return answer;
  }
}
