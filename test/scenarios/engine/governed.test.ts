import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitOnce } from "../../support/engine/engine-agents.js";
import { crash, recover } from "../../support/engine/engine-crash.js";
import { EngineLab } from "../../support/engine/engine-lab.js";
import { longTest } from "../../support/long.js";

interface Governed {
  readonly leases: readonly {
    readonly project: string;
    readonly bead: string;
    readonly process: { pid: number };
  }[];
}

/** The machine's record, as files have it. */
function record({ home }: EngineLab): Governed {
  return JSON.parse(readFileSync(join(home, "governor.json"), "utf8")) as Governed;
}

/** Another project on the machine of the first. */
function neighbour(lab: EngineLab, agents: Record<string, string>): EngineLab {
  const other = new EngineLab({ agents, config: { project_id: "next-door" } });
  other.env = { KORYPH_HOME: lab.home };
  return other;
}

test("two projects of one machine keep to its ceiling, and the one that waits says for whom", async () => {
  const lab = new EngineLab({ agents: { a: `mark a\nawait a\n${commitOnce}` } });
  expect(await lab.koryph("governor", "set", "--ceiling", "1")).toMatchObject({ code: 0 });
  const other = neighbour(lab, { b: commitOnce });
  const first = lab.begin("run");
  await lab.marked("a");
  expect(record(lab).leases).toMatchObject([{ project: "lab", bead: "a" }]);
  const second = other.start("run");
  await second.says("agents wait: the machine bears 1 agent, and has a of project lab");
  expect(other.starts("b")).toEqual([]);
  lab.allow("a");
  expect((await first.ended).code).toBe(4);
  expect(await second.ended).toMatchObject({ code: 4, stderr: "" });
  expect(other.starts("b")).toHaveLength(1);
  expect(record(lab).leases).toEqual([]);
});

/** Agents that write down when they begin and end, in the order of all projects; they wait until their bead may end. */
function shortAgents(project: string, turns: string, names: readonly string[]): Record<string, string> {
  const line = (word: string) => `printf '%s %s\\n' ${word} ${project} >>${turns}`;
  const lines = [line("begin"), 'await "$KORYPH_BEAD"', "sleep 0.1", commitOnce.trim(), line("end"), ""].join(
    "\n",
  );
  return Object.fromEntries(names.map((name) => [name, lines]));
}

test("engines of two projects share a cap over many short beads, and neither keeps the other from its share", async () => {
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  const lab = new EngineLab({ agents: {}, beads: Object.fromEntries(names.map((name) => [name, {}])) });
  const turns = join(lab.top, "turns");
  for (const [name, lines] of Object.entries(shortAgents("first", turns, names))) lab.behave(name, lines);
  await lab.bears(3);
  const other = neighbour(lab, shortAgents("second", turns, names));
  for (const name of names) other.allow(name);
  const one = lab.start("run");
  await expect.poll(() => record(lab).leases.length).toBe(3);
  const two = other.start("run");
  await two.says("agents wait");
  const [early = "", ...held] = record(lab).leases.map(({ bead }) => bead);
  lab.allow(early);
  // The first engine sees its agent's end before anybody else does, and has its share all the same.
  await expect.poll(() => other.starts("a").length).toBe(1);
  expect(
    record(lab)
      .leases.filter(({ project }) => project === "lab")
      .map(({ bead }) => bead),
  ).toEqual(held);
  for (const name of names) lab.allow(name);
  const ended = await Promise.all([one.ended, two.ended]);
  expect(ended.map(({ code }) => code)).toEqual([4, 4]);

  const seen = { first: { began: 0, ended: 0 }, second: { began: 0, ended: 0 } };
  const atWork = (project: "first" | "second") => seen[project].began - seen[project].ended;
  let most = 0;
  const mostEach = { first: 0, second: 0 };
  for (const line of readFileSync(turns, "utf8").trimEnd().split("\n")) {
    const [word, project] = line.split(" ") as ["begin" | "end", "first" | "second"];
    seen[project][word === "begin" ? "began" : "ended"] += 1;
    most = Math.max(most, atWork("first") + atWork("second"));
    // Both want places, and what the first took while it was alone has come back.
    const bothWant = seen.first.began < names.length && seen.second.began < names.length;
    if (!bothWant || seen.first.ended < 3 || word === "end") continue;
    mostEach[project] = Math.max(mostEach[project], atWork(project));
  }
  expect(seen).toEqual({ first: { began: 7, ended: 7 }, second: { began: 7, ended: 7 } });
  expect(most).toBe(3);
  // One each, and the third place goes round by the minute.
  for (const each of Object.values(mostEach)) expect([1, 2]).toContain(each);
  expect(record(lab).leases).toEqual([]);
});

test("a bead waits for a resource that an agent of another project has; others of its project do not", async () => {
  const lab = new EngineLab({
    agents: { a: `mark a\nawait a\n${commitOnce}` },
    beads: { a: { labels: ["fp:a", "res:gpu"] } },
  });
  const other = neighbour(lab, { b: commitOnce, c: commitOnce });
  other.writeBeads({ b: { labels: ["fp:b", "res:gpu"] } });
  const first = lab.begin("run");
  await lab.marked("a");
  const second = other.start("run");
  await second.says("b  its agent waits: res:gpu is held by a of project lab");
  await second.says(/c {2}finished/);
  expect(other.starts("b")).toEqual([]);
  const status = await other.koryph("status", "--frontier");
  expect(status.stdout).toContain("res:gpu is held by a of project lab");
  lab.allow("a");
  expect((await second.ended).code).toBe(4);
  expect((await first.ended).code).toBe(4);
});

test("while the record cannot be read nothing is started, and the run goes on once it is mended", async () => {
  const lab = new EngineLab({ agents: { a: commitOnce } });
  await lab.koryph("governor", "set", "--ceiling", "2");
  const file = join(lab.home, "governor.json");
  const good = readFileSync(file, "utf8");
  writeFileSync(file, good.slice(0, 20));
  const run = lab.begin("run");
  await run.says("no agent is started, since nobody can tell how many are at work");
  expect(lab.starts("a")).toEqual([]);
  writeFileSync(file, good);
  expect((await run.ended).code).toBe(4);
  expect(lab.starts("a")).toHaveLength(1);
});

const CRASHES = [
  { point: "governor.admit", when: "after", n: 1 },
  { point: "ledger.observe:slot.dispatching", when: "after", n: 1 },
  { point: "processes.start", when: "after", n: 1 },
  { point: "governor.attach", when: "before", n: 1 },
  { point: "governor.end", when: "after", n: 1 },
] as const;

longTest.each(CRASHES)("an engine that dies $when $point leaves no place taken", async (point) => {
  const lab = new EngineLab({ remote: true, agents: { a: commitOnce, b: commitOnce } });
  await lab.koryph("governor", "set", "--ceiling", "1");
  await crash(lab, point);
  await recover(lab);
  for (const bead of lab.beads) expect(lab.commits(bead)).toEqual([`${bead} one`]);
  expect(record(lab).leases).toEqual([]);
});
