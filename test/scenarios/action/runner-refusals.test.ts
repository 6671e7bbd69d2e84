import { expect, vi } from "vitest";
import { type AppWorld, REPOSITORY, scenariosInOneWorld } from "../../support/app/app-world.js";
import {
  landed,
  last,
  movesBase,
  opens,
  opensPushed,
  passes,
  tip,
} from "../../support/app/landing-stories.js";
import { type ReadRefusal, reads, refusesToLand, ruledBy } from "../../support/app/refusal-stories.js";
import { runIds, runOf, setUpJobs } from "../../support/app/runner-stories.js";
import { cloneOf } from "../../support/app/signed-pulls.js";
import { sharedKey } from "../../support/git/ssh-keys.js";

vi.setConfig({ testTimeout: 120_000 });

const LONG = { long: true };
const [anns, runners] = [sharedKey(), sharedKey()];
const SIGNERS = [
  `ann@x.test namespaces="git" ${anns.publicKey}`,
  `r@x.test namespaces="git" ${runners.publicKey}`,
];

/** A project whose landings ask runners. */
const project = (jobs: Record<string, unknown>, gate = "run") => ({
  ...{ project: { jobs: { workflow: "koryph.yml", minutes: 5, ...jobs }, land: { gate } } },
  files: { ".allowed_signers": `${SIGNERS.join("\n")}\n` },
});

const asked = scenariosInOneWorld({}, async (world) => {
  world.sandbox.addUser("ann");
  world.sandbox.setRole(REPOSITORY, "ann", "write");
  ruledBy(world, []);
});
let count = 0;

/** A pull request that lacks nothing but the gate. */
async function green(world: AppWorld) {
  count += 1;
  const opened = await opens(world, { branch: `shoes-${count}`, parent: (await tip(world)) ?? "" });
  await passes(world, opened.head);
  return opened;
}

const newest = (world: AppWorld) => runIds(world).at(-1) ?? 0;

asked(
  "a workflow that is not there, and a project that names another App",
  async (world) => {
    await setUpJobs(world, project({ workflow: "gone.yml", kinds: ["gate"] }));
    const { pull } = await green(world);
    await refusesToLand(world, pull, {
      code: "runner_refused",
      found: /GitHub does not start .*gone\.yml.* \(404\)/,
      need: /that workflow on the default branch, with workflow_dispatch/,
      next: /put it there, then `\/koryph land`/,
    });
    await setUpJobs(world, project({ app: "others-koryph", kinds: ["gate"] }));
    await refusesToLand(world, (await green(world)).pull, {
      code: "other_app",
      found: /jobs\.app names .*others-koryph.*, and this App is .*koryph/,
      need: /below jobs in koryph\.project\.json on the default branch/,
      next: /change it there, then `\/koryph land`/,
    });
    expect(runIds(world)).toEqual([]);
  },
  LONG,
);

asked(
  "a gate that no runner runs is asked for twice, and shown as asked for; then the landing is over",
  async (world) => {
    await setUpJobs(world, project({ kinds: ["gate"] }));
    const { pull } = await green(world);
    const before = { base: await tip(world), landed: await landed(world) };
    await world.as("maria").says(pull, "/koryph land");
    const first = newest(world);
    expect(world.statuses(pull)).toEqual([
      expect.stringMatching(/a runner was asked to run the gate on this head: \[its run\].*runner_asked/s),
    ]);
    world.clock.pass(330);
    await world.settled();
    expect(newest(world)).not.toBe(first);
    world.clock.pass(330);
    const silent = {
      code: "runner_silent",
      found: /no runner did gate in its time, although it was asked twice/,
      need: /a runner that takes the job/,
      next: /see whether there is one with the label that the workflow asks for, then `\/koryph land`/,
    };
    await reads(world, pull, silent, before);
    // Whatever the runs come to now, nobody waits for them.
    await world.sandbox.completeRun(REPOSITORY, first, { gate: "success" });
    await world.settled();
    expect(await tip(world)).toBe(before.base);
  },
  LONG,
);

const FAILED: ReadRefusal = {
  code: "runner_failed",
  found: /the runner that was asked to run the gate on this head did not end with success/,
  need: /a workflow job called gate that ends with success in that very run/,
  next: /its log says why; then `\/koryph land`/,
};

asked(
  "a run that ended well is not believed off the default branch or by another's hand",
  async (world) => {
    await setUpJobs(world, project({ kinds: ["gate"] }));
    await world.sandbox.commit(REPOSITORY, "side", { "side.txt": "x\n" }, { author: "ann" });
    const side = (await world.sandbox.world.resolve(world.repository, "refs/heads/side")) ?? "";
    for (const forged of [{ headBranch: "side" }, { headSha: side }, { actor: "ann" }]) {
      const { pull } = await green(world);
      const before = { base: await tip(world), landed: await landed(world) };
      await world.as("maria").says(pull, "/koryph land");
      const run = world.repository.workflowRuns.find(({ id }) => id === newest(world));
      expect(Object.keys(run ?? {})).toEqual(expect.arrayContaining(Object.keys(forged)));
      Object.assign(run ?? {}, forged);
      await world.sandbox.completeRun(REPOSITORY, newest(world), { gate: "success" });
      await reads(world, pull, FAILED, before);
    }
  },
  LONG,
);

asked(
  "a job's ref with another tree, another author or another base is not what was approved",
  async (world) => {
    await setUpJobs(world, project({ kinds: ["rebase"] }, "checks"));
    const ann = await cloneOf(world, "ann", anns.path);
    await ann.commits("boots.txt", "red\n");
    const head = await ann.pushes("refs/heads/boots");
    const { pull } = await opensPushed(world, "boots", head);
    const base = await movesBase(world);
    const onto = async (what: string, ...made: (readonly string[])[]) => {
      await ann.git("fetch", "--quiet", "origin", "main");
      await ann.git("reset", "--quiet", "--hard", what);
      for (const args of made) await ann.git(...args);
    };
    const pick = ["cherry-pick", "-S", head] as const;
    const amend = ["commit", "--quiet", "--amend", "-S", "--no-edit"] as const;
    const work = /another tree, author or message/;
    const forgeries: readonly [RegExp, () => Promise<void>][] = [
      [work, () => onto("FETCH_HEAD", pick, ["rm", "--quiet", "README.md"], amend)],
      [work, () => onto("FETCH_HEAD", pick, [...amend, "--author=eve <eve@x.test>"])],
      [
        work,
        () => onto("FETCH_HEAD", pick, ["commit", "--quiet", "--allow-empty", "-S", "-m", "feat: more"]),
      ],
      [/base branch/, () => onto(head)],
    ];
    for (const [found, forge] of forgeries) {
      const before = { base, landed: await landed(world) };
      await world.as("maria").says(pull, "/koryph land");
      const id = newest(world);
      await forge();
      await ann.pushes(`refs/koryph/job/${runOf(world, id).inputs.job}`);
      await world.sandbox.completeRun(REPOSITORY, id, { rebase: "success" });
      await reads(
        world,
        pull,
        {
          ...{
            code: "runner_differs",
            found,
            need: /the approved commits with the same tree, author and message/,
          },
          next: /find out what happened on that runner, then `\/koryph land`/,
        },
        before,
      );
      expect(await world.sandbox.world.resolve(world.repository, "refs/heads/boots")).toBe(head);
    }
    expect(last(world, pull)).toContain("runner_differs");
  },
  LONG,
);
