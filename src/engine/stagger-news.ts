import { staggerSeconds } from "../core/route/stagger.js";
import type { Tick } from "../core/run/tick/tick-facts.js";
import type { EngineParts, EngineSettings } from "./engine-parts.js";

/** Tells that agents start with a pause between them: once for all the places that are being filled. */
export class StaggerNews {
  readonly #report: EngineParts["report"];
  readonly #config: EngineSettings["config"];
  #said = false;

  constructor({ report }: EngineParts, { config }: EngineSettings) {
    this.#report = report;
    this.#config = config;
  }

  tell({ staggered, memory }: Pick<Tick, "staggered" | "memory">): void {
    if (staggered && !this.#said) {
      const { default_runtime } = this.#config;
      const seconds = staggerSeconds(this.#config, memory.lastRuntime ?? default_runtime);
      this.#report({ kind: "stagger", seconds });
    }
    this.#said = memory.filling && (staggered || this.#said);
  }
}
