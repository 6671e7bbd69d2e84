import { expect, vi } from "vitest";
import { type AppWorld, REPOSITORY, scenariosInOneWorld } from "../../support/app/app-world.js";
import {
  LANDING,
  landingChecks,
  landingScenario,
  last,
  opensPushed,
  tip,
  told,
} from "../../support/app/landing-stories.js";
import { refusesToLand, ruledBy } from "../../support/app/refusal-stories.js";
import { shown } from "../../support/app/review-stories.js";
import { cloneOf } from "../../support/app/signed-pulls.js";
import { sharedKey } from "../../support/git/ssh-keys.js";

vi.setConfig({ testTimeout: 120_000 });

const [anns, strange] = [sharedKey(), sharedKey()];

const SIGNED = { project: { ...LANDING.project, signing: { required: true } } };
const SIGNERS = `ann@x.test namespaces="git" ${anns.publicKey}\n`;

/** Ann may push, and the base branch names her key. Both of her keys are on her account. */
async function annSigns(world: AppWorld): Promise<void> {
  world.sandbox.addUser("ann");
  world.sandbox.setRole(REPOSITORY, "ann", "write");
  for (const { publicKey } of [anns, strange]) world.sandbox.addSigningKey("ann", publicKey);
  await world.sandbox.commit(REPOSITORY, "main", { ".allowed_signers": SIGNERS });
}

/** As GitHub's badge shows it, for each of the last commits of a branch. */
async function badges(world: AppWorld, ref: string, count: number): Promise<boolean[]> {
  const listed = await shown(world, `/commits?sha=${ref}&per_page=${count}`);
  return listed.map(
    ({ commit }: { commit: { verification: { verified: boolean } } }) => commit.verification.verified,
  );
}

landingScenario(
  "signed commits land byte for byte: GitHub shows each as Verified before and after, and the pull request as merged",
  async (world) => {
    await annSigns(world);
    const ann = await cloneOf(world, "ann", anns.path);
    await ann.commits("red.txt", "red\n");
    await ann.commits("blue.txt", "blue\n");
    const head = await ann.pushes("refs/heads/shoes");
    const { pull } = await opensPushed(world, "shoes", head);
    expect(await badges(world, head, 2)).toEqual([true, true]);
    await world.as("walter").says(pull, "/koryph approve");
    const asked = await world.as("maria").says(pull, "/koryph land");
    await told(world, pull, /has landed, at/);
    await world.settled();
    expect(world.reactions(pull, asked)[0]).toBe("eyes");
    expect(await tip(world)).toBe(head);
    expect(await badges(world, "main", 2)).toEqual([true, true]);
    expect(await shown(world, `/pulls/${pull}`)).toMatchObject({ merged: true, state: "closed" });
    expect(landingChecks(world).at(-1)).toMatchObject({ headSha: head, output: { title: "Landed" } });
  },
  SIGNED,
);

const signed = scenariosInOneWorld(SIGNED, async (world) => {
  ruledBy(world, []);
  await annSigns(world);
});

const NEED = /a good signature on every commit, by a signer that \.allowed_signers on the base branch names/;
const NEXT = /git rebase --force-rebase -S/;

signed(
  "one unsigned commit among signed ones is named, with its reason, and only that one",
  async (world) => {
    const ann = await cloneOf(world, "ann", anns.path);
    await ann.commits("one.txt", "1\n");
    await ann.commits("two.txt", "2\n", { signed: false });
    const bare = await ann.git("rev-parse", "HEAD");
    await ann.commits("three.txt", "3\n");
    const head = await ann.pushes("refs/heads/between");
    const { pull } = await opensPushed(world, "between", head);
    const found = new RegExp(`not landed: ${bare.slice(0, 12)}: not signed;`);
    await refusesToLand(world, pull, { code: "unsigned_commit", found, need: NEED, next: NEXT });
    expect(last(world, pull)).not.toContain(`${head.slice(0, 12)}: `);
  },
  { long: true },
);

signed(
  "a key that GitHub calls Verified and the base branch does not name is no signer",
  async (world) => {
    const ann = await cloneOf(world, "ann", strange.path);
    await ann.commits("strange.txt", "1\n");
    const head = await ann.pushes("refs/heads/strange");
    const { pull } = await opensPushed(world, "strange", head);
    expect(await badges(world, head, 1)).toEqual([true]);
    const found = new RegExp(`not landed: ${head.slice(0, 12)}: signed with the key .* does not name`);
    await refusesToLand(world, pull, { code: "unsigned_commit", found, need: NEED, next: NEXT });
  },
  { long: true },
);
