import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { pullSubject } from "../../../src/core/model/pull.js";
import { type AppWorld, REPOSITORY } from "../../support/app/app-world.js";
import { forgedApproval } from "../../support/app/forged-proofs.js";
import {
  landed,
  landingChecks,
  landingScenario,
  lands,
  last,
  movesBase,
  newestReceipt,
  opens,
  opensApproved,
  opensQueued,
  passes,
  tip,
  told,
} from "../../support/app/landing-stories.js";

/** A check that turns green while the App does not run. */
async function passesUnheard(world: AppWorld, head: string): Promise<void> {
  const run = await world.sandbox.startRun(REPOSITORY, { head, jobs: ["test"] });
  await world.sandbox.completeRun(REPOSITORY, run, "success");
}

vi.setConfig({ testTimeout: 120_000 });

landingScenario("what is approved and green lands as it is, and GitHub shows it as merged", async (world) => {
  const { pull, head } = await opensApproved(world);
  await lands(world, pull);
  await world.settled();
  expect(await tip(world)).toBe(head);
  expect(world.issue(pull)).toMatchObject({ state: "closed" });
  expect(await landed(world)).toBe(1);
  expect((await world.state()).landings).toEqual([]);
  expect(await newestReceipt(world)).toMatchObject({
    head,
    bead: { id: pullSubject(pull) },
    approvers: [{ login: "walter", head }],
    checks: [{ name: "test", conclusion: "success" }],
  });
  expect(world.statuses(pull)).toEqual([expect.stringMatching(/has landed on `main`.*its receipt/)]);
  const [check, ...others] = landingChecks(world);
  expect(others).toEqual([]);
  expect(check).toMatchObject({ headSha: head, conclusion: "success", output: { title: "Landed" } });
  expect(check?.output.summary).toMatch(
    /has landed on <code>main<.*\[its receipt\]\(.*\/commit\/[0-9a-f]{40}\)/,
  );
});

landingScenario(
  "a landing waits for its checks, and a webhook that never comes does not matter",
  async (world) => {
    const base = await tip(world);
    const { pull, head } = await opensQueued(world);
    expect(last(world, pull)).toMatch(/🚀.*is in the queue for `main`/u);
    expect((await world.state()).landings).toMatchObject([{ bead: pullSubject(pull), head }]);
    expect(await tip(world)).toBe(base);
    expect(landingChecks(world)).toMatchObject([
      { headSha: head, conclusion: "neutral", output: { title: "Landing: 1 thing is missing" } },
    ]);
    // What GitHub has told so far has been looked at.
    await world.settled();
    world.webhook = "http://127.0.0.1:1/";
    await passes(world, head);
    expect(await tip(world)).toBe(base);
    world.clock.pass(120);
    await told(world, pull, /has landed, at/);
    expect(await tip(world)).toBe(head);
  },
  { long: true },
);

landingScenario(
  "a landing in the queue is taken back by whoever may land, and the same head may be asked for again",
  async (world) => {
    const base = await tip(world);
    const { pull, head } = await opensQueued(world);
    await world.as("tina").says(pull, "/koryph land --cancel");
    expect(last(world, pull)).toMatch(/takes the `write` role/);
    await world.as("walter").says(pull, "/koryph land --cancel --dry-run");
    expect((await world.state()).landings).toHaveLength(1);
    await world.as("walter").says(pull, "/koryph land --cancel");
    expect(last(world, pull)).toMatch(/✅.*the landing of `\w{12}` is taken back/u);
    expect((await world.state()).landings).toEqual([]);
    // Whoever asked for it is told as well.
    await expect
      .poll(() => world.replies(pull).join("\n"))
      .toContain("not landed: its landing was taken back");
    await world.as("walter").says(pull, "/koryph land --cancel");
    expect(last(world, pull)).toContain("not_queued");
    await passes(world, head);
    expect(await tip(world)).toBe(base);
    world.clock.pass(60);
    await expect
      .poll(() => landingChecks(world).at(-1))
      .toMatchObject({
        ...{ conclusion: "neutral", output: { title: "Not landing: nothing is missing" } },
      });

    await lands(world, pull);
    expect(await tip(world)).toBe(head);
  },
);

