import { createHash } from "node:crypto";
import { expect, vi } from "vitest";
import { type AppWorld, REPOSITORY, scenario, scenariosInOneWorld } from "../../support/app/app-world.js";
import {
  LANDING,
  landingScenario,
  last,
  opens,
  passes,
  protect,
  tip,
  told,
} from "../../support/app/landing-stories.js";
import { keepTokens } from "../../support/app/refusal-stories.js";
import { HOSTILE_TEXTS } from "../../support/core/hostile-texts.js";
import { bareGit, bareGitWith } from "../../support/core/ledgers.js";
import { LONG } from "../../support/long.js";
import { beforehand, wasHarmless } from "../../support/pulls/harmless.js";
import { MARKER } from "../../support/pulls/hostile-files.js";

vi.setConfig({ testTimeout: 120_000 });

const LEDGER = "refs/koryph/ledger";
let made = 0;

/** What whoever may push can put there: any lines at all, on top of what is there. */
function forge({ repository: { gitDir } }: AppWorld, lines: readonly string[]): void {
  const tip = bareGit(gitDir, "for-each-ref", "--format=%(objectname)", LEDGER).trim();
  const tree = bareGitWith("", gitDir, "mktree").trim();
  const on = tip === "" ? [] : ["-p", tip];
  const message = `forged\n\n${lines.join("\n")}\n`;
  const next = bareGitWith(message, gitDir, "commit-tree", tree, ...on, "-F", "-").trim();
  bareGit(gitDir, "update-ref", LEDGER, next);
}

function event(type: string, data: unknown, more: object = {}): string {
  made += 1;
  const id = `01HF7YAT00000000000000${String(made).padStart(4, "0")}`;
  return JSON.stringify({ id, at: "2026-01-01T00:00:00.000Z", actor: "@walter", type, data, ...more });
}

interface Pull {
  readonly pull: number;
  readonly head: string;
}

const evidence = (source: string, login: string, userId: number, body: string) => ({
  evidence: {
    ...{ url: "https://github.test", source, login, user_id: userId },
    body_sha256: createHash("sha256").update(body).digest("hex"),
  },
});

/** Entries of one forger each, about a pull request that nobody has approved. */
const FORGED: readonly {
  readonly name: string;
  readonly lines: (world: AppWorld, pull: Pull) => string[];
}[] = [
  { name: "of a type that nobody knows", lines: () => [event("moon.landed", { x: 1 })] },
  { name: "that are no JSON", lines: () => ["{", "not json", "[]", '"x"', "{}"] },
  {
    name: "with a wrong schema",
    lines: (_, { pull }) => [event("pull.approved", { pull: `${pull}`, head: 7 })],
  },
  {
    name: "with keys of every object",
    lines: () => [event("hold.placed", {}, { bead: "__proto__" }), event("constructor", {})],
  },
  {
    name: "with an approval that names nobody",
    lines: (_, of) => [event("pull.approved", { ...of, via: "comment" })],
  },
  {
    name: "with an approval that names somebody else's comment",
    lines: (world, { pull, head }) => {
      const [comment] = world.issue(pull).comments.filter(({ author }) => author === "rita");
      const walter = world.sandbox.world.user("walter")?.id ?? 0;
      const of = evidence(`comment ${comment?.id}`, "walter", walter, comment?.body ?? "");
      return [event("pull.approved", { pull, head, via: "comment" }, of)];
    },
  },
  {
    name: "with a landing that is over already",
    lines: (_, { pull, head }) => {
      const request = event(
        "pull.landing",
        { pull, branch: "main", base: head, head, method: "ff", allow_protected: true },
        { bead: `pull-${pull}` },
      );
      const { id } = JSON.parse(request) as { id: string };
      return [request, event("land.landed", { request: id, branch: "main", base: head, head })];
    },
  },
  {
    name: "with a job that is done",
    lines: () => [event("job.done", { job: "01HF7YAZVGZ019QQ4F1T9E62GM", code: "green" })],
  },
  {
    name: "with commands for a shell",
    lines: () => [event("hold.placed", { reason: `$(touch ${MARKER})` }, { bead: `;touch ${MARKER}` })],
  },
  {
    name: "that are huge",
    lines: () => [event("hold.placed", { reason: "x".repeat(900_000) }, { bead: "huge" })],
  },
  {
    name: "by the thousand",
    lines: () => Array.from({ length: 3_000 }, (_, n) => event("moon.seen", { n })),
  },
  ...HOSTILE_TEXTS.filter((text, at) => at % 6 === 0 && text.length < 2_000).map((text) => ({
    name: `with a hold that says ${JSON.stringify(text.slice(0, 40))}`,
    lines: (_: AppWorld, { pull }: Pull) => [
      event("hold.placed", { reason: text }, { bead: `pull-${pull}`, actor: text.slice(0, 60) }),
    ],
  })),
];

