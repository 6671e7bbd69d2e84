import { expect, vi } from "vitest";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { pullSubject } from "../../../src/core/model/pull.js";
import { type AppWorld, REPOSITORY } from "../../support/app/app-world.js";
import { postsCheck } from "../../support/app/forged-proofs.js";
import {
  LANDING,
  landed,
  landingScenario,
  lands,
  last,
  movesBase,
  newestReceipt,
  opens,
  opensApproved,
  opensPushed,
  opensQueued,
  passes,
  tip,
  told,
} from "../../support/app/landing-stories.js";
import { cloneOf } from "../../support/app/signed-pulls.js";
import { sharedKey } from "../../support/git/ssh-keys.js";

vi.setConfig({ testTimeout: 120_000 });

landingScenario(
  "a fork's unmoved head lands; once the base has moved its author is asked",
  async (world) => {
    world.sandbox.addUser("ann");
    const fork = await world.sandbox.addFork(REPOSITORY, "ann");
    const name = `ann/${fork.name}`;
    const open = async (branch: string) => {
      const head = await world.sandbox.commit(name, branch, { [`${branch}.txt`]: "x\n" }, { author: "ann" });
      const { pull } = await opensPushed(world, `ann:${branch}`, head);
      await world.as("walter").says(pull, `/koryph approve ${head.slice(0, 12)}`);
      expect(last(world, pull)).toContain("is approved");
      return { pull, head };
    };
    const [one, two] = [await open("caps"), await open("hats")];
    await lands(world, one.pull, `/koryph land ${one.head.slice(0, 12)}`);
    expect(await tip(world)).toBe(one.head);
    await world.as("maria").says(two.pull, `/koryph land ${two.head.slice(0, 12)}`);
    await told(world, two.pull, /main has moved to.*base_moved/s);
    expect(await tip(world)).toBe(one.head);
    // Its author is given what to type, and the fork's branch is left to them.
    const typed = `git fetch ${world.sandbox.url}/${REPOSITORY} main && git rebase FETCH_HEAD && git push --force-with-lease`;
    expect(last(world, two.pull)).toContain(typed);
    expect(await world.sandbox.world.resolve(fork, "refs/heads/hats")).toBe(two.head);
  },
  { long: true },
);

landingScenario(
  "a check run that is a job of no run of this head proves nothing",
  async (world) => {
    const { pull, head } = await opens(world);
    const base = await tip(world);
    await world.as("walter").says(pull, "/koryph approve");
    await postsCheck(world, head);
    await world.as("maria").says(pull, "/koryph land");
    expect(last(world, pull)).toContain("is in the queue");
    expect((await world.state()).landings).toHaveLength(1);
    expect(await tip(world)).toBe(base);
  },
  { long: true },
);

for (const { name, kind } of [
  { name: "an answer that gets lost after the write", kind: { applyThen: 502 } },
  { name: "a write that GitHub turns away", kind: { status: 502 } },
])
  landingScenario(
    `${name} is neither a failure nor a second landing`,
    async (world) => {
      const { pull, head } = await opensQueued(world);
      expect(last(world, pull)).toContain("is in the queue");
      world.sandbox.faults.add({ operation: "git-receive-pack", times: 1, kind });
      await passes(world, head);
      // What is tried again later is tried when its time has come.
      world.clock.pass(60);
      await told(world, pull, /has landed, at/);
      expect(await tip(world)).toBe(head);
      expect(await landed(world)).toBe(1);
    },
    { long: true },
  );

const key = sharedKey();
const SIGNED = {
  project: { ...LANDING.project, signing: { required: true } },
  env: { KORYPH_SIGNING_KEY_PATH: key.path },
};

/** A commit that ann signs and pushes herself. */
async function pushesSigned(world: AppWorld, branch: string): Promise<string> {
  world.sandbox.setRole(REPOSITORY, "ann", "write");
  const ann = await cloneOf(world, "ann", key.path);
  await ann.commits(`${branch}.txt`, "red\n");
  return ann.pushes(`refs/heads/${branch}`);
}

landingScenario(
  "where signatures are required, only signers of the base branch land, also after a rebase",
  async (world) => {
    const loose = await opensApproved(world);
    await world.as("maria").says(loose.pull, "/koryph land");
    await told(world, loose.pull, /not signed.*unsigned_commit/s);

    const line = `ann@x.test namespaces="git" ${key.publicKey}\n`;
    await world.sandbox.commit(REPOSITORY, "main", { ".allowed_signers": line }, { author: "maria" });
    const { pull, head } = await opensPushed(world, "boots", await pushesSigned(world, "boots"));
    await world.as("walter").says(pull, "/koryph approve");
    await movesBase(world);
    await world.as("maria").says(pull, "/koryph land");
    const next = (await world.sandbox.world.resolve(world.repository, "refs/heads/boots")) ?? "";
    expect(next).not.toBe(head);
    await passes(world, next);
    await told(world, pull, /has landed, at/);
    expect(await tip(world)).toBe(next);
  },
  { ...SIGNED, long: true },
);

landingScenario(
  "a carried approval is in the receipt, too, where a crash came between the push and its record",
  async (world) => {
    const { pull, head } = await opensApproved(world);
    const from = await movesBase(world);
    await world.as("maria").says(pull, "/koryph land");
    await world.settled();
    const [landing] = (await world.state()).landings;
    const next = landing?.head ?? "";
    expect(next).not.toBe(head);
    // Another server announced the push, made it, and was gone.
    await world.record({
      ...{ type: "land.intended", bead: pullSubject(pull) },
      data: { request: landing?.id ?? "", from, head: next },
    });
    await runGit(world.repository.gitDir, ["update-ref", "refs/heads/main", next, from]);
    world.clock.pass(120);
    await told(world, pull, new RegExp(`has landed, at.*People approved .*${head.slice(0, 12)}`));
    expect(await newestReceipt(world)).toMatchObject({
      ...{ recovered: true, head: next, approvers: [{ login: "walter", head }] },
    });
  },
  { long: true },
);

landingScenario(
  "a pull request behind one that waits shows how it stands, and that it comes nearer",
  async (world) => {
    const first = await opens(world);
    const second = await opens(world, { branch: "hats" });
    const third = await opens(world, { branch: "caps" });
    for (const { pull } of [first, second, third]) {
      await world.as("walter").says(pull, "/koryph approve");
      await world.as("maria").says(pull, "/koryph land");
    }
    const status = async (pull: number, words: RegExp) => {
      // A burst of events is looked at once, at its end.
      world.clock.pass(10);
      await expect.poll(() => world.statuses(pull).join()).toMatch(words);
    };
    await status(second.pull, /is in the queue for `main` since .*, behind 1 other/);
    await status(third.pull, /behind 2 others/);
    // Somebody pushes to the second one: what was asked for is named, and what is there now is told.
    const pushed = await world.sandbox.commit(
      REPOSITORY,
      "hats",
      { "hats.txt": "green\n" },
      { author: "ann" },
    );
    await world.settled();
    await status(
      second.pull,
      new RegExp(`${second.head.slice(0, 12)}.* is in the queue[^]*${pushed.slice(0, 12)}[^]*head_moved`),
    );
    // The first one lands, the second is refused, and the third is next.
    await passes(world, first.head);
    await told(world, first.pull, /has landed, at/);
    await told(world, second.pull, /head_moved/);
    await status(third.pull, /in the queue for `main` since [^,]*;|rebased it on/);
    expect(last(world, third.pull)).toContain("is in the queue");
  },
  { long: true },
);
