import type { FinalAnswer, Gate, GateAnswer } from "../../src/ports/gate.js";
import type { Chance } from "./chance.js";
import type { SimClock } from "./sim-clock.js";
import type { SimOrigin } from "./sim-origin.js";

interface GateRun {
  readonly head: string;
  readonly endsAt: number;
  readonly green: boolean;
}

/** One machine's gate folders: what was asked there, and what came of it. They outlive the engine. */
export class SimGates {
  redPercent = 15;
  readonly #runs = new Map<string, GateRun>();
  /** What the machine remembers, by commit. */
  readonly #answers = new Map<string, FinalAnswer>();

  open(bead: string, landing: string): string {
    const folder = `gates/${bead}/${landing}`;
    this.drop(bead, folder);
    return folder;
  }

  /** What was red is tried again by whoever asks next. */
  mend(): void {
    for (const [head, { kind }] of this.#answers) if (kind === "red") this.#answers.delete(head);
  }

  drop(bead: string, besides = ""): void {
    for (const folder of this.#runs.keys())
      if (folder.startsWith(`gates/${bead}/`) && folder !== besides) this.#runs.delete(folder);
  }

  port(
    { clock, chance, origin }: { clock: SimClock; chance: Chance; origin: SimOrigin },
    during: <T>(bead: string, work: () => Promise<T>) => Promise<T>,
  ): Gate {
    const recall: Gate["recall"] = async ({ head, accept }) => {
      const known = accept === "none" ? undefined : this.#answers.get(head);
      return known?.kind === "green" ? known : null;
    };
    return {
      recall,
      run: async ({ bead, folder, abort, ...question }) => {
        const { head } = question;
        const known = await recall(question);
        if (known !== null) return known;
        return during(bead, async (): Promise<GateAnswer> => {
          const there = this.#runs.get(folder);
          const fresh = {
            head,
            endsAt: clock.now + chance.below(90) * 1000,
            green: chance.percent(100 - this.redPercent),
          };
          const run = there?.head === head ? there : fresh;
          this.#runs.set(folder, run);
          if (run.endsAt > clock.now) await clock.pause(run.endsAt - clock.now, abort);
          if (run.endsAt > clock.now) {
            this.#runs.delete(folder);
            return { kind: "stopped" };
          }
          const answer: FinalAnswer = run.green
            ? { kind: "green" }
            : { kind: "red", command: "true", code: 1, output: "no", places: [] };
          this.#answers.set(head, answer);
          if (run.green) origin.green.add(head);
          return answer;
        });
      },
    };
  }
}
