import { expect, vi } from "vitest";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { pullSubject } from "../../../src/core/model/pull.js";
import { Chance } from "../../simulation/chance.js";
import { type AppWorld, REPOSITORY, scenario } from "../../support/app/app-world.js";
import { openRaced, RACES, type Race, RUNNER_RACE } from "../../support/app/landing-races.js";
import { LANDING, passes, protect, tip } from "../../support/app/landing-stories.js";
import { runIds, runOf, setUpJobs } from "../../support/app/runner-stories.js";
import { LONG } from "../../support/long.js";

vi.setConfig({ testTimeout: 600_000 });

const [FIRST = 0, END = LONG ? 200 : 1] = (process.env.KORYPH_RACES ?? "")
  .split("-")
  .filter(Boolean)
  .map(Number);
/** How many pull requests are under way at once. */
const AT_ONCE = 4;
/** What the short form plays. */
const SHORT = RACES.filter(({ name }) => name.startsWith("a force-push"));

for (let seed = FIRST; seed < END; seed += 1)
  scenario(
    `races of seed ${seed}: what was approved and green lands once, and nothing else`,
    (world) => play(world, seed),
    LANDING,
  );

type Runner = Awaited<ReturnType<typeof openRaced>> & { readonly race: Race };

/** Several races at once, whose steps come in an order of the seed's. */
async function play(world: AppWorld, seed: number): Promise<void> {
  const chance = new Chance(seed);
  protect(world);
  const files = { ".gitattributes": "package-lock.json -diff\n", "package-lock.json": "{}\n" };
  await world.sandbox.commit(REPOSITORY, "main", files, { author: "maria" });
  const runners: Runner[] = [];
  const races = LONG ? Array.from({ length: AT_ONCE }, () => chance.pick(RACES)) : SHORT;
  if (LONG && seed % 4 === 3) {
    await setUpJobs(world, { project: { jobs: { workflow: "koryph.yml", minutes: 60, kinds: ["gate"] } } });
    races.splice(0, 1, RUNNER_RACE);
  }
  for (const [number, race] of races.entries())
    runners.push({ ...(await openRaced(world, `race-${seed}-${number}`, race)), race });
  const left = runners.map((runner) => runner.race.steps(world, runner));
  while (left.length > 0) {
    const next = chance.pick(left);
    if ((await next.next()).done) left.splice(left.indexOf(next), 1);
  }
  await comeToRest(world, runners);
  for (const runner of runners) await judge(world, runner);
  await judgeRecords(world);
  for (const { pull } of runners) world.replies(pull);
}

/** Checks of what may land turn green; what waits in vain, and keeps others waiting, is closed by somebody. */
async function comeToRest(world: AppWorld, runners: readonly Runner[]): Promise<void> {
  for (let round = 0; round < 12; round += 1) {
    const { landings } = await world.state();
    if (landings.length === 0) break;
    for (const { branch, pull, race } of runners) {
      if (!landings.some((landing) => landing.pull === pull)) continue;
      const head = await world.sandbox.world.resolve(world.repository, `refs/heads/${branch}`);
      const isGreen = world.repository.checkRuns.some((run) => run.headSha === head && run.name === "test");
      if (!race.lands) await world.as("maria").says(pull, "/koryph close the race is over");
      else if (head !== null && !isGreen) await passes(world, head);
      else if (head !== null) await gateIsGreen(world, head);
    }
    world.clock.pass(60);
    // Whatever GitHub tells of checks has the landings looked at again.
    await passes(world, (await tip(world)) ?? "");
  }
  const names = runners.map(({ race: { name }, pull }) => `#${pull} ${name}`);
  expect({ names, landings: (await world.state()).landings }).toEqual({ names, landings: [] });
}

/** A runner has run the gate on what may land. */
async function gateIsGreen(world: AppWorld, head: string): Promise<void> {
  for (const id of runIds(world)) {
    const run = runOf(world, id);
    if (run.inputs.head !== head || run.status === "completed") continue;
    await world.sandbox.completeRun(REPOSITORY, id, { gate: "success" });
    await world.settled();
  }
}

async function isOnMain(world: AppWorld, commit: string): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", commit, "refs/heads/main"];
  return (await runGit(world.repository.gitDir, args)).code === 0;
}

async function landingsOf(world: AppWorld, pull: number): Promise<string[]> {
  return (await world.events())
    .map(({ line }) => JSON.parse(line) as { type: string; bead?: string; data: { head: string } })
    .filter(({ type, bead }) => type === "land.landed" && bead === pullSubject(pull))
    .map(({ data }) => data.head);
}

async function judge(world: AppWorld, { pull, head, race: { name, lands } }: Runner): Promise<void> {
  const landed = await landingsOf(world, pull);
  const shown = world.replies(pull).at(-1) ?? "";
  expect({ name, landed: landed.length, shown }).toEqual({ name, landed: lands ? 1 : 0, shown });
  const now = await world.sandbox.world.resolve(world.repository, `refs/pull/${pull}/head`);
  for (const commit of lands ? landed : [head, now ?? head])
    expect({ name, isOnMain: await isOnMain(world, commit) }).toEqual({ name, isOnMain: lands });
}

/** Every landing has one record and one receipt. */
async function judgeRecords(world: AppWorld): Promise<void> {
  const lines = (await world.events()).filter(({ line }) => line.includes('"type":"land.landed"'));
  const args = ["rev-list", "--count", "refs/koryph/receipts"];
  const { stdout } = await runGit(world.repository.gitDir, args);
  expect(lines.length).toBe(Number(stdout.trim() || "0"));
}
