import { PAUSE_KINDS, type PauseKind } from "../../src/core/model/pause-kind.js";
import type { Slot } from "../../src/core/run/ledger/slot.js";
import type { Chance } from "./chance.js";
import type { Behaviour } from "./sim-processes.js";

interface Spell {
  readonly kind: PauseKind;
  readonly since: number;
  readonly until: number;
  starts: number;
  /** What may have one more agent sent: a new engine, an operator's word, a crash. */
  occasions: number;
}

/** The widest that a run is ever made. */
const WIDEST = 5;
const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 300;

/** What all agents of the world run on. It has good times and spells in which it turns everybody away. */
export class SimProvider {
  readonly #chance: Chance;
  #spell: Spell | null = null;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Now and then a spell begins; each passes, or somebody mends what was wrong. */
  pass(now: number, calm: boolean): string | null {
    if (this.#spell !== null && (calm || now >= this.#spell.until)) this.#spell = null;
    if (calm || this.#spell !== null || !this.#chance.percent(2)) return null;
    const kind = this.#chance.pick<PauseKind>(["limited", "limited", "unavailable", "auth", "start-failed"]);
    const seconds = this.#chance.pick([20, 75, 300, 1_200]);
    this.#spell = { kind, since: now, until: now + seconds * 1000, starts: 0, occasions: 0 };
    return `${kind} for ${seconds} s`;
  }

  /** What becomes of an agent that is started now, which would have behaved like this. */
  turnAway(behaviour: Behaviour): Behaviour {
    const spell = this.#spell;
    if (spell === null) return behaviour;
    spell.starts += 1;
    const seconds = 1 + this.#chance.below(5);
    return { seconds, text: "", commits: 0, dirty: false, outcome: spell.kind };
  }

  occasion(): void {
    if (this.#spell !== null) this.#spell.occasions += 1;
  }

  /** Throws when more agents were sent than one for each wait, besides those that could not know. */
  check(now: number): void {
    if (this.#spell === null) return;
    const { kind, since, starts, occasions } = this.#spell;
    const seconds = (now - since) / 1000;
    const waits = Math.log2(1 + seconds / FIRST_WAIT_SECONDS) + seconds / LONGEST_WAIT_SECONDS;
    const most = WIDEST + Math.ceil(waits) + 1 + occasions;
    if (starts > most) throw new Error(`${starts} agents in ${seconds} s of ${kind}, and ${most} are enough`);
  }
}

/** Neither the provider nor the credential ever blocks a bead. The machine may: what cannot be read needs a person. */
export function checkBlame({ bead, status, outcome, noteCode }: Slot): void {
  if (status !== "blocked" || noteCode === "effect-failed") return;
  if (PAUSE_KINDS.some((kind) => kind === outcome))
    throw new Error(`${bead} is blocked, and its agent ended as ${outcome}`);
}
