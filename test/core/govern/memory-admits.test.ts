import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type MemoryAnswer,
  type MemoryRequest,
  memoryAdmits,
} from "../../../src/core/govern/memory-admits.js";
import { MINUTE, NOON } from "../../support/core/governor.js";

const admit: MemoryAnswer = { kind: "admit", measured: true };
const ramping = (memoryMb: number, ago: number) => ({ memoryMb, grantedAt: NOON - ago });

/** Beside an agent that has grown: of 16 GiB a floor of 2048 stays free, and an agent of 1536 just fits. */
const base: MemoryRequest = {
  availableMb: 3584,
  totalMb: 16_384,
  floorMb: null,
  leases: [ramping(1536, 10 * MINUTE)],
  now: NOON,
};

test.each<{ name: string; given: Partial<MemoryRequest>; answer: MemoryAnswer }>([
  { name: "an agent fits that leaves the floor free", given: {}, answer: admit },
  {
    name: "one that does not is too large",
    given: { availableMb: 3583 },
    answer: { kind: "candidate-too-large", candidateMb: 1536, leftMb: 1535 },
  },
  { name: "a smaller one may fit", given: { availableMb: 3583, candidateMb: 1535 }, answer: admit },
  {
    name: "one that says that it is larger may not",
    given: { candidateMb: 1537 },
    answer: { kind: "candidate-too-large", candidateMb: 1537, leftMb: 1536 },
  },
  {
    name: "or none, where no more than the floor is free",
    given: { availableMb: 2048 },
    answer: { kind: "candidate-too-large", candidateMb: 1536, leftMb: 0 },
  },
  {
    name: "nobody fits where the floor is not free",
    given: { availableMb: 2047, candidateMb: 0 },
    answer: { kind: "floor-breach", leftMb: -1, floorMb: 2048, askAgainAt: null },
  },
  {
    name: "an agent that grows has its memory kept for it",
    given: { leases: [ramping(1, 10 * MINUTE - 1)] },
    answer: { kind: "candidate-too-large", candidateMb: 1536, leftMb: 1535 },
  },
  { name: "ten minutes later it has grown", given: { leases: [ramping(4000, 10 * MINUTE)] }, answer: admit },
  {
    name: "several that grow tell when the first has grown",
    given: { leases: [ramping(1536, MINUTE), ramping(1536, 4 * MINUTE), ramping(9, 11 * MINUTE)] },
    answer: { kind: "floor-breach", leftMb: -1536, floorMb: 2048, askAgainAt: NOON + 6 * MINUTE },
  },
  {
    name: "a floor that was set holds",
    given: { floorMb: 2049 },
    answer: { kind: "candidate-too-large", candidateMb: 1536, leftMb: 1535 },
  },
  { name: "even one of nothing", given: { floorMb: 0, availableMb: 1536 }, answer: admit },
  {
    name: "a small machine keeps 1 GiB free",
    given: { totalMb: 4096, availableMb: 1023 },
    answer: { kind: "floor-breach", leftMb: -1, floorMb: 1024, askAgainAt: null },
  },
  {
    name: "a large one 8 GiB",
    given: { totalMb: 512_000, availableMb: 8191 },
    answer: { kind: "floor-breach", leftMb: -1, floorMb: 8192, askAgainAt: null },
  },
  {
    name: "one whose size nobody knows 2 GiB",
    given: { totalMb: null, availableMb: 2047 },
    answer: { kind: "floor-breach", leftMb: -1, floorMb: 2048, askAgainAt: null },
  },
  {
    name: "the only agent is let in although the floor is not free",
    given: { availableMb: 0, leases: [] },
    answer: admit,
  },
  {
    name: "also one that says what it needs, if the machine has that",
    given: { availableMb: 0, candidateMb: 16_384, leases: [] },
    answer: admit,
  },
  {
    name: "but none that needs more than the machine has",
    given: { candidateMb: 16_385, leases: [] },
    answer: { kind: "candidate-too-large", candidateMb: 16_385, leftMb: 16_384 },
  },
  {
    name: "without a measurement an agent is admitted, and it is said",
    given: { availableMb: null, candidateMb: 1e9 },
    answer: { kind: "admit", measured: false },
  },
])("$name", ({ given, answer }) => {
  expect(memoryAdmits({ ...base, ...given })).toEqual(answer);
});

test("what is admitted beside others leaves the floor free beside all that still grow", () => {
  const megabytes = fc.nat({ max: 70_000 });
  const leases = fc.array(
    fc
      .record({ memoryMb: megabytes, ago: fc.nat({ max: 20 * MINUTE }) })
      .map(({ memoryMb, ago }) => ramping(memoryMb, ago)),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(megabytes, megabytes, megabytes, leases, (availableMb, floorMb, candidateMb, held) => {
      const answer = memoryAdmits({ ...base, availableMb, floorMb, candidateMb, leases: held });
      const growing = held.filter(({ grantedAt }) => NOON - grantedAt < 10 * MINUTE);
      const free = growing.reduce((left, { memoryMb }) => left - memoryMb, availableMb - candidateMb);
      expect(answer.kind === "admit").toBe(free >= floorMb);
    }),
  );
});
