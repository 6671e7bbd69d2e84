import { liveLines } from "../../core/replies/run/live-lines.js";
import type { Slot } from "../../core/run/ledger/slot.js";
import { hasAgent } from "../../core/run/ledger/slot-groups.js";
import { markerOf } from "../../engine/marker.js";
import { cutToWidth } from "../../lib/display-width.js";
import type { Paint } from "../../lib/paint.js";
import { DEFAULT_BRANCH, type LandingClock } from "../../wiring/news/landing-clock.js";
import type { WiredProject } from "../../wiring/wire-project.js";
import type { LiveArea } from "../text/live-area.js";
import { AgentOutput } from "./agent-output.js";

const EVERY_MS = 1_000;
/** An agent that floods its output is not read to the end: its engine has more to do. */
const PIECES = 2;

interface RunScreen {
  readonly screen: LiveArea;
  readonly paint: Paint;
  readonly clock: LandingClock;
}

/** Keeps a view of the run's slots on the terminal until it is called back. */
export function watchRun(
  project: WiredProject,
  { screen, paint, clock }: RunScreen,
  slots: () => readonly Slot[],
): () => void {
  const words = new LastWords(project);
  const word = (slot: Slot) => words.of(slot) || clock.of(slot.bead, Date.now()).join("; ");
  const draw = () =>
    screen.show((size) => [
      ...clock.of(DEFAULT_BRANCH, Date.now()).map((line) => paint.faint(cutToWidth(line, size.columns - 1))),
      ...liveLines({ slots: slots(), word, now: Date.now() }, size, paint),
    ]);
  const timer = setInterval(() => {
    // What an agent wrote may be unreadable for a moment; the view is not worth a word about it.
    void words
      .refresh(slots().filter(hasAgent))
      .catch(() => {})
      .then(() => {
        if (timer.hasRef()) draw();
      });
  }, EVERY_MS);
  draw();
  return () => {
    timer.unref();
    clearInterval(timer);
    screen.close();
  };
}

/** What each agent at work printed last. */
class LastWords {
  readonly #project: WiredProject;
  readonly #outputs = new Map<string, AgentOutput>();
  readonly #said = new Map<string, string>();
  #reading = false;

  constructor(project: WiredProject) {
    this.#project = project;
  }

  of(slot: Slot): string {
    return hasAgent(slot) ? (this.#said.get(markerOf(slot)) ?? "") : "";
  }

  async refresh(slots: readonly Slot[]): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      for (const slot of slots) await this.#read(slot);
    } finally {
      this.#reading = false;
    }
  }

  async #read(slot: Slot): Promise<void> {
    const marker = markerOf(slot);
    const output = this.#outputs.get(marker) ?? (await AgentOutput.open(this.#project, slot));
    if (output === null) return;
    this.#outputs.set(marker, output);
    const last = (await output.more(1, { pieces: PIECES })).at(-1);
    if (last !== undefined) this.#said.set(marker, last);
  }
}
