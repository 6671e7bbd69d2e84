import type { PauseKind } from "../../model/pause-kind.js";

/**
 * Why no agent is started on a runtime. It belongs to the project, not to a bead or a run.
 *
 * | state            | entered by                                   | left by                                         |
 * |------------------|----------------------------------------------|-------------------------------------------------|
 * | waiting          | runtime.paused with a time                   | that time                                       |
 * | waiting for good | runtime.paused without a time                | run.started: whoever starts one may have mended it |
 * | due              | its time has come                            | slot.dispatching: that agent is the probe       |
 * | probed           | slot.dispatching of one agent                | runtime.paused by that agent, runtime.resumed   |
 */
export interface RuntimePause {
  runtime: string;
  /** Only this model of the runtime; null for all of them. */
  model: string | null;
  kind: PauseKind;
  /** What was said, in the program's or the provider's words. */
  detail: string;
  /** When it was last met. */
  at: string;
  /** In ms; null when it does not pass by itself. */
  until: number | null;
  /** How often in a row it was met by the agents that tried. */
  times: number;
  /** The bead whose agent tries whether it is over; null when none has been sent yet. */
  probe: string | null;
}

/** What an agent runs on. */
export interface RunsOn {
  readonly runtime: string;
  readonly model: string;
}

/** The pauses that keep such an agent back. */
export function pausesOf(pauses: readonly RuntimePause[], { runtime, model }: RunsOn): RuntimePause[] {
  return pauses.filter((pause) => pause.runtime === runtime && (pause.model ?? model) === model);
}
