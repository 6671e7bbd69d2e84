import type { AgentEnd, Judged, LeftBehind } from "../core/model/agent-end.js";
import { placeOf } from "../core/run/ledger/place-of.js";
import type { Slot } from "../core/run/ledger/slot.js";
import { hasAgent } from "../core/run/ledger/slot-groups.js";
import type { Accepted, Checked, SlotObservation } from "../core/run/tick/tick-facts.js";
import { isAnswer, type Outcome, type StreamParser } from "../core/runtimes/agent-outcome.js";
import type { AnnouncedPush } from "../landing/refuse-broken.js";
import type { ExitInfo } from "../ports/agent-processes.js";
import type { EngineParts } from "./engine-parts.js";
import { markerOf } from "./marker.js";

/** What the engine learnt about an attempt and would have to ask for again after a crash. */
export interface Knowledge extends AnnouncedPush {
  claim: "ours" | "taken" | "gone" | "unreleased" | null;
  left: LeftBehind | null;
  /** The attempt ended before a process could be started. */
  failed: AgentEnd | null;
  outcome: Outcome | null;
  judged: Judged | null;
  accepted: Accepted | null;
  checked: Checked | null;
  /** How far the output of an agent that is alive was read, and whether the model has answered it. */
  heard: { readonly parser: StreamParser; from: number; answered: boolean } | null;
  signals: { signal: "SIGINT" | "SIGTERM" | "SIGKILL"; at: number }[];
  stoppingSince: number | null;
}

export class SlotObservations {
  readonly #parts: EngineParts;
  readonly #known = new Map<string, Knowledge>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  known(slot: Slot): Knowledge {
    const key = markerOf(slot);
    const there = this.#known.get(key);
    if (there) return there;
    const fresh: Knowledge = {
      claim: null,
      left: null,
      failed: null,
      outcome: null,
      judged: null,
      accepted: null,
      checked: null,
      heard: null,
      signals: [],
      stoppingSince: null,
      announced: null,
    };
    this.#known.set(key, fresh);
    return fresh;
  }

  /** All slots that something may have happened to, by bead; those whose agent probes a pause are listened to. */
  async lookAt(
    slots: readonly Slot[],
    pauses: readonly { readonly probe: string | null }[],
  ): Promise<Map<string, SlotObservation>> {
    const probes = new Set(pauses.map(({ probe }) => probe));
    const looked = slots.filter((slot) => hasAgent(slot) || slot.status === "passed");
    const looks = looked.map(
      async (slot) => [slot.bead, await this.look(slot, probes.has(slot.bead))] as const,
    );
    return new Map(await Promise.all(looks));
  }

  /** With `listen`, of an agent that is alive, whether the model has answered it. */
  async look(slot: Slot, listen = false): Promise<SlotObservation> {
    const known = this.known(slot);
    const place = placeOf(slot);
    const { processes, folders, worktrees } = this.#parts;
    // Before the processes are asked: a start that fails only after that may have started the agent all the same.
    const { failed } = known;
    const status = await processes.status(folders.folder(place));
    const { claim, left, judged, accepted, checked } = known;
    const observation = { claim, left, judged, accepted, checked };
    if (slot.status === "passed") return { ...observation, worktree: "ready", process: { kind: "none" } };
    if (status.kind === "alive") {
      const answered = listen && (await this.#hears(slot).catch(() => false));
      return { ...observation, worktree: "ready", process: { ...status, answered } };
    }
    if (status.kind === "ended") {
      // Files that were there at the start and make no sense now cannot tell how it ended; git still can.
      known.outcome ??= await this.#outcome(slot, status.exit).catch(() => unknownEnd(slot));
      return { ...observation, worktree: "ready", process: { kind: "ended", end: known.outcome } };
    }
    if (failed !== null)
      return { ...observation, worktree: "absent", process: { kind: "ended", end: failed } };
    const prepared =
      (await folders.readPrepared(place)) !== null &&
      (slot.task === "review" || (await worktrees.state(slot.bead)) === "ready");
    return { ...observation, worktree: prepared ? "ready" : "unfinished", process: { kind: "none" } };
  }

  /** Reads on in the agent's output until it shows an answer. */
  async #hears(slot: Slot): Promise<boolean> {
    const { folders, runtime } = this.#parts;
    const known = this.known(slot);
    const place = placeOf(slot);
    const launch = known.heard === null ? await folders.readLaunch(place) : null;
    if (launch !== null)
      known.heard = {
        parser: runtime(slot.runtime).parser(launch.spec, launch.probe),
        from: 0,
        answered: false,
      };
    const { heard } = known;
    while (heard !== null && !heard.answered) {
      const { lines, next } = await folders.readOutput(place, heard.from);
      heard.answered = lines.some((line) => heard.parser.push(line).some(isAnswer));
      if (next === heard.from) break;
      heard.from = next;
    }
    return heard?.answered ?? false;
  }

  /** Replays the agent's whole output: the parser is pure, so it says the same after a crash. */
  async #outcome(slot: Slot, exit: ExitInfo): Promise<Outcome> {
    const { folders, runtime } = this.#parts;
    const place = placeOf(slot);
    const launch = await folders.readLaunch(place);
    if (launch === null) return unknownEnd(slot);
    const parser = runtime(slot.runtime).parser(launch.spec, launch.probe);
    let answered = false;
    for (let from = 0; ; ) {
      const { lines, next } = await folders.readOutput(place, from, true);
      for (const line of lines) if (parser.push(line).some(isAnswer)) answered = true;
      if (next === from) break;
      from = next;
    }
    const stderr = await folders.readErrors(place);
    return { ...parser.end({ ...exit, stopping: slot.stopping !== null, stderr }), answered };
  }
}

function unknownEnd(slot: Slot): Outcome {
  return {
    kind: "lost",
    detail: "what it was launched with cannot be read",
    session: slot.session,
    text: "",
    structured: null,
    denials: [],
    costUsd: slot.estimateUsd,
    costKnown: false,
    retryAt: null,
  };
}
