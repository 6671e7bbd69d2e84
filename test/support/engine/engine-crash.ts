import { expect } from "vitest";
import { commitOnce, commitTwice, dieAtOnce, leakDaemon } from "./engine-agents.js";
import { EngineLab } from "./engine-lab.js";
import { processesOf } from "./engine-processes.js";

export interface CrashPoint {
  /** `part.method`, with `:text` where only calls carrying that text count. */
  readonly point: string;
  readonly when: "before" | "after";
  readonly n: number;
}

/** Three beads that between them pass every step: going on, dying and coming back, leaving a process behind. */
export function crashLab(): EngineLab {
  return new EngineLab({
    remote: true,
    config: { bootstrap: ["true"] },
    agents: { goes: commitTwice, "dies.1": dieAtOnce, dies: commitOnce, leaks: leakDaemon },
  });
}

const COMMITS: Readonly<Record<string, readonly string[]>> = {
  goes: ["goes one", "goes two"],
  dies: ["dies one"],
  leaks: ["leaks one"],
};

/** Runs the engine until it kills itself at the point. */
export function crash(lab: EngineLab, point: CrashPoint, resume = false): Promise<void> {
  return expectKilled(lab.engine({ ...point, resume }));
}

export async function expectKilled({ child, ended }: ReturnType<EngineLab["launch"]>): Promise<void> {
  const { stdout, stderr } = await ended;
  expect({ signal: child.signalCode, stderr }, stdout).toEqual({ signal: "SIGKILL", stderr: "" });
}

/** Goes on with what the crash left, or starts anew where it came before there was anything to go on with. */
export async function recover(lab: EngineLab, ...flags: readonly string[]): Promise<void> {
  const resumed = await lab.koryph("run", "--resume", ...flags);
  const nothing = resumed.stderr.includes("no interrupted run");
  const { code, stdout, stderr } = nothing ? await lab.koryph("run", ...flags) : resumed;
  expect({ code, stderr }, stdout).toEqual({ code: 4, stderr: "" });
}

/** Every bead finished exactly once, and nothing is left lying or running. */
export async function expectAllFinished(
  lab: EngineLab,
  commits: Readonly<Record<string, readonly string[]>> = COMMITS,
): Promise<void> {
  const beads = Object.keys(commits).sort();
  const log = await lab.log();
  const finished = log.flatMap(({ type, bead }) => (type === "slot.finished" ? [bead] : []));
  expect(finished.sort()).toEqual(beads);
  for (const bead of beads) expect(lab.commits(bead)).toEqual(commits[bead]);
  expect(processesOf(lab.top)).toEqual([]);
  expect(lab.names("clones")).toEqual(beads);
  for (const passing of ["making", "trash", "kept"]) expect(lab.names(passing), passing).toEqual([]);
  const lines = lab
    .workLines()
    .map(({ id, status, assignee, comments }) => ({ id, status, assignee, comments }));
  expect(lines).toEqual(
    lab.beads.map((id) => ({
      id,
      status: "in_progress",
      assignee: "koryph lab",
      comments: [expect.objectContaining({ key: expect.stringMatching(/^finished:/) })],
    })),
  );
}
