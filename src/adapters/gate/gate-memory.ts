import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { gateEnvironment } from "../../core/land/gate-environment.js";
import type { FinalAnswer, GateQuestion } from "../../ports/gate.js";
import { writeAtomically } from "../files/write-atomically.js";
import { AnswerRecord, readGateFile } from "./gate-files.js";

const MOST_ANSWERS = 200;
/** An answer holds the end of what a command printed; anything longer is none of ours. */
const MOST_BYTES = 1_000_000;

/** These differ from terminal to terminal and from job to job, and no code is judged by them. */
const OF_THE_CALLER: ReadonlySet<string> = new Set(["TERM", "RUNNER_TRACKING_ID"]);

/**
 * What this machine's gate said of commits: one file for each, named after everything that the answer hangs on. A file
 * that cannot be read is an answer that nobody has.
 */
export class GateMemory {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#environment = environment;
  }

  find(question: Omit<GateQuestion, "accept">): FinalAnswer | null {
    const path = this.#pathOf(question);
    try {
      const found = statSync(path);
      return found.isFile() && found.size <= MOST_BYTES ? readGateFile(path, AnswerRecord) : null;
    } catch {
      return null;
    }
  }

  /** Where it cannot be written, nobody remembers; the answer is as good. */
  async keep(question: Omit<GateQuestion, "accept">, answer: FinalAnswer): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeAtomically(this.#pathOf(question), `${JSON.stringify(answer)}\n`);
      await this.#dropOldest();
    } catch {
      await this.forget(question);
    }
  }

  async forget(question: Omit<GateQuestion, "accept">): Promise<void> {
    await rm(this.#pathOf(question), { force: true, recursive: true }).catch(() => {});
  }

  #pathOf({ head, commands }: Omit<GateQuestion, "accept">): string {
    const environment = gateEnvironment({ parent: this.#environment, home: "/nowhere", marker: "" });
    const names = Object.keys(environment).filter((name) => !OF_THE_CALLER.has(name));
    const variables = names.sort().map((name) => [name, environment[name]]);
    const question = JSON.stringify([head, commands, variables]);
    return join(this.#folder, `${createHash("sha256").update(question).digest("hex")}.json`);
  }

  async #dropOldest(): Promise<void> {
    const names = await readdir(this.#folder);
    if (names.length <= MOST_ANSWERS) return;
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        return { path, at: (await stat(path).catch(() => null))?.mtimeMs ?? 0 };
      }),
    );
    const old = files.sort((a, b) => b.at - a.at).slice(MOST_ANSWERS);
    for (const { path } of old) await rm(path, { force: true, recursive: true });
  }
}
