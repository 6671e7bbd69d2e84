import type { Sandbox } from "../../../src/sandbox/sandbox.js";

/** A fifth of all requests to the API fails: 503, a secondary limit, or done and then denied. What it returns ends it. */
export function storm({ faults }: Sandbox): () => void {
  let seed = 7;
  const meet = faults.meet.bind(faults);
  const met: typeof meet = (operation, does) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    if (operation.startsWith("git") || seed % 5 !== 0) return meet(operation, does);
    if (does === "changes" && seed % 2 === 0) return { applyThen: 502 };
    return seed % 3 === 0 ? { status: 403, secondary: true } : { status: 503 };
  };
  Object.assign(faults, { meet: met });
  return () => void Object.assign(faults, { meet });
}
