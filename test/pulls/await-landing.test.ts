import { expect, test } from "vitest";
import type { PullRefusal } from "../../src/core/land/pull/pull-refusal.js";
import { OutsideFault } from "../../src/ports/outside-fault.js";
import { awaitLanding } from "../../src/pulls/await-landing.js";
import type { PullLandEnd } from "../../src/pulls/land-pull.js";

const landed: PullLandEnd = { kind: "landed", head: "1" };
const pending: PullRefusal = { code: "check_pending", checks: [{ name: "test", state: "queued" }] };
const unseen: PullRefusal = { code: "head_not_shown", head: "1" };
const waits = (...unmet: PullRefusal[]): PullLandEnd => ({ kind: "waiting", unmet });

type Look = PullLandEnd | null | "fault" | "broken" | "interrupt";

/** Looks in order; what was slept between them, in seconds, and how it ended. */
async function awaited(looks: readonly Look[]) {
  const left = [...looks];
  const slept: number[] = [];
  const told: string[] = [];
  const abort = new AbortController();
  let now = 0;
  const look = async () => {
    const next = left.shift();
    if (next === undefined) return landed;
    if (next === "fault") throw new OutsideFault({ message: "GitHub does not answer", hint: "" });
    if (next === "broken") throw new Error("broken");
    if (next !== "interrupt") return next;
    abort.abort();
    return waits(pending);
  };
  const end = await awaitLanding({
    look,
    waiting: (unmet) => told.push(unmet.map(({ code }) => code).join(" ")),
    pause: async (ms) => {
      slept.push(ms / 1_000);
      now += ms;
    },
    now: () => now,
    abort: abort.signal,
  }).catch((error: Error) => ({ kind: error.message }) as const);
  return { end: end.kind, slept, told };
}

test.each<{ name: string; looks: Look[]; end: string; slept: number[] }>([
  { name: "what lands at once is not waited for", looks: [landed], end: "landed", slept: [] },
  { name: "a held one is told at once", looks: [{ kind: "held" }], end: "held", slept: [] },
  { name: "GitHub shows a head soon", looks: [waits(unseen)], end: "landed", slept: [2] },
  {
    name: "checks take longer",
    looks: [waits(pending), waits(unseen, pending)],
    end: "landed",
    slept: [15, 15],
  },
  {
    name: "another landing of this machine is over any moment",
    looks: [null, null],
    end: "landed",
    slept: [0.3, 0.3],
  },
  {
    name: "an interrupt leaves it where it is",
    looks: [waits(pending), "interrupt"],
    end: "stopped",
    slept: [15, 15],
  },
  {
    name: "a first failure is the command's own",
    looks: ["fault"],
    end: "GitHub does not answer",
    slept: [],
  },
  { name: "one during a long wait passes", looks: [waits(pending), "fault"], end: "landed", slept: [15, 60] },
  {
    name: "not without end",
    looks: [waits(pending), ...Array<Look>(6).fill("fault")],
    end: "GitHub does not answer",
    slept: [15, 60, 60, 60, 60, 60],
  },
  { name: "what is broken ends it", looks: [waits(pending), "broken"], end: "broken", slept: [15] },
])("$name", async ({ looks, end, slept }) => {
  expect(await awaited(looks)).toMatchObject({ end, slept });
});

test("whoever has waited for five minutes asks once a minute", async () => {
  const { slept, told } = await awaited(Array<Look>(23).fill(waits(pending)));
  expect(slept.slice(-3)).toEqual([60, 60, 60]);
  expect(told).toHaveLength(23);
});