landingScenario(
  "a landing in the queue outlives the App's database, and one that only the ledger knows of is nobody's",
  async (world) => {
    const { pull, head } = await opens(world);
    await world.as("walter").says(pull, "/koryph approve");
    const forged = await opensApproved(world, { branch: "hats" });
    const base = await tip(world);
    const asked = await world.as("maria").says(pull, "/koryph land");
    const { url, body } = world.comment(pull, asked) as { url?: string; body: string };
    const evidence = {
      ...{ url: url ?? "", source: `comment ${asked}`, login: "maria" },
      body_sha256: createHash("sha256").update(body).digest("hex"),
      user_id: world.sandbox.world.user("maria")?.id ?? 0,
    };
    const data = {
      branch: "main",
      base: base ?? "",
      head: forged.head,
      method: "ff",
      allow_protected: false,
    } as const;
    await world.record({
      ...{ type: "pull.landing", actor: "@maria", bead: pullSubject(forged.pull), evidence },
      data: { ...data, pull: forged.pull },
    });
    expect(last(world, pull)).toContain("is in the queue");
    expect(world.replies(forged.pull)).toHaveLength(1);
    await world.stop();
    for (const end of ["", "-wal", "-shm"])
      rmSync(join(world.home, "app", `koryph.db${end}`), { force: true });
    await passesUnheard(world, head);
    await world.start();
    await expect.poll(() => tip(world)).toBe(head);
    await world.settled();
    expect(await landed(world)).toBe(1);
    expect((await world.state()).landings).toMatchObject([{ pull: forged.pull }]);
  },
  { long: true },
);

landingScenario(
  "each thing that is missing is refused with its code, and nothing moves",
  async (world) => {
    const base = await tip(world);
    const { pull, head } = await opens(world);
    const refused = async (words: RegExp) => {
      await told(world, pull, words);
      expect(await tip(world)).toBe(base);
      expect((await world.state()).landings).toEqual([]);
    };
    await world.as("rita").says(pull, "/koryph why");
    await told(
      world,
      pull,
      /2 things keep `\w{12}` from landing on `main`.*"code": "not_approved".*"check_missing"/s,
    );
    expect(last(world, pull)).toMatch(/0 of 1 approvals.*a reviewer with write access.*\/koryph approve/s);
    await world.as("maria").says(pull, "/koryph land 0123456789ab");
    await refused(/sha_mismatch/);
    await passes(world, head, "failure");
    await world.as("maria").says(pull, "/koryph land");
    await refused(/0 of 1 approvals.*not_approved/s);
    await world.as("walter").says(pull, "/koryph approve");
    await world.as("maria").says(pull, "/koryph land");
    await refused(/test \(failure\) on this head.*check_red/s);
    // Of three answers to the same command the last one is to be seen.
    const folded = world.issue(pull).comments.filter(({ minimized }) => minimized === "OUTDATED");
    expect(folded).toHaveLength(2);

    // Whoever asks for the landing does not approve it as well.
    await passes(world, head);
    await world.as("walter").says(pull, "/koryph land");
    await refused(/walter has asked for the landing.*not_approved/s);

    // The head moves between the approval and the landing.
    await world.sandbox.commit(REPOSITORY, "shoes", { "shoes.txt": "blue\n" }, { author: "ann" });
    world.clock.pass(60);
    await world.as("maria").says(pull, "/koryph land");
    await refused(/walter has approved another head.*not_approved/s);
    expect(await landed(world)).toBe(0);
  },
  { long: true },
);

