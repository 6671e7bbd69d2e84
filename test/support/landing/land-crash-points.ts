import type { LandWorld } from "./land-crash.js";

export interface LandPoint {
  readonly point: string;
  readonly n: number;
}

/** On the way from an agent's commits to a request to land them; the same in every world. */
const BEFORE_LANDING = [
  "repo.candidate",
  "repo.sign",
  "repo.keep",
  "repo.range",
  "repo.describe",
  "folders.writeLaunch:stage `tidy`",
  "processes.start:plain/2",
  "repo.checkOut:-review",
  "processes.start:-review",
  "repo.dropCheckout:-review",
  "folders.writeReview",
  "folders.writeReport:review",
  "ledger.observe:slot.accepted",
  "ledger.observe:slot.reviewed",
  "ledger.observe:land.requested",
];

/** From the request to the end of it. */
const LANDING = [
  "repo.fetchBase",
  "repo.rebase",
  "folders.openGate",
  "gate.run",
  "folders.writeReport:gate",
  "ledger.observe:land.rebased",
  "ledger.observe:slot.refused",
  "folders.dropGates",
  "source.close",
  "repo.drop",
  "ledger.observe:land.settled",
];

/** How the default branch moves, and what is asked of the commits there. */
const MOVING: Readonly<Record<LandWorld, readonly string[]>> = {
  signed: ["repo.signatures", "receipts.write", "ledger.claimBeside:land.landed", "receipts.seen"],
  checkout: [
    "ledger.claim:land.intended",
    "repo.pushBase",
    "receipts.write",
    "receipts.push",
    "ledger.claim:land.landed",
  ],
  squashed: ["repo.squash", "ledger.observe:land.rebased", "repo.pushBase"],
};

/** Calls of which later ones mean something else: the candidate's, then the landing's, then after the push. */
const LATER: Readonly<Record<string, readonly number[]>> = {
  "repo.fetchBase": [1, 2, 3, 4],
  "repo.keep": [1, 2],
  "gate.run": [1, 2],
  "ledger.claimBeside:land.landed": [1, 2],
  "ledger.claim:land.intended": [1, 2],
  "repo.pushBase": [1, 2],
};

/** Every point of an engine that lands by itself. */
export function enginePoints(world: LandWorld): LandPoint[] {
  const shared = world === "squashed" ? [] : [...BEFORE_LANDING, ...LANDING];
  return numbered([...shared, ...MOVING[world]]);
}

/** Points of a person's `koryph land`, in whose course the gate's own calls count, too. */
const BY_HAND = [
  "repo.candidate",
  "repo.sign",
  "ledger.claim:land.requested",
  "repo.isDirty",
  "repo.keep",
  "repo.range",
  "repo.checkOut:-gate",
  "processes.start:gates",
  "repo.dropCheckout:-gate",
  ...LANDING.filter((point) => !/refused|writeReport/.test(point)),
  "ledger.share:now",
];

export function landPoints(world: LandWorld): LandPoint[] {
  // Of one bead: the branch moves for it once, and whoever is asked again sees no receipt of their own.
  const moving = MOVING[world].filter((point) => point !== "receipts.seen").map((point) => ({ point, n: 1 }));
  return world === "squashed" ? moving : [...numbered(BY_HAND), ...moving];
}

/** Those that leave something else for an engine to finish. */
export function landPointsForEngine(world: LandWorld): LandPoint[] {
  return landPoints(world).filter(({ point, n }) => n === 1 && LEAVES_MORE.test(point));
}

const LEAVES_MORE = /requested|rebased|gate\.run|intended|pushBase|landed|close|drop$/;

function numbered(points: readonly string[]): LandPoint[] {
  return points.flatMap((point) => (LATER[point] ?? [1]).map((n) => ({ point, n })));
}
