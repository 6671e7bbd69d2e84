import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { Chance } from "../../simulation/chance.js";
import { git } from "../cli/project.js";
import { remoteLines } from "../core/ledgers.js";
import type { EngineLab, LedgerLine } from "../engine/engine-lab.js";
import { expectQuiet, land, landLab, mainTip, told } from "./land-lab.js";
import {
  gateScript,
  hookScript,
  lyingGit,
  movesBase,
  movesLedger,
  RECORDS,
  rewindsBase,
  WAITING,
} from "./land-race-scripts.js";

/** What can get in the way of a landing; each is used up by the first one who meets it. */
const TROUBLES = ["moves", "rewinds", "ledger", "refuses", "lies"] as const;

/** The real one, for the one that stands before it on the path. */
const GIT = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();

/** How a landing that met trouble may end. */
const FAIR_ENDS = ["merged", "push_refused", "base_busy"];

/** Two landers of one bead have one request between them: when one of them is turned down, it is gone for the other. */
function fairEnds([x, y]: RacePlan["beads"], otherEnd = ""): readonly string[] {
  const turnedDown = x === y && otherEnd !== "merged" && FAIR_ENDS.includes(otherEnd);
  return turnedDown ? [...FAIR_ENDS, "gone"] : FAIR_ENDS;
}

interface RacePlan {
  /** What each of the two homes lands, at the same time. */
  readonly beads: readonly [string, string];
  readonly troubles: readonly { readonly kind: (typeof TROUBLES)[number]; readonly after: number }[];
}

/** The same seed is the same race. */
function racePlan(seed: number): RacePlan {
  const chance = new Chance(seed);
  const [x, y] = [`x-${seed}`, `y-${seed}`];
  const beads = [x, chance.percent(60) ? y : x] as const;
  const troubles = Array.from({ length: 1 + chance.below(3) }, () => ({
    kind: chance.pick(TROUBLES),
    after: 1 + chance.below(5),
  }));
  return { beads, troubles };
}

/** A remote with the finished beads of these races, and two homes that can land them. */
export interface RaceWorld {
  readonly lab: EngineLab;
  readonly other: EngineLab;
  readonly start: string;
}

export async function raceWorld(seeds: readonly number[]): Promise<RaceWorld> {
  const beads = new Set(seeds.flatMap((seed) => racePlan(seed).beads));
  const lab = landLab({
    agents: Object.fromEntries([...beads].map((bead) => [bead, "commit one\ncommit two"])),
    config: (top) => ({ gate: [`sh ${top}/gate.sh`] }),
  });
  for (const name of [...Object.values(WAITING), "bin"]) mkdirSync(join(lab.top, name));
  for (const name of Object.values(RECORDS)) writeFileSync(join(lab.top, name), "");
  writeFileSync(join(lab.top, "gate.sh"), gateScript(lab.top));
  writeFileSync(join(lab.remote, "hooks", "update"), hookScript(lab.top), { mode: 0o755 });
  writeFileSync(join(lab.top, "bin", "git"), lyingGit(lab.top, GIT), { mode: 0o755 });
  lab.env = { PATH: `${lab.top}/bin:${process.env.PATH}` };
  const { code, stdout, stderr } = await lab.koryph("run");
  expect({ code, stderr }, stdout).toEqual({ code: 4, stderr: "" });
  return { lab, other: lab.beside("other"), start: mainTip(lab) };
}

