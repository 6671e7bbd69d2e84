import { flush } from "../sim-clock.js";
import type { HubPull } from "./hub.js";
import { OPERATOR } from "./people.js";
import { type PullSimOptions, PullWorld } from "./pull-world.js";

export interface PullSimResult {
  readonly steps: number;
  readonly landed: number;
  readonly failure: string | null;
  readonly trace: readonly string[];
}

const ROUNDS = 120;
const REST_ROUNDS = 200;

/** Refusals that are about the commits themselves: quiet does not mend them. */
const FINAL: ReadonlySet<string> = new Set([
  ...["rebase_conflict", "not_replayed", "no_changes", "base_moved", "unsigned_commit", "no_signing_key"],
]);

/** Plays one seed: people, faults and landings at once, then quiet until everything has come to rest. */
export async function simulatePulls(options: PullSimOptions): Promise<PullSimResult> {
  const world = new PullWorld(options);
  const result = (failure: string | null): PullSimResult => ({
    ...{ steps: world.steps, landed: world.hub.landings.length, failure },
    trace: failure === null ? [] : world.trace.map((line) => line()),
  });
  try {
    for (let round = 0; round < ROUNDS; round += 1) await storm(world, options);
    world.quiet();
    settleObjections(world);
    await rest(world);
    checkRest(world);
  } catch (error) {
    return result(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return result(null);
}

async function pass(world: PullWorld, seconds: number): Promise<void> {
  await world.clock.pass(seconds * 1000);
  world.hub.pass();
  await world.deliverDue();
  world.app.turn();
  await flush();
  check(world);
}

async function storm(world: PullWorld, { rewinds }: PullSimOptions): Promise<void> {
  const { chance, app, terminals } = world;
  await pass(world, chance.pick([0, 0, 1, 1, 2, 5, 10, chance.percent(10) ? 90 : 1]));
  if (chance.percent(1)) await pass(world, 3_600);
  for (let left = chance.below(4); left > 0; left -= 1) world.somebody();
  if (chance.percent(2)) world.hub.rulesReadable = !world.hub.rulesReadable;
  if (chance.percent(4)) await app.sweep();
  if (chance.percent(3)) app.kill();
  const terminal = terminals.find(({ over }) => !over);
  if (chance.percent(4)) terminal?.interrupt();
  if (chance.percent(3)) terminal?.life.kill();
  if (rewinds && chance.percent(2)) world.rewindLedger();
  if (rewinds && chance.percent(5)) world.mendLedger();
  check(world);
}

function check({ origin }: PullWorld): void {
  if (origin.violation !== null) throw origin.violation;
  for (const { landing, head } of origin.receipts)
    if (!origin.had(head))
      throw new Error(`${landing} has a receipt of ${head}, which never was on the branch`);
}

/** Every request for changes is met. */
function settleObjections(world: PullWorld): void {
  for (const review of world.hub.reviews.filter(({ state }) => state === "changes-requested")) {
    world.hub.dismiss(review);
    world.hearReview(review, "dismissed");
  }
}

/** Whoever reviews approves what is there, checks turn green, and somebody asks for every landing, again if need be. */
async function rest(world: PullWorld): Promise<void> {
  const approved = new Map<number, string>();
  for (const { number } of world.hub.pulls)
    world.hearComment(world.hub.say(number, OPERATOR, "/koryph unhold"));
  await world.app.sweep();
  for (let round = 0; round < REST_ROUNDS; round += 1) {
    await pass(world, world.chance.pick([5, 20, 30]));
    const left = leftToLand(world);
    for (const pull of left) {
      const head = world.hub.tipOf(pull);
      if (!world.judge.isGreen(head)) world.runChecks(head, "success");
      // Whoever reviews looks at what GitHub shows, and again when it was something else in between: two machines may
      // replay the same commits, and an approval that came between their pushes was refused.
      if (pull.shown !== head || approved.get(pull.number) === head) continue;
      approved.set(pull.number, head);
      for (const by of world.people.fresh)
        world.hearComment(world.hub.say(pull.number, by, `/koryph approve ${head.slice(0, 12)}`));
    }
    const over = world.app.isIdle && world.terminals.every((each) => each.over);
    if (left.length === 0 && over) return;
    const queued = new Set(world.truth().landings.map(({ pull }) => pull));
    if (round % 8 !== 4) continue;
    for (const pull of left.filter(({ number }) => !queued.has(number) || round < 8 || world.appRunsNoGate)) {
      if (world.appRunsNoGate) world.startTerminal(pull.number);
      else world.hearComment(world.hub.say(pull.number, OPERATOR, "/koryph land"));
    }
  }
  const ends = leftToLand(world).map(
    ({ number }) => `#${number} ${JSON.stringify(world.outcomes.get(number))}`,
  );
  const jobs = world.app.inbox.jobs.map(({ id }) => id);
  const terminals = world.terminals.filter(({ over }) => !over).map(({ life }) => life.name);
  throw new Error(`the world did not come to rest: ${[...ends, ...jobs, ...terminals].join("; ")}`);
}

/** What GitHub did not notice on the branch, because it was closed at the time, is there all the same. */
function leftToLand(world: PullWorld): HubPull[] {
  const { hub, origin } = world;
  return hub.pulls.filter(
    (pull) => pull.state === "open" && !isFinal(world, pull.number) && !origin.has(hub.tipOf(pull)),
  );
}

function isFinal(world: PullWorld, number: number): boolean {
  const end = world.outcomes.get(number);
  return end?.kind === "refused" && FINAL.has(end.refusal.code);
}

/**
 * Every landing has one receipt and one record; nothing else has a receipt. The same head lands twice where somebody took
 * the base branch back in between.
 */
function checkRest(world: PullWorld): void {
  const { origin, hub, unrecorded } = world;
  for (const { head, pull } of hub.landings) {
    const receipts = origin.receipts.filter((each) => each.head === head).length;
    const landed = hub.landings.filter((each) => each.head === head).length;
    if (receipts !== landed)
      throw new Error(`#${pull} landed ${landed} times as ${head}, and has ${receipts} receipts`);
    const records = origin.chain.filter((event) => event.type === "land.landed" && event.data.head === head);
    if (records.length === 0 && !unrecorded.has(head))
      throw new Error(`the landing of #${pull} is not on record`);
  }
  for (const { head } of origin.receipts)
    if (!hub.landings.some((each) => each.head === head))
      throw new Error(`${head} has a receipt, and koryph did not put it there`);
}
