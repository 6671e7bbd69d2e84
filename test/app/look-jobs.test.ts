import { expect, test } from "vitest";
import { LookJobs } from "../../src/app/pulls/look-jobs.js";
import { LANDING_CHECK } from "../../src/core/replies/land/pull/landing-check.js";
import { MemoryInbox } from "../support/app/memory-inbox.js";
import { sha } from "../support/core/slots.js";

const APP = 42;
const place = { installation: 3, repository: { fullName: "team/shop", id: 1 } };
const check = (app: number, ended: string | null = sha("2"), name: string | null = LANDING_CHECK) => ({
  ...{ ...place, app, ended, name },
});

function looks(known: Readonly<Record<string, string>> = {}) {
  const inbox = new MemoryInbox();
  const clock = { now: 100_500 };
  const memory = { decided: async (key: string) => known[key] ?? null, decide: async () => {} };
  const jobs = new LookJobs({ inbox, memory, onAdded: () => {}, app: APP, now: () => clock.now });
  return { jobs, inbox, clock };
}

const SHOWN = { [`shown 1 ${sha("2")}`]: "7", "shown 1 7": "{}" };

test("a burst of checks makes one look, and a later one another", async () => {
  const { jobs, inbox, clock } = looks(SHOWN);
  for (let at = 0; at < 30; at += 1) {
    clock.now += 100;
    await jobs.onCheck(check(5));
  }
  expect(inbox.jobs.map(({ notBefore }) => notBefore)).toEqual([120_000]);
  clock.now = 121_000;
  await jobs.onCheck(check(5));
  expect(inbox.jobs.map(({ notBefore }) => notBefore)).toEqual([120_000, 180_000]);
});

test.each<{ name: string; act: (jobs: LookJobs) => Promise<void>; added: number }>([
  { name: "koryph's own check run leads to nothing", act: (jobs) => jobs.onCheck(check(APP)), added: 0 },
  { name: "nor does its suite", act: (jobs) => jobs.onCheck(check(APP, sha("2"), null)), added: 0 },
  {
    name: "another check run of koryph's is looked at like anybody's",
    act: (jobs) => jobs.onCheck(check(APP, sha("2"), "koryph / review")),
    added: 1,
  },
  { name: "nor does a check that has not ended", act: (jobs) => jobs.onCheck(check(5, null)), added: 0 },
  {
    name: "nor one of a head that koryph shows nothing on",
    act: (jobs) => jobs.onCheck(check(5, sha("3"))),
    added: 0,
  },
  {
    name: "nor what happens on a pull request that koryph has nothing to do with",
    act: (jobs) => jobs.onPull({ ...place, pull: 8, bead: null }),
    added: 0,
  },
  {
    name: "a pull request with a bead's work is koryph's own",
    act: (jobs) => jobs.onPull({ ...place, pull: 8, bead: "gh-1" }),
    added: 1,
  },
  {
    name: "so is one on which something was shown",
    act: (jobs) => jobs.onPull({ ...place, pull: 7, bead: null }),
    added: 1,
  },
])("$name", async ({ act, added }) => {
  const { jobs, inbox } = looks(SHOWN);
  await act(jobs);
  expect(inbox.jobs).toHaveLength(added);
});
