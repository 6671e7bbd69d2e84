import { readFileSync } from "node:fs";
import { expect, vi } from "vitest";
import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { type AppWorld, REPOSITORY, scenario } from "../../support/app/app-world.js";
import {
  last,
  movesBase,
  opensPushed,
  passes,
  protect,
  tip,
  told,
} from "../../support/app/landing-stories.js";
import { dispatchedBy, runIds, runOf, runs, saidBy, setUpJobs } from "../../support/app/runner-stories.js";
import { cloneOf } from "../../support/app/signed-pulls.js";
import { sharedKey } from "../../support/git/ssh-keys.js";

vi.setConfig({ testTimeout: 120_000 });

const [anns, runners] = [sharedKey(), sharedKey()];

const resolve = (world: AppWorld, ref: string) => world.sandbox.world.resolve(world.repository, ref);

async function setUp(world: AppWorld): Promise<void> {
  const signers = [
    `ann@x.test namespaces="git" ${anns.publicKey}`,
    `runner@x.test namespaces="git" ${runners.publicKey}`,
  ];
  await setUpJobs(world, {
    project: {
      jobs: { workflow: "koryph.yml", minutes: 5, kinds: ["review", "rebase"] },
      land: { gate: "checks" },
    },
    files: { ".allowed_signers": `${signers.join("\n")}\n` },
  });
  protect(world);
  world.sandbox.addUser("ann");
  world.sandbox.setRole(REPOSITORY, "ann", "write");
}

/** One commit that ann signed and one that she did not, approved and green; then the base moves. */
async function approvedBehind(world: AppWorld) {
  const ann = await cloneOf(world, "ann", anns.path);
  await ann.commits("boots.txt", "red\n");
  await ann.commits("laces.txt", "blue\n", { signed: false });
  const head = await ann.pushes("refs/heads/boots");
  const { pull } = await opensPushed(world, "boots", head);
  await world.as("walter").says(pull, "/koryph approve");
  await movesBase(world);
  return { ann, pull, head, base: (await tip(world)) ?? "" };
}

/** Whether each commit of the range is signed, who wrote it and what it says. */
async function shownCommits(world: AppWorld, range: string) {
  const format = ["log", "--reverse", "--format=%an %s%n%GK%n%B%x00", range];
  const { stdout } = await runGit(world.repository.gitDir, format);
  const raw = await runGit(world.repository.gitDir, ["rev-list", "--header", "--reverse", range]);
  const signed = raw.stdout
    .split("\0")
    .filter((each) => each !== "")
    .map((each) => /^gpgsig/m.test(each));
  return stdout
    .split("\0")
    .slice(0, -1)
    .map((each, at) => `${each.trim().split("\n")[0]}${signed[at] ? " (signed)" : ""}`);
}

scenario(
  "a runner with the key replays what was approved, and the App lands it, killed in between or not",
  async (world) => {
    await setUp(world);
    const { pull, head, base } = await approvedBehind(world);
    await world.as("maria").says(pull, "/koryph land");
    const [id = 0, ...others] = runIds(world);
    expect(others).toEqual([]);
    const { inputs, actor } = runOf(world, id);
    expect({ actor, inputs }).toMatchObject({ actor: "koryph[bot]", inputs: { kind: "rebase", head, base } });
    expect(last(world, pull)).toMatch(/🚀/u);
    expect(world.statuses(pull)).toEqual([
      expect.stringMatching(/a runner was asked to replay the commits.*\[its run\]/),
    ]);

    // A person's run of the same workflow, and whoever writes that it is done, come to nothing.
    const key = { "signing-key": readFileSync(runners.path, "utf8") };
    const byHand = await dispatchedBy(world, "maria", inputs);
    expect(saidBy(await runs(world, byHand, key))).toContain("(not_dispatched)");
    await world.record({ type: "job.done", data: { job: inputs.job ?? "", code: "rebased" } });
    expect(saidBy(await runs(world, id))).toContain("needs `signing-key`");

    const done = await runs(world, id, key);
    expect(done).toMatchObject({ conclusion: "success", annotations: [] });
    expect(done.summary).toMatch(/replayed pull request \d+ as \w{12}, with 1 signature;/);
    const ref = `refs/koryph/job/${inputs.job}`;
    const replayed = (await resolve(world, ref)) ?? "";
    expect(await shownCommits(world, `${base}..${replayed}`)).toEqual([
      "ann feat: boots.txt (signed)",
      "ann feat: laces.txt",
    ]);
    expect(await resolve(world, "refs/heads/boots")).toBe(head);
    world.clock.pass(120);
    await world.settled();
    expect(await resolve(world, "refs/heads/boots")).toBe(head);

    await world.stop();
    await world.sandbox.completeRun(REPOSITORY, id, { rebase: "success" });
    await world.start();
    world.clock.pass(120);
    await vi.waitFor(async () => expect(await resolve(world, "refs/heads/boots")).toBe(replayed), {
      timeout: 60_000,
    });
    await passes(world, replayed);
    await told(world, pull, /has landed, at/);
    expect(await tip(world)).toBe(replayed);
    await vi.waitFor(async () => expect(await resolve(world, ref)).toBe(null), { timeout: 60_000 });
    expect(runIds(world)).toEqual([id, byHand]);
  },
);

scenario(
  "what a runner hands in that is not the approved work is refused, and the branch stays",
  async (world) => {
    await setUp(world);
    const { ann, pull, head, base } = await approvedBehind(world);
    /** The run that the App dispatched ends well, and the job's ref holds what `forge` put there. */
    const refused = async (
      words: RegExp,
      forge: (ref: string) => Promise<unknown>,
      jobs: Record<string, string> = { rebase: "success" },
    ) => {
      await world.as("maria").says(pull, "/koryph land");
      const id = runIds(world).at(-1) ?? 0;
      await forge(`refs/koryph/job/${runOf(world, id).inputs.job}`);
      await world.sandbox.completeRun(REPOSITORY, id, jobs);
      await told(world, pull, words);
      expect(await resolve(world, "refs/heads/boots")).toBe(head);
      expect(await tip(world)).toBe(base);
    };
    await refused(/it left nothing.*runner_differs/s, async () => {});
    // The run did well, and no job of it that was asked for.
    await refused(/did not end with success.*runner_failed/s, async () => {}, { review: "success" });
    await ann.git("fetch", "--quiet", "origin", "main");
    await ann.git("reset", "--quiet", "--hard", "FETCH_HEAD");
    // Both would carry a signature that the base branch allows.
    await ann.git("cherry-pick", "-S", `${head}~1`, head);
    await refused(/was not signed before, and is now.*runner_differs/s, (ref) => ann.pushes(ref));
    await ann.git("reset", "--quiet", "--hard", "FETCH_HEAD");
    await ann.git("cherry-pick", "-S", `${head}~1`);
    await ann.git("cherry-pick", "--no-gpg-sign", head);
    await ann.git("commit", "--quiet", "--amend", "--no-gpg-sign", "-m", "feat: other words");
    await refused(/another tree, author or message.*runner_differs/s, (ref) => ann.pushes(ref));

    // The head moves while the runner works: neither of them goes on.
    await world.as("maria").says(pull, "/koryph land");
    const id = runIds(world).at(-1) ?? 0;
    await world.sandbox.commit(REPOSITORY, "boots", { "boots.txt": "green\n" }, { author: "ann" });
    const key = { "signing-key": readFileSync(runners.path, "utf8") };
    expect(saidBy(await runs(world, id, key))).toContain("(head_moved)");
    await told(world, pull, /head_moved/);
  },
  { long: true },
);
