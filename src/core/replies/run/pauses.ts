import { cutText } from "../../../lib/cut-text.js";
import { plainText } from "../../../lib/plain-text.js";
import type { PauseKind } from "../../model/pause-kind.js";
import type { RuntimePause } from "../../run/ledger/runtime-pause.js";
import { builtInRuntime } from "../../runtimes/runtimes.js";
import { bare, typed } from "../typed.js";

const KINDS: Readonly<Record<PauseKind, string>> = {
  limited: "rate limit",
  unavailable: "no answer from the provider",
  auth: "credential refused",
  billing: "nothing left to pay with",
  "unknown-model": "unknown model",
  "start-failed": "it could not be started",
};
const LONGEST = 300;

export function pauseKindText(kind: PauseKind): string {
  return KINDS[kind];
}

type Told = Pick<RuntimePause, "runtime" | "model" | "kind" | "until" | "detail">;

/** Which runtime starts nothing, why, and until when where that is known. */
export function pauseText({ runtime, model, kind, until, detail }: Told): string {
  const which = model === null ? plainText(runtime) : `${plainText(runtime)} with ${plainText(model)}`;
  const lasts = until === null || until <= 0 ? "" : ` until ${new Date(until).toISOString()}`;
  return cutText(`${which}: ${KINDS[kind]}${lasts}${detail === "" ? "" : `: ${plainText(detail)}`}`, LONGEST);
}

/** A line of `koryph status`. */
export function pausedLine(pause: RuntimePause): string {
  const { probe, until } = pause;
  const next =
    probe !== null
      ? `; the agent of ${plainText(probe)} tries whether it is over`
      : until === null
        ? `; ${bare(mendPause(pause))}`
        : until <= 0
          ? "; one agent tries whether it is over"
          : "";
  return `paused: ${pauseText(pause)}${next}`;
}

/** A line at the end of a run. */
export function pauseStep(pause: RuntimePause): string {
  return `  ${pauseText(pause)}${pause.until === null ? `; ${bare(mendPause(pause))}` : ""}`;
}

/** The next step of whoever has to mend it, its commands between backticks. */
export function mendPause({ runtime, kind }: Pick<RuntimePause, "runtime" | "kind">): string {
  const name = plainText(runtime);
  switch (kind) {
    case "auth": {
      const { anyOf = [] } = builtInRuntime(runtime)?.credentials ?? {};
      const where = anyOf.length === 0 ? `${name} its credential` : `${name} a credential that is accepted`;
      const names =
        anyOf.length === 0 ? "" : ` (${anyOf.slice(0, 3).join(", ")}${anyOf.length > 3 ? ", …" : ""})`;
      return `give ${where}${names}, then ${typed("koryph run --resume")}`;
    }
    case "billing":
      return `top up the account or raise its limit, then ${typed("koryph run --resume")}`;
    case "unknown-model":
      return "name a model that the account has in model_map, allowed_models or the bead's model: label, then `koryph run`";
    case "start-failed":
      return `start ${name} by hand to see what is wrong, then ${typed("koryph run --resume")}`;
    case "limited":
    case "unavailable":
      return `${typed("koryph run --resume")} tries again`;
  }
}

/** Said while a run is under way. */
export const pauseNews = {
  paused: (pause: Told): string =>
    pause.until === null
      ? `paused ${pauseText(pause)}; nothing more is started on it in this run`
      : `paused ${pauseText(pause)}; then one agent tries whether it is over`,
  resumed: (runtime: string): string => `${plainText(runtime)} answers again`,
};

/** A promise to programs, as docs/json.md describes it. */
export function pauseJson({ runtime, model, kind, until, detail, times }: RuntimePause) {
  return {
    runtime,
    model,
    kind,
    until: until === null || until <= 0 ? null : new Date(until).toISOString(),
    needs_person: until === null,
    detail,
    times,
  };
}