const forged = scenariosInOneWorld(LANDING, async (world) => protect(world));

for (const [at, { name, lines }] of FORGED.entries())
  if (LONG || at === 5)
    forged(`forged entries ${name}: nothing lands by them, and the App goes on`, async (world) => {
      const opened = await opens(world, { branch: `forged-${at}` });
      keepTokens(world);
      await passes(world, opened.head);
      await world.as("rita").writes(opened.pull, "looks fine to me");
      const before = await beforehand(world);
      forge(world, lines(world, opened));
      // What a forger writes of landings counts for the record, never for the branch.
      const forgedLandings = (await beforehand(world)).landed - before.landed;
      await world.as("maria").says(opened.pull, "/koryph why\n/koryph land");
      await told(world, opened.pull, /not_approved|held/);
      await world.settled();
      expect(last(world, opened.pull)).not.toMatch(/has landed, at/);
      await wasHarmless(world, opened, { ...before, landed: before.landed + forgedLandings });
    });

landingScenario(
  "an approval counts only in the words of whoever wrote the comment: those who may write can edit anybody's",
  async (world) => {
    const { sandbox } = world;
    sandbox.addUser("mallory");
    sandbox.setRole(REPOSITORY, "mallory", "write");
    const { pull, head } = await opens(world);
    await passes(world, head);
    const id = await world.as("walter").writes(pull, "I shall look at it tomorrow");
    const words = `/koryph approve ${head}`;
    await world.as("mallory").edits(id, words);
    const walter = sandbox.world.user("walter")?.id ?? 0;
    const of = evidence(`comment ${id}`, "walter", walter, words);
    forge(world, [event("pull.approved", { pull, head, via: "comment" }, of)]);

    await world.as("mallory").says(pull, `/koryph land ${head}`);
    await told(world, pull, /not_approved/);
    expect(last(world, pull)).toContain("has changed the comment since");
    expect(await tip(world)).not.toBe(head);
  },
);

scenario(
  "an entry that this koryph may not pass over stops what would change something, and is named",
  async (world) => {
    const { pull } = await opens(world);
    forge(world, [event("moon.landed", {}, { critical: true, needs: "9.1.0" })]);
    await world.as("maria").says(pull, "/koryph land");
    const [reply = ""] = world.replies(pull);
    expect(reply).toMatch(
      /❌.*critical moon\.landed event, so this koryph may only read it: the event needs koryph 9\.1\.0.*ledger_refused.*whoever runs koryph has to update it/u,
    );
    await world.as("maria").says(pull, "/koryph hold");
    expect(last(world, pull)).toMatch(/whoever runs koryph has to bring in koryph 9\.1\.0, or a later one/);
    expect((await world.state()).landings).toEqual([]);
    await world.as("rita").says(pull, "/koryph help");
    expect(last(world, pull)).toContain("/koryph land");
  },
  { ...LANDING, long: true },
);

landingScenario("an approval that its author took back is not brought back by the ledger", async (world) => {
  const { pull, head } = await opens(world);
  await passes(world, head);
  const id = await world.as("walter").reviews(pull, { state: "APPROVED" });
  world.clock.pass(5);
  await world.as("walter").reviews(pull, { state: "CHANGES_REQUESTED", body: "Not blue." });
  expect((await world.state()).pulls[pull]?.approvals).toEqual([]);
  const walter = world.sandbox.world.user("walter")?.id ?? 0;
  const of = evidence(`review ${id}`, "walter", walter, "");
  forge(world, [event("pull.approved", { pull, head, via: "review" }, of)]);
  await world.as("maria").says(pull, `/koryph land ${head}`);
  await told(world, pull, /not_approved|changes_requested|has landed/);
  expect(await tip(world)).not.toBe(head);
  expect(last(world, pull)).toContain("changes_requested");
});

