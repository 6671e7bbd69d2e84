import { expect, test } from "vitest";
import { replyMarker } from "../../../src/core/replies/app/reply.js";
import { Chance } from "../../simulation/chance.js";
import { runStarted, slotDispatched, slotStarted } from "../../support/app/app-events.js";
import { AppProcess } from "../../support/app/app-process.js";
import { AppWorld, REPOSITORY } from "../../support/app/app-world.js";
import type { BareEntry } from "../../support/git/bare-ledger.js";
import { LONG } from "../../support/long.js";

/** Each is delivered more than twice on average: doubled, asked for again, and followed by the one about our reply. */
const COMMENTS = LONG ? 2_000 : 10;
const KILLS = LONG ? 10 : 1;
/** Nobody gets more than 20 commands through in ten minutes, and no thread more than 60 in an hour. */
const PEOPLE = COMMENTS / 10;
const THREADS = Math.ceil(COMMENTS / 25);
/** So many comments may be without an answer at a time. */
const AHEAD = LONG ? 40 : 12;
const MOST_MS = LONG ? 900_000 : 150_000;

interface Said {
  readonly id: number;
  readonly thread: number;
  readonly verb: string;
}

/** People who talk on many threads at once, some of them issues, one the pull request of an agent. */
class Crowd {
  readonly said: Said[] = [];
  readonly #world: AppWorld;
  readonly #chance: Chance;
  readonly #threads: number[] = [];
  #open: Said[] = [];
  #turn = 0;

  constructor(world: AppWorld, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
  }

  async gather(): Promise<void> {
    const { sandbox } = this.#world;
    for (let person = 0; person < PEOPLE; person += 1) sandbox.setRole(REPOSITORY, `p${person}`, "write");
    await sandbox.commit(REPOSITORY, "agent/shoes", { "shoes.txt": "shoes\n" });
    const pull = await sandbox.openPull(REPOSITORY, {
      author: "walter",
      head: "agent/shoes",
      title: "Sell shoes",
    });
    this.#threads.push(pull.number);
    while (this.#threads.length < THREADS)
      this.#threads.push(await this.#world.as("maria").opens("Sell shirts"));
    const beads = this.#threads.map((number) => (number === pull.number ? "shoes" : `gh-${number}`));
    await this.#world.record(
      runStarted(),
      ...beads.flatMap((bead) => [slotDispatched(bead, "Sell things"), slotStarted(bead)]),
    );
  }

  /** The next comments; their webhooks come doubled, or the last of them first, or as they should. */
  async say(count: number): Promise<void> {
    const { faults } = this.#world.sandbox;
    const mishap = this.#chance.pick(["doubled", "shuffled", "doubled", null] as const);
    if (mishap !== null) faults.add({ webhooks: mishap, times: count });
    for (let left = count; left > 0; left -= 1) {
      const turn = this.#turn;
      if (!this.hasMore) return;
      this.#turn += 1;
      const thread = this.#threads[turn % this.#threads.length] ?? 0;
      const verb = this.#chance.pick(["hold", "unhold", "help", "why", "nudge"]);
      const rest = verb === "nudge" || verb === "hold" ? ` because of ${turn}` : "";
      const id = await this.#world.as(`p${turn % PEOPLE}`).writes(thread, `/koryph ${verb}${rest}`);
      this.said.push({ id, thread, verb });
      this.#open.push({ id, thread, verb });
    }
  }

  get hasMore(): boolean {
    return this.#turn < COMMENTS;
  }

  replies({ id, thread }: Said): string[] {
    const marker = replyMarker(`comment ${id}`);
    const { comments } = this.#world.issue(thread);
    return comments
      .filter(({ viaApp, body }) => viaApp !== null && body.includes(marker))
      .map(({ body }) => body);
  }

  /** How many have been reacted to with more than the first look. */
  answered(): number {
    this.#open = this.#open.filter(({ thread, id }) => this.#world.reactions(thread, id).length < 2);
    return this.said.length - this.#open.length;
  }
}

