import { expect, test } from "vitest";
import { type Breaker, isProbe, promoteBreaker } from "../../../src/core/govern/breaker.js";
import { HOUR, MINUTE, NOON } from "../../support/core/governor.js";

const open = (times: number): Breaker => ({ state: "open", since: NOON, times });
const probe = { project: "p", bead: "b-1", since: NOON };
const halfOpen = (times = 1): Breaker => ({ state: "half-open", times, probe: null });
const probed = (times = 1): Breaker => ({ state: "half-open", times, probe });

test.each<{ name: string; given: Breaker; after: number; becomes: Breaker }>([
  { name: "a closed one stays so", given: { state: "closed" }, after: HOUR, becomes: { state: "closed" } },
  { name: "an open one waits", given: open(1), after: 5 * MINUTE - 1, becomes: open(1) },
  { name: "for five minutes", given: open(1), after: 5 * MINUTE, becomes: halfOpen() },
  { name: "the second time twice as long", given: open(2), after: 10 * MINUTE - 1, becomes: open(2) },
  { name: "and then lets a probe through", given: open(2), after: 10 * MINUTE, becomes: halfOpen(2) },
  { name: "for an hour at most", given: open(5), after: HOUR - 1, becomes: open(5) },
  { name: "however often it opened", given: open(5000), after: HOUR, becomes: halfOpen(5000) },
  { name: "a half-open one waits for a probe", given: halfOpen(), after: 1000 * HOUR, becomes: halfOpen() },
  { name: "a probe has half an hour", given: probed(), after: 30 * MINUTE - 1, becomes: probed() },
  {
    name: "a silent one opens it again",
    given: probed(),
    after: 30 * MINUTE,
    becomes: { state: "open", since: NOON + 30 * MINUTE, times: 2 },
  },
  {
    name: "from when it was silent, though nobody looked",
    given: probed(),
    after: 40 * MINUTE - 1,
    becomes: { state: "open", since: NOON + 30 * MINUTE, times: 2 },
  },
  { name: "so that the next probe may be due", given: probed(), after: 40 * MINUTE, becomes: halfOpen(2) },
])("$name", ({ given, after, becomes }) => {
  expect(promoteBreaker(given, NOON + after)).toEqual(becomes);
});

test.each<{ name: string; breaker?: Breaker; project?: string; bead?: string; expected: boolean }>([
  { name: "the probe is the probe", expected: true },
  { name: "an agent of its project without a name counts as the probe", bead: "", expected: true },
  { name: "another bead is not the probe", bead: "b-2", expected: false },
  { name: "the same bead of another project is not", project: "q", expected: false },
  { name: "another project's agent without a name is not", project: "q", bead: "", expected: false },
  { name: "before one is sent there is none", breaker: halfOpen(), expected: false },
  { name: "an open breaker has none", breaker: open(1), expected: false },
])("$name", ({ breaker = probed(), project = "p", bead = "b-1", expected }) => {
  expect(isProbe(breaker, { project, bead })).toBe(expected);
});
