import { appendFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { timingsAdvice } from "../core/replies/run/refill-table.js";
import { AGENT_ENDED, type TimedCall } from "../core/run/plan/refill-times.js";
import type { EngineParts } from "../engine/engine-parts.js";
import { UserError } from "../lib/user-error.js";
import { ringing } from "./bell.js";

const TIMED = [
  ...(["ledger", "source", "worktrees", "processes", "governor", "folders", "repo"] as const),
  ...(["gate", "receipts"] as const),
] as const;

/** Notes what each call of an engine's takes, and writes it down as it comes. */
export class EngineTimings {
  readonly calls: TimedCall[] = [];

  readonly file: string;

  private constructor(file: string) {
    this.file = file;
  }

  /** Makes the file anew, before anything is started. */
  static async open(path: string): Promise<EngineTimings> {
    const file = resolve(path);
    await writeFile(file, "").catch((error: Error) => {
      throw UserError.of(timingsAdvice.unwritable(file, error.message));
    });
    return new EngineTimings(file);
  }

  /** The same parts, whose calls are noted, and the moments in which agents end. */
  timed(parts: EngineParts): EngineParts {
    const processes = ringing(parts.processes, { ring: () => this.#note(AGENT_ENDED, performance.now()) });
    const ports = { ...parts, processes };
    const timed = Object.fromEntries(TIMED.map((name) => [name, this.#timedPort(name, ports[name])]));
    return { ...parts, ...timed };
  }

  #timedPort<Port extends object>(name: string, port: Port): Port {
    return new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          const fromMs = performance.now();
          const answer: unknown = value.apply(target, given);
          const done = () => this.#note(`${name}.${String(key)}`, fromMs);
          if (answer instanceof Promise) answer.then(done, done);
          return answer;
        };
      },
    });
  }

  #note(what: string, fromMs: number): void {
    const call = { what, fromMs, toMs: performance.now() };
    this.calls.push(call);
    try {
      appendFileSync(this.file, `${JSON.stringify(call)}\n`);
    } catch {
      // A full disk will be noticed by what has to be written.
    }
  }
}
