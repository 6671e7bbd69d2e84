import { expect, vi } from "vitest";
import { type AppWorld, REPOSITORY, scenariosInOneWorld } from "../../support/app/app-world.js";
import { LANDING, landed, last, opensPushed, passes, tip } from "../../support/app/landing-stories.js";
import { keepTokens, reads, refusesToLand, ruledBy, timePasses } from "../../support/app/refusal-stories.js";
import { cloneOf } from "../../support/app/signed-pulls.js";
import { sharedKey } from "../../support/git/ssh-keys.js";

vi.setConfig({ testTimeout: 120_000 });

const LONG = { long: true };
const [anns, strange] = [sharedKey(), sharedKey()];

const behind = scenariosInOneWorld(LANDING, async (world) => {
  ruledBy(world, []);
  world.sandbox.addUser("ann");
  world.sandbox.setRole(REPOSITORY, "ann", "write");
  const signers = `ann@x.test namespaces="git" ${anns.publicKey}\n`;
  await world.sandbox.commit(REPOSITORY, "main", { ".allowed_signers": signers, "shoes.txt": "old\n" });
});

const before = async (world: AppWorld) => ({ base: await tip(world), landed: await landed(world) });
const branchTip = (world: AppWorld, branch: string) =>
  world.sandbox.world.resolve(world.repository, `refs/heads/${branch}`);
let moves = 0;

function moveBase(world: AppWorld, files: Readonly<Record<string, string>> = {}): Promise<string> {
  moves += 1;
  return world.sandbox.commit(REPOSITORY, "main", { "moves.txt": `${moves}\n`, ...files });
}

async function green(world: AppWorld, branch: string, ...commits: Readonly<Record<string, string>>[]) {
  let head = (await tip(world)) ?? "";
  for (const files of commits) {
    const by = { author: "ann", message: `feat: ${Object.keys(files)}`, parent: head };
    head = await world.sandbox.commit(REPOSITORY, branch, files, by);
  }
  return opensPushed(world, branch, head);
}

behind(
  "commits that do not apply, and those that the base has already, are left as they are",
  async (world) => {
    const clash = await green(world, "clash", { "shoes.txt": "red\n" });
    const twice = await green(world, "twice", { "caps.txt": "red\n" });
    await moveBase(world, { "shoes.txt": "blue\n", "caps.txt": "red\n" });
    world.clock.pass(60);
    await refusesToLand(world, clash.pull, {
      code: "rebase_conflict",
      found: /the base branch has moved, and replaying the commits on it conflicts in shoes\.txt/,
      need: /a branch that applies to the base branch as it is now/,
      next: /rebase it by hand, push, and have the new head approved/,
    });
    await refusesToLand(world, twice.pull, {
      code: "no_changes",
      found: /its commits change nothing that the base branch does not have already/,
      need: /a change/,
      next: /close it with `\/koryph close`/,
    });
    expect([await branchTip(world, "clash"), await branchTip(world, "twice")]).toEqual([
      clash.head,
      twice.head,
    ]);
  },
  LONG,
);

behind(
  "a branch that GitHub lets nobody push to is told with what GitHub says",
  async (world) => {
    const { pull, head } = await green(world, "locked", { "locked.txt": "x\n" });
    world.sandbox.addRuleset(REPOSITORY, {
      ...{ name: "nobody", include: ["locked"], rules: [{ type: "update" }] },
    });
    await moveBase(world);
    world.clock.pass(60);
    await refusesToLand(world, pull, {
      code: "push_refused",
      found: /GitHub did not take the push: .*(rule|protected|update)/i,
      need: /a base branch that takes what koryph has checked/,
      next: /change the rule it names, then `\/koryph land`/,
    });
    expect(await branchTip(world, "locked")).toBe(head);
    ruledBy(world, []);
  },
  LONG,
);

behind(
  "a base that moves for the fourth time is too busy",
  async (world) => {
    const { pull } = await green(world, "busy", { "busy.txt": "x\n" });
    await moveBase(world);
    world.clock.pass(60);
    await world.as("maria").says(pull, "/koryph land");
    for (let round = 0; round < 3; round += 1) {
      expect(last(world, pull)).toContain("is in the queue");
      await moveBase(world);
      await passes(world, (await branchTip(world, "busy")) ?? "");
    }
    const refusal = {
      code: "base_busy",
      found: /the base branch moved 4 times while this was landing/,
      need: /a base branch that stands still for as long as the checks take/,
      next: /`\/koryph land`, when it is calmer/,
    };
    await reads(world, pull, refusal, await before(world));
  },
  LONG,
);

behind(
  "signed commits are not replayed without a key, nor with one that the base branch does not name",
  async (world) => {
    const ann = await cloneOf(world, "ann", anns.path);
    await ann.commits("signed.txt", "red\n");
    const head = await ann.pushes("refs/heads/signed");
    const { pull } = await opensPushed(world, "signed", head);
    await moveBase(world);
    world.clock.pass(60);
    await refusesToLand(world, pull, {
      code: "no_signing_key",
      found: /the base branch has moved, and koryph has no key to sign rebased commits with/,
      need: /a signing key in the environment of koryph serve: KORYPH_SIGNING_KEY_PATH/,
      next: /rebase and sign the branch yourself.*or give the server a key/,
    });
    await world.stop();
    await world.start({ KORYPH_SIGNING_KEY_PATH: strange.path });
    await refusesToLand(world, pull, {
      code: "key_not_allowed",
      found: /\.allowed_signers on it does not name the key koryph would sign with/,
      need: /a line for koryph's key in \.allowed_signers on the base branch/,
      next: /add the line in a pull request of its own, or rebase and sign the branch yourself/,
    });
    expect(await branchTip(world, "signed")).toBe(head);
  },
  LONG,
);

behind(
  "a project whose gate nobody runs is told how to have it run",
  async (world) => {
    const { pull } = await green(world, "ungated", { "ungated.txt": "x\n" });
    const { land: _, ...project } = LANDING.project;
    const text = JSON.stringify({ ...project, land: { gate: "run" } });
    await world.sandbox.commit(REPOSITORY, "main", { "koryph.project.json": text });
    await refusesToLand(world, pull, {
      code: "gate_unproven",
      found:
        /land\.gate is run, and koryph on GitHub runs no gate; no required check is called koryph \/ gate/,
      need: /a required check that runs the gate/,
      next: /require a check called koryph \/ gate, have a runner run it, or set land\.gate to checks/,
    });
    const back = JSON.stringify(LANDING.project);
    await world.sandbox.commit(REPOSITORY, "main", { "koryph.project.json": back });
  },
  LONG,
);

behind(
  "a head that GitHub does not show for an hour is not waited for any longer",
  async (world) => {
    const { pull } = await green(world, "hidden", { "hidden.txt": "x\n" });
    await moveBase(world);
    world.clock.pass(60);
    const now = await before(world);
    world.sandbox.switches.holdHeads = true;
    await world.as("maria").says(pull, "/koryph land");
    expect(last(world, pull)).toContain("is in the queue");
    const pushed = (await branchTip(world, "hidden")) ?? "";
    keepTokens(world);
    await timePasses(world, pull, /head_not_shown/);
    const refusal = {
      code: "head_not_shown",
      found: new RegExp(`GitHub does not show ${pushed.slice(0, 12)} on the pull request yet`),
      need: /a pull request that shows what is on its branch/,
      next: /\(`head_not_shown`\)\.$/,
    };
    await reads(world, pull, refusal, now);
    await world.sandbox.showHeads();
  },
  LONG,
);