landingScenario(
  "a request for changes whose webhook was lost is seen at the landing",
  async (world) => {
    const { pull, head } = await opens(world);
    await passes(world, head);
    await world.as("walter").reviews(pull, { state: "APPROVED" });
    world.clock.pass(5);
    world.sandbox.faults.add({ webhooks: "lost", event: "pull_request_review", times: 1 });
    await world.as("walter").reviews(pull, { state: "CHANGES_REQUESTED", body: "Not blue." });
    await world.as("maria").says(pull, `/koryph land ${head}`);
    await told(world, pull, /not_approved|changes_requested|has landed/);
    expect(await tip(world)).not.toBe(head);
  },
  { long: true },
);

landingScenario(
  "a reviewer who asks for changes keeps it from landing, as GitHub's own rule does",
  async (world) => {
    world.sandbox.addUser("wendy");
    world.sandbox.setRole(REPOSITORY, "wendy", "write");
    const { pull, head } = await opens(world);
    await passes(world, head);
    await world.as("walter").reviews(pull, { state: "APPROVED" });
    await world.as("wendy").reviews(pull, { state: "CHANGES_REQUESTED", body: "Not blue." });
    await world.as("maria").says(pull, `/koryph land ${head}`);
    await told(world, pull, /changes_requested|has landed/);
    expect(await tip(world)).not.toBe(head);
  },
  { long: true },
);

landingScenario(
  "an approval that is delivered again after it was taken back counts no more",
  async (world) => {
    const { pull, head } = await opens(world);
    await passes(world, head);
    world.sandbox.faults.add({ webhooks: "failed", event: "pull_request_review", times: 1 });
    await world.as("walter").reviews(pull, { state: "APPROVED" });
    world.clock.pass(5);
    await world.as("walter").reviews(pull, { state: "CHANGES_REQUESTED", body: "Not blue." });
    expect((await world.state()).pulls[pull]?.approvals ?? []).toEqual([]);
    // It asks GitHub for what failed, as it does every few minutes.
    await world.stop();
    await world.start();
    await expect
      .poll(() => world.sandbox.state.deliveries.some(({ redelivery }) => redelivery), { timeout: 20_000 })
      .toBe(true);
    await world.settled();
    await world.as("maria").says(pull, `/koryph land ${head}`);
    await told(world, pull, /not_approved|changes_requested|has landed/);
    expect(await tip(world)).not.toBe(head);
  },
  { long: true },
);

landingScenario(
  "a dismissed older review takes nothing from a later approval of the same person",
  async (world) => {
    const { pull, head: first } = await opens(world);
    const old = await world.as("walter").reviews(pull, { state: "APPROVED" });
    const by = { author: "ann", message: "feat: laces", parent: first };
    const head = await world.sandbox.commit(REPOSITORY, "shoes", { "laces.txt": "long\n" }, by);
    world.clock.pass(60);
    await passes(world, head);
    await world.as("walter").reviews(pull, { state: "APPROVED" });
    expect((await world.state()).pulls[pull]?.approvals).toMatchObject([{ head }]);
    const dismissed = await fetch(
      `${world.sandbox.url}/repos/${REPOSITORY}/pulls/${pull}/reviews/${old}/dismissals`,
      {
        method: "PUT",
        headers: {
          authorization: `Bearer ${world.sandbox.tokenFor("maria")}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ message: "of an older head", event: "DISMISS" }),
      },
    );
    expect(dismissed.status).toBe(200);
    await world.settled();
    await world.as("maria").says(pull, `/koryph land ${head}`);
    await told(world, pull, /not_approved|changes_requested|has landed/);
    expect(last(world, pull)).toContain("has landed");
  },
  { long: true },
);