test(
  `${COMMENTS} comments while the server is killed ${KILLS} times: each is carried out and answered once`,
  async () => {
    const chance = new Chance(7);
    const world = await AppWorld.open();
    try {
      // More is said here in a minute than GitHub gives requests for in an hour.
      world.sandbox.world.quota.perHour = 1_000_000;
      const crowd = new Crowd(world, chance);
      await crowd.gather();
      const app = await AppProcess.open(world);
      await app.start();

      await Promise.all([talk(crowd), killAgainAndAgain(app, crowd, { world, chance })]);
      await reached(() => crowd.answered(), COMMENTS);
      // The nudges' replies wait on in another lane, for an engine that never comes.
      await app.settled(MOST_MS, "intake");

      const lines = await world.events();
      for (const said of crowd.said) expect(outcome(world, crowd, said, lines)).toEqual(wanted(crowd, said));
      expect(world.unread()).toHaveLength(COMMENTS);
      const nudges = crowd.said.filter(({ verb }) => verb === "nudge");
      expect((await world.state()).requests).toHaveLength(nudges.length);
      const { deliveries } = world.sandbox.state;
      const again = deliveries.filter(({ redelivery }) => redelivery).length;
      // One kill may well hit a moment in which nothing was on its way.
      if (LONG) expect(again).toBeGreaterThan(0);
      expect(deliveries.length).toBeGreaterThanOrEqual(2 * COMMENTS);
      expect(world.sandbox.problems).toEqual([]);
      const repeats = lines.filter(({ repeat }) => repeat).length;
      console.info(
        `${deliveries.length} deliveries, ${again} of them asked for; ${repeats} of ${lines.length} ledger lines repeat an id`,
      );
      expect(await app.stop()).toBe(0);
    } finally {
      await world.close();
    }
  },
  MOST_MS,
);

async function killAgainAndAgain(
  app: AppProcess,
  crowd: Crowd,
  { world: { sandbox }, chance }: { readonly world: AppWorld; readonly chance: Chance },
): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const due = (kill * COMMENTS) / (KILLS + 1) - chance.below(COMMENTS / KILLS / 2);
    await reached(() => crowd.answered(), due);
    // Somewhere in the middle of what it does about a comment.
    await reached(() => sandbox.requests.length, sandbox.requests.length + chance.below(30));
    await app.kill();
    await crowd.say(1 + chance.below(9));
    await sandbox.settled();
    await app.start();
  }
}

async function talk(crowd: Crowd): Promise<void> {
  while (crowd.hasMore) {
    await reached(() => crowd.answered(), crowd.said.length - AHEAD);
    await crowd.say(8);
  }
}

/** Polls, rather than waits: what is measured is progress, not time. */
async function reached(measure: () => number, least: number): Promise<void> {
  await expect.poll(measure, { timeout: MOST_MS, interval: 5 }).toBeGreaterThanOrEqual(least);
}

/** What a comment has come to, on its thread and in the ledger. */
function outcome(world: AppWorld, crowd: Crowd, said: Said, lines: readonly BareEntry[]) {
  const source = `"source":"comment ${said.id}"`;
  return {
    replies: crowd.replies(said).length,
    reactions: world.reactions(said.thread, said.id),
    events: lines
      .filter(({ line, repeat }) => !repeat && line.includes(source))
      .map(({ reading }) => typeOf(reading)),
  };
}

function typeOf(reading: BareEntry["reading"]): string {
  return reading.kind === "event" ? reading.event.type : reading.kind;
}

/** Where webhooks are shuffled, an unhold may come before its hold; whoever wrote it was told so. */
function wanted(crowd: Crowd, said: Said) {
  const early = said.verb === "unhold" && crowd.replies(said)[0]?.includes("❌");
  const { reaction, events } = early
    ? { reaction: "-1", events: [] }
    : (WANTED[said.verb] ?? { reaction: "", events: [] });
  return { replies: 1, reactions: ["eyes", reaction], events };
}

const WANTED: Readonly<Record<string, { readonly reaction: string; readonly events: readonly string[] }>> = {
  help: { reaction: "+1", events: [] },
  why: { reaction: "+1", events: [] },
  hold: { reaction: "+1", events: ["hold.placed"] },
  unhold: { reaction: "+1", events: ["hold.lifted"] },
  nudge: { reaction: "rocket", events: ["control.nudge"] },
};
