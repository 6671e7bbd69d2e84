import { landRequested } from "../../src/landing/land-next.js";
import { requestLanding } from "../../src/landing/request-landing.js";
import { settleLanding } from "../../src/landing/settle-landing.js";
import { UserError } from "../../src/lib/user-error.js";
import { Missing } from "./sim-clones.js";
import { Hiccup, Life } from "./sim-life.js";
import { LEASE_SECONDS, type SimWorld } from "./sim-world.js";

const BUSY_MS = 1_000;

/** Somebody asks the engine for something, from the command line of some machine. */
export async function command(world: SimWorld): Promise<void> {
  const { chance } = world;
  const { bead } = chance.pick(world.beads);
  world.provider.occasion();
  const ledger = world.ledgerOf(chance.pick(world.machines));
  await ledger.refresh();
  const event = chance.pick([
    { type: "control.stop", bead: bead.id, data: { force: chance.percent(50) } } as const,
    { type: "control.retry", bead: bead.id, data: {} } as const,
    { type: "control.nudge", bead: bead.id, data: { text: "hello" } } as const,
    { type: "control.resize", data: { max: 1 + chance.below(5), force: chance.percent(20) } } as const,
    { type: "control.drain", data: {} } as const,
  ]);
  await ledger.observe([event]);
  await ledger.share("now");
}

const WORTH_ASKING: ReadonlySet<string> = new Set("merge-pending blocked conflict landing merged".split(" "));

/** Mostly a bead that can be landed; people also ask for others. */
function whichToLand({ chance, beads, truth }: SimWorld): string {
  const worth = Object.values(truth().slots).filter(({ status }) => WORTH_ASKING.has(status));
  return worth.length > 0 && chance.percent(85) ? chance.pick(worth).bead : chance.pick(beads).bead.id;
}

/** `koryph land` while it runs: it can be interrupted, and it can be killed. */
export class SimLander {
  readonly life: Life;
  readonly #abort = new AbortController();
  over = false;

  constructor(world: SimWorld, number: number) {
    this.life = new Life(`lander-${number}`);
    const done = this.#land(world, whichToLand(world)).catch((error: unknown) => {
      world.log(`${this.life.name} failed: ${error instanceof Error ? error.message : String(error)}`);
      if (error instanceof UserError || error instanceof Hiccup || error instanceof Missing) return;
      // Somebody took the push back before it was read back.
      if (error instanceof Error && error.message.includes("but the remote shows")) return;
      world.origin.violation ??= error instanceof Error ? error : new Error(String(error));
    });
    Promise.race([done, this.life.ended]).then(() => {
      this.over = true;
      // Whatever it still held goes with the process.
      this.life.kill();
    });
  }

  interrupt(): void {
    this.#abort.abort();
  }

  async #land(world: SimWorld, bead: string): Promise<void> {
    const { chance, config } = world;
    const machine = chance.pick(world.machines);
    const parts = world.partsOf(machine, this.life);
    const { ledger } = parts;
    const method = !config.signing.required && chance.percent(30) ? "squash" : "ff";
    const wish = { bead, method, methodAsked: false, allowProtected: chance.percent(50) } as const;
    world.log(`${this.life.name}@${world.machines.indexOf(machine)} asks to land ${bead}`);
    const request = await requestLanding(parts, { ...wish, signingRequired: config.signing.required });
    if (request.kind === "refused") return;
    let head = request.kind === "landed" ? request.head : null;
    if (request.kind === "requested") {
      const settings = { config, leaseSeconds: LEASE_SECONDS };
      const context = { parts, settings, abort: this.#abort.signal };
      const outcome = await landRequested(request, context, () => world.clock.pause(BUSY_MS));
      if (outcome.kind === "stopped") return;
      if (outcome.kind === "landed") head = outcome.head;
    }
    if (head !== null && !(request.kind === "landed" && request.settled))
      await settleLanding(parts, bead, {
        head,
        from: (await ledger.observe([])).state.slots[bead]?.candidate?.from ?? null,
      });
    await ledger.share("now");
  }
}
