import type { Bead, BeadId } from "../../src/core/model/bead.js";
import type { InFlight } from "../../src/core/schedule/build-wave.js";
import { footprintOf } from "../../src/core/schedule/footprint.js";

const TOKENS = 300;

/** The same numbers on every machine and in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function labels(pick: (below: number) => number): string[] {
  // One bead in ten says nothing; the others write one or two tokens and often read one.
  if (pick(10) === 0) return [];
  const own = [`fp:t${pick(TOKENS)}`];
  if (pick(2) === 0) own.push(`fp:t${pick(TOKENS)}`);
  if (pick(3) > 0) own.push(`fp:read:t${pick(TOKENS)}`);
  return own;
}

/** One bead in ten waits for an earlier one, for the audit; the frontier of a wave has no open blockers. */
export function backlog(size: number, { withBlockers = false } = {}): Bead[] {
  const pick = numbers(size);
  return Array.from({ length: size }, (_, index) => ({
    id: `b-${index}` as BeadId,
    title: `Bead number ${index} of a large backlog`,
    description: "What is wanted, in a sentence or two, as long as such texts usually are in a tracker.",
    acceptance: "",
    status: "open",
    priority: pick(5),
    type: "task",
    labels: labels(pick),
    assignee: "",
    parent: null,
    blockers: withBlockers && index > 0 && pick(10) === 0 ? [`b-${pick(index)}` as BeadId] : [],
  }));
}

export function flying(count: number): InFlight[] {
  const pick = numbers(7);
  return Array.from({ length: count }, (_, index) => ({
    id: `f-${index}`,
    footprint: footprintOf([`fp:t${pick(TOKENS)}`, `fp:read:t${pick(TOKENS)}`], {}),
  }));
}
