const DEFAULT_TIMEOUT_SECONDS = 1200;
const LONGEST_TIMEOUT_SECONDS = 30 * 24 * 3600;

export interface TimeoutRequest {
  readonly labels: readonly string[];
  /** What the project file says for this stage. */
  readonly project?: number | undefined;
  /** What the machine's own settings say. */
  readonly machine?: number | undefined;
}

export interface TimeoutChoice {
  readonly seconds: number;
  readonly rationale: string;
}

/** Wall-clock limit of one agent stage. Of several `timeout:` labels the shortest counts. */
export function resolveTimeout(request: TimeoutRequest): TimeoutChoice {
  let asked = Number.POSITIVE_INFINITY;
  let labelled = false;
  for (const label of request.labels) {
    const digits = /^timeout:0*([1-9]\d*)$/.exec(label)?.[1];
    if (digits === undefined) continue;
    labelled = true;
    asked = Math.min(asked, Number(digits));
  }
  if (labelled) return { seconds: clamp(asked), rationale: `label timeout:${readable(asked)}` };
  if (request.project !== undefined) return { seconds: clamp(request.project), rationale: "project" };
  if (request.machine !== undefined) return { seconds: clamp(request.machine), rationale: "machine" };
  return { seconds: DEFAULT_TIMEOUT_SECONDS, rationale: "default" };
}

/** A number with more digits than any clock counts is only said to be too long. */
function readable(seconds: number): string {
  return Number.isSafeInteger(seconds) ? `${seconds}` : `more than ${LONGEST_TIMEOUT_SECONDS}`;
}

function clamp(seconds: number): number {
  return Math.min(seconds, LONGEST_TIMEOUT_SECONDS);
}