/** Two landings at once with something in the way; then, with nothing in the way, what did not come to its end. */
export async function race({ lab, other }: RaceWorld, seed: number): Promise<void> {
  const { beads, troubles } = racePlan(seed);
  for (const [n, { kind, after }] of troubles.entries()) {
    const [folder, text] = waiting(lab, kind, after);
    writeFileSync(join(lab.top, folder, `${seed}.${n}`), text);
  }
  const story = JSON.stringify({ seed, beads, troubles });
  const ends = await Promise.all([lab, other].map((at, n) => land(at, beads[n] ?? "")));
  disarm(lab);
  const hows = ends.map(({ said }) => String(said.reason_code ?? said.result));
  for (const [n, { code, stderr }] of ends.entries()) {
    expect(fairEnds(beads, hows[1 - n]), `${story}\n${hows}\n${stderr}`).toContain(hows[n]);
    if (code === 0) continue;
    const again = await land(n === 0 ? other : lab, beads[n] ?? "");
    expect(again, `${story}\n${again.stderr}`).toMatchObject({ code: 0, said: { result: "merged" } });
  }
}

/** Where a trouble waits, and as what. */
function waiting(
  lab: EngineLab,
  trouble: (typeof TROUBLES)[number],
  after: number,
): [folder: string, text: string] {
  const { top, remote } = lab;
  switch (trouble) {
    case "moves":
      return [WAITING.gate, movesBase(top, remote)];
    case "ledger":
      return [WAITING.gate, movesLedger(remote)];
    case "refuses":
      return [WAITING.refuse, ""];
    case "lies":
      return [WAITING.lie, `${after}`];
    case "rewinds": {
      const before = mainTip(lab);
      const message = ["-p", before, "-m", "fix: taken back"];
      const taken = git(remote, "commit-tree", ...message, `${before}^{tree}`).trim();
      git(remote, "update-ref", "refs/heads/main", taken, before);
      return [WAITING.gate, rewindsBase(top, remote, taken, before)];
    }
  }
}

/** What nobody met goes; a commit that nobody took back stays. */
function disarm({ top }: EngineLab): void {
  for (const folder of Object.values(WAITING))
    for (const name of readdirSync(join(top, folder))) {
      const path = join(top, folder, name);
      const kept = /else echo ([0-9a-f]+) /.exec(readFileSync(path, "utf8"))?.[1];
      if (kept !== undefined) writeFileSync(join(top, RECORDS.theirs), `${kept}\n`, { flag: "a" });
      rmSync(path);
    }
}

/** Every bead landed once and as it was checked, remote and ledger agree, and nothing is left of the landings. */
export async function expectFair({ lab, other, start }: RaceWorld, seeds: readonly number[]): Promise<void> {
  const log = remoteLines(lab.remote).map((line) => JSON.parse(line) as LedgerLine);
  const recorded = (name: keyof typeof RECORDS) =>
    readFileSync(join(lab.top, RECORDS[name]), "utf8")
      .split("\n")
      .filter((line) => line !== "");
  const line = git(lab.remote, "rev-list", "--reverse", `${start}..main`)
    .split("\n")
    .filter((sha) => sha !== "");
  const accounted = new Set(recorded("theirs"));
  for (const bead of new Set(seeds.flatMap((seed) => racePlan(seed).beads))) {
    const landed = told(log, bead, "land.landed").map(({ from, head }) => ({
      from: String(from),
      head: String(head),
    }));
    expect(landed, bead).toHaveLength(1);
    for (const { from, head } of landed) {
      const range = git(lab.remote, "log", "--reverse", "--format=%H %s", `${from}..${head}`)
        .trimEnd()
        .split("\n");
      expect(
        range.map((text) => text.slice(41)),
        bead,
      ).toEqual([`feat: ${bead} one`, `feat: ${bead} two`]);
      expect(recorded("checked"), bead).toContain(head);
      for (const text of range) accounted.add(text.slice(0, 40));
    }
    expect(git(lab.remote, "for-each-ref", `refs/koryph/wip/${bead}`), bead).toBe("");
  }
  expect(line.filter((sha) => !accounted.has(sha))).toEqual([]);
  expect([...accounted].filter((sha) => !line.includes(sha))).toEqual([]);
  for (const sha of recorded("withdrawn")) expect(line).not.toContain(sha);
  await expectQuiet(lab);
  await expectQuiet(other);
}
