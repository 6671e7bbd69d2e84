import { UserError } from "../../../src/lib/user-error.js";
import { landAskedPull } from "../../../src/pulls/land-asked-pull.js";
import { requestPullLanding } from "../../../src/pulls/request-pull-landing.js";
import { Missing } from "../sim-clones.js";
import { Hiccup, Life } from "../sim-life.js";
import type { SimMachine } from "../sim-machine.js";
import { KEY, REPOSITORY } from "./hub-ports.js";
import { OPERATOR } from "./people.js";
import type { PullWorld } from "./pull-world.js";

/** `koryph land 17` while it runs, on an operator's machine. */
export class SimTerminal {
  readonly life: Life;
  readonly #abort = new AbortController();
  over = false;

  constructor(world: PullWorld, machine: SimMachine, { number, name }: { number: number; name: string }) {
    this.life = new Life(name);
    const done = this.#land(world, machine, number).catch((error: unknown) =>
      world.excuse(name, error, [UserError, Hiccup, Missing]),
    );
    Promise.race([done, this.life.ended]).then(() => {
      this.over = true;
      world.judge.forget(name);
      this.life.kill();
    });
  }

  interrupt(): void {
    this.#abort.abort();
  }

  async #land(world: PullWorld, machine: SimMachine, number: number): Promise<void> {
    const { chance, clock, config } = world;
    const parts = world.partsOf(machine, this.life, this.life.name);
    world.requesters.set(this.life.name, OPERATOR.id);
    const pull = await parts.pulls.read(number);
    if (pull === null) return;
    const wish = { method: config.merge_method, methodAsked: false, allowProtected: false, by: null };
    const request = await requestPullLanding(parts, pull, wish);
    world.log(`${this.life.name}: #${number} ${JSON.stringify(request).slice(0, 200)}`);
    if (request.kind !== "requested") return;
    const signal = this.#abort.signal;
    const gate = machine.gatePort({ clock, chance, origin: world.origin }, this.life);
    const outcome = await landAskedPull(
      {
        ...{ ...parts, gate, folders: machine.folderPort(), report: () => {} },
        landTurn: async () => machine.landTurn(this.life),
        liveness: { file: "alive" },
        pause: (ms) => clock.pause(ms, signal),
      },
      {
        ...{
          repository: REPOSITORY,
          config,
          mayPushWorkflows: true,
          pushesSilently: false,
          requester: OPERATOR,
          leaseSeconds: 60,
        },
        ...{ publicKey: world.hasKey ? KEY : null, allowProtected: false, name: `#${number}`, abort: signal },
        evidence: null,
      },
      request.landing,
    );
    world.log(`${this.life.name}: #${number} ${JSON.stringify(outcome).slice(0, 300)}`);
    world.outcome(number, outcome);
  }
}