landingScenario("an approval that only the ledger has is nobody's", async (world) => {
  const base = await tip(world);
  const { pull, head } = await opens(world);
  await passes(world, head);
  await world.record(await forgedApproval(world, { pull, head }));
  await world.as("maria").says(pull, "/koryph land");
  await told(world, pull, /walter has changed the comment since.*not_approved/s);
  expect(await tip(world)).toBe(base);
});

landingScenario(
  "what would merge another pull request along needs its approval, too",
  async (world) => {
    const below = await opens(world);
    const above = await opensApproved(world, { branch: "boots", parent: below.head });
    await world.as("maria").says(above.pull, "/koryph land");
    const names = new RegExp(`would also merge pull request ${below.pull}, whose.*ancestor_unapproved`, "s");
    await told(world, above.pull, names);
    await world.as("walter").says(below.pull, "/koryph approve");
    expect(last(world, below.pull)).toContain("is approved");
    await lands(world, above.pull);
    expect(await tip(world)).toBe(above.head);
  },
  { long: true },
);

landingScenario(
  "a base that moved is caught up with, and the approval holds for the same work",
  async (world) => {
    const { pull, head } = await opensApproved(world);
    const moved = await movesBase(world);
    await world.as("maria").says(pull, "/koryph land");
    const next = await world.sandbox.world.resolve(world.repository, "refs/heads/shoes");
    expect(next).not.toBe(head);
    expect(await tip(world)).toBe(moved);
    // Both heads are named, and can be looked at, before it lands and afterwards.
    const proof = (what: string) =>
      new RegExp(
        `${what} is .*${next?.slice(0, 12)}.*People approved .*${head.slice(0, 12)}.*what people approved.*` +
          "~~~~~~\\n1: {2}[0-9a-f]{7,} = 1: {2}[0-9a-f]{7,} feat: shoes\\n",
        "s",
      );
    await world.settled();
    expect(world.statuses(pull)).toEqual([expect.stringMatching(proof("What is to land"))]);
    await passes(world, next ?? "");
    await told(world, pull, new RegExp(`has landed, at.*People approved .*${head.slice(0, 12)}`));
    expect(await tip(world)).toBe(next);
    await world.settled();
    expect(world.statuses(pull)).toEqual([expect.stringMatching(proof("What has landed"))]);
    const check = landingChecks(world).at(-1);
    expect(check).toMatchObject({
      ...{ headSha: next, output: { summary: expect.stringMatching(proof("What has landed")) } },
    });
    for (const pages of [`...${head}`, `${moved}...${next}`, `${head}..${next}`])
      expect(check?.output.summary).toContain(`${pages})`);
    expect(await newestReceipt(world)).toMatchObject({ head: next, approvers: [{ login: "walter", head }] });
  },
);

landingScenario(
  "what somebody left in the queue at a terminal lands for whoever comments",
  async (world) => {
    const base = (await tip(world)) ?? "";
    const { pull, head } = await opensApproved(world);
    await world.record({
      type: "pull.landing",
      bead: pullSubject(pull),
      data: { pull, branch: "main", base, head, method: "ff", allow_protected: true },
    });
    await lands(world, pull);
    expect(await tip(world)).toBe(head);
  },
  { long: true },
);

landingScenario(
  "two landings on one base are two landings, one after the other",
  async (world) => {
    const [one, two] = [await opensApproved(world), await opensApproved(world, { branch: "boots" })];
    for (const { pull } of [one, two]) expect(last(world, pull)).toContain("is approved");
    await Promise.all([one, two].map(({ pull }) => world.as("maria").says(pull, "/koryph land")));
    const boots = async () => (await world.sandbox.world.resolve(world.repository, "refs/heads/boots")) ?? "";
    const shoes = async () => (await world.sandbox.world.resolve(world.repository, "refs/heads/shoes")) ?? "";
    for (const head of [await boots(), await shoes()]) await passes(world, head);
    await told(world, one.pull, /has landed, at/);
    await told(world, two.pull, /has landed, at/);
    expect(await landed(world)).toBe(2);
  },
  { long: true },
);
