import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter, TestModule, TestSpecification, Vitest } from "vitest/node";

const JUDGE = fileURLToPath(new URL("../../.ci/slow-tests.mjs", import.meta.url));
/** Read by the judge, now and in `npm run check`. */
const RECORD = "node_modules/.cache/koryph/test-times.json";
const SHOWN_FILES = 10;

interface FileTime {
  readonly file: string;
  readonly cpuSeconds: number;
  readonly seconds: number;
}

/** Shows where the time of a run went; a whole short run fails when a file of it has become too slow. */
export default class FileTimes implements Reporter {
  #vitest: Vitest | null = null;
  #isWhole = false;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    const all = await this.#vitest?.globTestSpecifications();
    this.#isWhole = specifications.length === all?.length && !this.#vitest?.config.testNamePattern;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const root = this.#vitest?.config.root ?? "";
    const times = modules.map((module) => ({
      file: relative(root, module.moduleId),
      cpuSeconds: module.meta().cpuSeconds ?? 0,
      seconds: module.diagnostic().duration / 1000,
    }));
    const isJudged = this.#isWhole && process.env.KORYPH_LONG === undefined;
    if (isJudged) record(times);
    // Before the closing line, which is written at the same time and comes after us.
    process.once("exit", () => {
      process.stdout.write(table(times));
      if (isJudged && spawnSync(process.execPath, [JUDGE], { stdio: "inherit" }).status !== 0)
        process.exitCode = 1;
    });
  }
}

function record(times: readonly FileTime[]): void {
  mkdirSync(dirname(RECORD), { recursive: true });
  const files = Object.fromEntries(times.map(({ file, cpuSeconds }) => [file, cpuSeconds]));
  writeFileSync(RECORD, JSON.stringify(files));
}

function table(times: readonly FileTime[]): string {
  const folders = new Map<string, FileTime>();
  for (const { file, cpuSeconds, seconds } of times) {
    const name = dirname(file);
    const before = folders.get(name) ?? { file: name, cpuSeconds: 0, seconds: 0 };
    const sum = { cpuSeconds: before.cpuSeconds + cpuSeconds, seconds: before.seconds + seconds };
    folders.set(name, { file: name, ...sum });
  }
  const files =
    process.env.KORYPH_LONG === undefined ? bySlowest(times).slice(0, SHOWN_FILES) : bySlowest(times);
  return `\nseconds of computing, and on the clock\n${lines(bySlowest([...folders.values()]))}\n${lines(files)}\n`;
}

function bySlowest(times: readonly FileTime[]): FileTime[] {
  return times.toSorted((x, y) => y.cpuSeconds - x.cpuSeconds || y.seconds - x.seconds);
}

function lines(times: readonly FileTime[]): string {
  const figure = (seconds: number) => seconds.toFixed(1).padStart(8);
  return times
    .map(({ file, cpuSeconds, seconds }) => `${figure(cpuSeconds)}${figure(seconds)}  ${file}\n`)
    .join("");
}
