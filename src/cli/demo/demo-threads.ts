import { setTimeout as pause } from "node:timers/promises";
import { demoAdvice } from "../../core/replies/surfaces/demo.js";
import { UserError } from "../../lib/user-error.js";
import { act } from "../../sandbox/world/act.js";
import { comment } from "../../sandbox/world/people.js";
import type { Issue, Repository } from "../../sandbox/world/state.js";
import { DEMO_REPOSITORY, type DemoWorld } from "./demo-world.js";

const LOOK_MS = 50;
const PATIENCE_MS = 60_000;

/** What people do on the demo's GitHub, and what they see there. */
export class DemoThreads {
  readonly #world: DemoWorld;
  readonly #signal: AbortSignal;

  constructor(world: DemoWorld, signal: AbortSignal) {
    this.#world = world;
    this.#signal = signal;
  }

  /** The open pull request of a bead. */
  pullOf(bead: string): Issue & { readonly pull: NonNullable<Issue["pull"]> } {
    const found = this.#repository.issues.find(
      ({ state, pull }) => state === "open" && pull?.headRef === `agent/${bead}`,
    );
    if (found === undefined || found.pull === null) throw UserError.of(demoAdvice.noPull(bead));
    return { ...found, pull: found.pull };
  }

  thread(number: number): Issue {
    return this.#world.sandbox.world.issue(this.#repository, number);
  }

  /** Says it, and returns the App's reply once it has these words in it. */
  async asks(login: string, number: number, words: string, until: RegExp): Promise<string> {
    const { world } = this.#world.sandbox;
    const id = await comment(world, DEMO_REPOSITORY, number, login, words);
    const reply = () =>
      this.thread(number).comments.find(
        ({ viaApp, body }) => viaApp !== null && body.includes(`koryph:reply comment ${id} `),
      )?.body ?? "";
    await this.until(() => until.test(reply()), `koryph's answer to ${words} on #${number}`);
    return reply();
  }

  async closes(login: string, number: number): Promise<void> {
    const path = `/repos/${DEMO_REPOSITORY}/pulls/${number}`;
    await act(this.#world.sandbox.world, login, { method: "PATCH", path, sent: { state: "closed" } });
  }

  /** Whether the ledger on GitHub has an event of the type about the bead. */
  async isOnRecord(type: string, bead: string): Promise<boolean> {
    const log = ["log", "--max-count=50", "--format=%B", "refs/koryph/ledger"];
    const lines = (await this.#world.sandbox.world.git(this.#repository, log)).split("\n");
    return lines.some((line) => line.includes(`"type":"${type}"`) && line.includes(`"bead":"${bead}"`));
  }

  /** Whether the required check has ended on the head of a pull request. */
  isChecked(number: number): boolean {
    const head = this.thread(number).pull?.headSha;
    return this.#repository.workflowRuns.some((run) => run.headSha === head && run.status === "completed");
  }

  /** The words of the reviews that the App has posted on it, those on lines among them. */
  remarksOn(number: number): readonly string[] {
    const { reviews, reviewComments } = this.#repository;
    const own = reviews
      .filter(({ pull, state }) => pull === number && state !== "PENDING")
      .map(({ id }) => id);
    return reviewComments
      .filter(({ review }) => review !== null && own.includes(review))
      .map(({ path, line, body }) => `${path}:${line} ${body.split("\n\n")[0]}`);
  }

  async until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!(await holds())) {
      if (Date.now() > end) throw UserError.of(demoAdvice.neverCame(what));
      await pause(LOOK_MS, undefined, { signal: this.#signal });
    }
  }

  get #repository(): Repository {
    const found = this.#world.sandbox.world.repository(DEMO_REPOSITORY);
    if (found === null) throw new Error("the demo's repository is gone");
    return found;
  }
}
