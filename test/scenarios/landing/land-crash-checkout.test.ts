import { describe, vi } from "vitest";
import type { CrashPoint } from "../../support/engine/engine-crash.js";
import { playAll, playInARow } from "../../support/landing/land-crash-suite.js";
import { LONG, longTest } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 300_000 });

/** Intention, push, record: the three writes of a landing that cannot be one. */
const IN_A_ROW: readonly CrashPoint[] = [
  { point: "ledger.claim:land.intended", when: "after", n: 1 },
  { point: "repo.pushBase", when: "after", n: 1 },
  { point: "receipts.push", when: "after", n: 1 },
  { point: "ledger.claim:land.landed", when: "after", n: 1 },
];

longTest("without a remote, an engine killed again and again around a push lands every bead once", () =>
  playInARow("checkout", IN_A_ROW),
);

// In the long form: 40 labs with two deaths each, and eight with one.
if (LONG) {
  describe("without a remote", () => playAll("checkout"));
  describe("without a remote, one commit for each bead", () => playAll("squashed"));
}
