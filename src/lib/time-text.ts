const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** A span of time as people say it, in at most two units. A clock that was set back makes it 0s. */
export function durationText(ms: number): string {
  const span = Math.max(0, ms);
  if (span < MINUTE) return `${Math.floor(span / SECOND)}s`;
  if (span < HOUR) return two(span, [MINUTE, "m"], [SECOND, "s"]);
  if (span < DAY) return two(span, [HOUR, "h"], [MINUTE, "m"]);
  return two(span, [DAY, "d"], [HOUR, "h"]);
}

/** How long ago a recorded time is; the time itself where it cannot be read. */
export function agoText(at: string, now: number): string {
  const then = Date.parse(at);
  return Number.isNaN(then) ? at : `${durationText(now - then)} ago`;
}

/** The time of day where the machine is. */
export function clockText(ms: number): string {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(padded).join(":");
}

function two(span: number, [large, a]: readonly [number, string], [small, b]: readonly [number, string]) {
  return `${Math.floor(span / large)}${a} ${padded(Math.floor((span % large) / small))}${b}`;
}

function padded(number: number): string {
  return String(number).padStart(2, "0");
}
