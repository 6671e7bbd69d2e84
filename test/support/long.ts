import { type TestAPI, test } from "vitest";

/** Whether this is `npm run test:long`, which has everything; `npm test` has a sample of each long suite. */
export const LONG = process.env.KORYPH_LONG !== undefined;

/** A test that only the long form has: a second story about what a shorter test holds already. */
export const longTest: ReturnType<TestAPI["runIf"]> = test.runIf(LONG);
