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
  const asked = request.labels
    .flatMap((label) => /^timeout:(\d+)$/.exec(label)?.[1] ?? [])
    .map(Number)
    .filter((seconds) => seconds > 0);
  if (asked.length > 0) {
    const seconds = Math.min(...asked);
    return { seconds: clamp(seconds), rationale: `label timeout:${seconds}` };
  }
  if (request.project !== undefined) return { seconds: clamp(request.project), rationale: "project" };
  if (request.machine !== undefined) return { seconds: clamp(request.machine), rationale: "machine" };
  return { seconds: DEFAULT_TIMEOUT_SECONDS, rationale: "default" };
}

function clamp(seconds: number): number {
  return Math.min(seconds, LONGEST_TIMEOUT_SECONDS);
}
