import { rm } from "node:fs/promises";
import { join } from "node:path";
import { PullAnalysis } from "../../core/review/pull/analysis.js";
import type { PullAnalyses } from "../../ports/pull-analyses.js";
import { writeAtomically } from "../files/write-atomically.js";
import { readIfThere } from "../process/slot-files.js";
import { makeFolder } from "./koryph-home.js";

/** One file for each pull request, in a folder of the project's own. */
export class PullAnalysisFiles implements PullAnalyses {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(pull: number): Promise<PullAnalysis | null> {
    const text = await readIfThere(this.#file(pull));
    try {
      return text === null ? null : (PullAnalysis.safeParse(JSON.parse(text)).data ?? null);
    } catch {
      return null;
    }
  }

  async write(analysis: PullAnalysis): Promise<void> {
    await makeFolder(this.#folder);
    await writeAtomically(this.#file(analysis.pull), `${JSON.stringify(analysis, null, 2)}\n`);
  }

  async drop(pull: number): Promise<void> {
    await rm(this.#file(pull), { force: true });
  }

  #file(pull: number): string {
    return join(this.#folder, `${pull}.json`);
  }
}
