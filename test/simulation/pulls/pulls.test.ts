import { test } from "vitest";
import { playSeeds } from "../play-seeds.js";
import type { PullSimOptions } from "./pull-world.js";
import { simulatePulls } from "./simulate-pulls.js";

const WORLDS: readonly (Omit<PullSimOptions, "seed"> & { name: string })[] = [
  { name: "people, the App and terminals", crashPercent: 0, rewinds: false },
  { name: "an App that crashes anywhere", crashPercent: 1, rewinds: false },
  { name: "a ledger that is rewound", crashPercent: 1, rewinds: true },
];

test.each(WORLDS)(
  "$name: nothing lands that was not approved and green in exactly that form, and every landing has one receipt",
  { timeout: 3_600_000 },
  ({ name, ...world }) =>
    playSeeds(name, { long: 200, short: 1 }, (seed) => simulatePulls({ ...world, seed })),
);
