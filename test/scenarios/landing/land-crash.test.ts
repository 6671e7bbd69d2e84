import { describe, test, vi } from "vitest";
import type { CrashPoint } from "../../support/engine/engine-crash.js";
import { playAll, playInARow } from "../../support/landing/land-crash-suite.js";
import { LONG } from "../../support/long.js";

// Many processes after one another; on a machine with other work each takes its time.
vi.setConfig({ testTimeout: 300_000 });

/** One point of each kind of step, in the order of a landing. */
const IN_A_ROW: readonly CrashPoint[] = [
  { point: "processes.start:plain/2", when: "after", n: 1 },
  { point: "repo.sign", when: "after", n: 1 },
  { point: "folders.writeReview", when: "before", n: 1 },
  { point: "ledger.observe:land.rebased", when: "before", n: 1 },
  { point: "gate.run", when: "after", n: 1 },
  { point: "ledger.claimBeside:land.landed", when: "after", n: 1 },
  { point: "repo.drop", when: "after", n: 1 },
];

/** Left out of the short form: others in the row die close by. */
const LONG_ONLY = [
  ...["processes.start:plain/2", "folders.writeReview", "ledger.observe:land.rebased"],
  "repo.drop",
];

test("with a remote and signatures, an engine killed again and again lands every bead once", () =>
  playInARow(
    "signed",
    IN_A_ROW.filter(({ point }) => LONG || !LONG_ONLY.includes(point)),
  ));

// In the long form: 34 labs with two deaths each, and four with one.
if (LONG) describe("with a remote and signatures", () => playAll("signed"));
