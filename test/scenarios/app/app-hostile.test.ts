import { rename as moveFolder } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { issueToken } from "../../../src/sandbox/auth/auth.js";
import { installHook } from "../../../src/sandbox/git/git-http-hook.js";
import * as people from "../../../src/sandbox/world/people.js";
import type { Repository } from "../../../src/sandbox/world/state.js";
import { runStarted } from "../../support/app/app-events.js";
import { delivery, sign } from "../../support/app/app-server.js";
import {
  type AppWorld,
  isStatus,
  REPOSITORY,
  scenario,
  scenariosInOneWorld,
} from "../../support/app/app-world.js";
import { APP_KEY } from "../../support/app/sandbox-lab.js";
import { readBareLedger } from "../../support/git/bare-ledger.js";

/** What the bot replied, among what other apps said. */
function botSaid(repository: Repository, number: number): string[] {
  const thread = repository.issues.find((each) => each.number === number);
  const ofBot = (thread?.comments ?? []).filter(({ author }) => author === "koryph[bot]");
  return ofBot.filter((comment) => !isStatus(comment)).map(({ body }) => body);
}

function told(world: AppWorld, words: string): number {
  return world.log.filter((line) => line.includes(words)).length;
}

/** The App looks again at what is there, as it does every five minutes. */
async function swept(world: AppWorld, found: number): Promise<void> {
  const looks = () => world.sandbox.requests.filter(({ operation }) => operation === "graphql").length;
  const before = [looks(), told(world, "that no webhook told of")] as const;
  await world.stop();
  await world.start();
  await expect.poll(looks).toBeGreaterThan(before[0]);
  if (found > 0) await expect.poll(() => told(world, `found ${found} comment`)).toBeGreaterThan(before[1]);
  await world.settled();
}

/** Everything GitHub changes when a repository gets another name. */
async function rename(world: AppWorld, repository: Repository, name: string): Promise<void> {
  const [before, after] = [`${repository.owner}/${repository.name}`, `${repository.owner}/${name}`];
  const renamed = (each: string) => (each === before ? after : each);
  const gitDir = join(dirname(repository.gitDir), `${name}.git`);
  await moveFolder(repository.gitDir, gitDir);
  Object.assign(repository, { name, gitDir });
  await installHook(world.sandbox.url, repository);
  for (const { installations } of world.sandbox.state.apps)
    for (const each of installations) each.repositories = each.repositories.map(renamed);
  for (const { pull } of repository.issues)
    if (pull !== null) Object.assign(pull, { headRepository: renamed(pull.headRepository) });
}

async function holders(repository: Repository): Promise<string[]> {
  const { state } = await readBareLedger(repository.gitDir);
  return Object.entries(state.holds).map(([bead, { actor }]) => `${bead} ${actor}`);
}

/** Another repository with the App on it; it belongs to somebody else, or to the same team. */
async function another(world: AppWorld, fullName: string): Promise<Repository> {
  const [owner = "", name = ""] = fullName.split("/");
  world.sandbox.addUser(owner, "Organization");
  const files = { "koryph.project.json": await projectText(world) };
  const made = await world.sandbox.addRepository({ owner, name, files });
  world.sandbox.setRole(fullName, "maria", "maintain");
  const [app] = world.sandbox.state.apps;
  world.sandbox.install({ id: app?.id ?? 0 }, [fullName]);
  return made;
}

async function projectText({ sandbox }: AppWorld): Promise<string> {
  const answer = await fetch(`${sandbox.url}/repos/${REPOSITORY}/contents/koryph.project.json`, {
    headers: { authorization: `Bearer ${sandbox.tokenFor("maria")}`, accept: "application/vnd.github.raw" },
  });
  const text = await answer.text();
  const parsed = JSON.parse(text) as { content?: string };
  return parsed.content === undefined ? text : Buffer.from(parsed.content, "base64").toString();
}

/** A token that another app holds for a person. */
async function tokenOfAnotherApp({ sandbox }: AppWorld, slug: string, login: string): Promise<string> {
  const permissions = { issues: "write", pull_requests: "write" } as const;
  const other = await sandbox.addApp({ slug, permissions, events: [], privateKey: APP_KEY });
  sandbox.install(other, [REPOSITORY]);
  return issueToken(sandbox.world, "ghu_", {
    ...{ kind: "user-to-server", login, app: other.id, installation: null, permissions: {} },
    ...{ repositories: null, expiresAt: null },
  });
}

async function post(url: string, token: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(201);
}

describe("what another app writes with a person's token", () => {
  const scenario = scenariosInOneWorld({}, (world) => world.record(runStarted()));
  for (const [webhook, name] of [
    ["comes", "shoes"],
    ["is lost", "shirts"],
  ] as const)
    scenario(`is not that person's word when its webhook ${webhook}`, async (world) => {
      const { sandbox } = world;
      const number = await world.opensAgentPull(name);
      const token = await tokenOfAnotherApp(world, `for-${name}`, "maria");
      await sandbox.settled();
      if (webhook === "is lost") sandbox.faults.add({ webhooks: "lost", by: "maria", times: 1 });
      const url = `${sandbox.url}/repos/${REPOSITORY}/issues/${number}/comments`;
      await post(url, token, { body: "/koryph stop --run --force" });
      await world.settled();
      await swept(world, webhook === "is lost" ? 1 : 0);
      world.replies(number);
      expect(botSaid(world.repository, number)).toEqual([]);
      expect((await world.state()).requests).toEqual([]);
    });
});

describe("a forged webhook", () => {
  const cases = [
    { body: "/koryph stop --run --force", numberOf: "maria", long: false },
    { body: "/koryph stop --run --force", numberOf: "rita", long: true },
    { body: "/koryph unlink", numberOf: "maria", long: true },
  ];
  for (const { body, numberOf, long } of cases)
    scenario(
      `with ${numberOf}'s number makes nobody else the author of ${body}`,
      async (world) => {
        const { sandbox } = world;
        const issue = await world.as("maria").opens("Sell shoes");
        await world.record(runStarted());
        await sandbox.settled();
        sandbox.faults.add({ webhooks: "lost", by: "rita", times: 1 });
        const id = await world.as("rita").writes(issue, body);
        const installation = sandbox.state.apps[0]?.installations[0]?.id;
        const number = sandbox.state.users.find(({ login }) => login === numberOf)?.id;
        const forged = delivery("issue_comment", {
          action: "created",
          installation: { id: installation },
          repository: { id: world.repository.id, full_name: REPOSITORY },
          issue: { number: issue },
          comment: {
            ...{ id, body, html_url: `${sandbox.url}/${REPOSITORY}/issues/${issue}#issuecomment-${id}` },
            ...{ created_at: world.comment(issue, id)?.createdAt, performed_via_github_app: null },
            user: { login: "maria", id: number, type: "User" },
          },
        });
        const signature = sign(forged.body, world.env.WEBHOOK_SECRET);
        const headers = { ...forged.headers, "x-hub-signature-256": signature };
        const answer = await fetch(`${world.url}/api/github/webhooks`, {
          method: "POST",
          ...forged,
          headers,
        });
        expect(answer.status).toBe(202);
        await world.settled();
        expect(world.reply(issue)).toContain("author_mismatch");
        expect((await world.state()).requests).toEqual([]);
      },
      { long },
    );
});

describe("a repository that changes its name", () => {
  scenario(
    "has its old commands behind it, and its ledger with it",
    async (world) => {
      const { repository } = world;
      const number = await world.opensAgentPull("shoes");
      await world.as("maria").says(number, "/koryph hold");
      await world.as("maria").says(number, "/koryph unhold");
      await rename(world, repository, "store");
      world.sandbox.faults.add({ webhooks: "lost", by: "maria", times: 1 });
      await people.comment(world.sandbox.world, "team/store", number, "maria", "/koryph hold again");
      await world.sandbox.settled();
      await swept(world, 1);
      const { entries } = await readBareLedger(repository.gitDir);
      expect(entries.map(({ line, repeat }) => [/"type":"([^"]+)"/.exec(line)?.[1], repeat])).toEqual([
        ["hold.placed", false],
        ["hold.lifted", false],
        ["hold.placed", false],
      ]);
      await rename(world, repository, "shop");
      expect(world.replies(number)).toHaveLength(3);
    },
    { long: true },
  );

  scenario("with another one: each keeps its own ledger", async (world) => {
    const { repository: shop } = world;
    const other = await another(world, "team/other");
    const say = async (name: string, bead: string) => {
      const issue = await people.openIssue(world.sandbox.world, name, "maria", { title: bead });
      await people.comment(world.sandbox.world, name, issue, "maria", `/koryph hold bead=${bead}`);
      await world.settled();
      return issue;
    };
    await say("team/shop", "one");
    await say("team/other", "two");
    await rename(world, shop, "between");
    await rename(world, other, "shop");
    await rename(world, shop, "other");
    await say("team/shop", "three");
    await say("team/other", "four");
    expect([await holders(shop), await holders(other)]).toEqual([
      ["one @maria", "four @maria"],
      ["two @maria", "three @maria"],
    ]);
    await rename(world, other, "between");
    await rename(world, shop, "shop");
    await rename(world, other, "other");
    for (const { number } of shop.issues) world.replies(number);
  });

  scenario(
    "and leaves it to another: what was asked for on the first is not answered there",
    async (world) => {
      const { repository: shop } = world;
      const issue = await world.as("maria").opens("Sell shoes");
      await world.stop();
      await world.as("maria").writes(issue, "/koryph status");
      const other = await another(world, "team/other");
      await people.openIssue(world.sandbox.world, "team/other", "maria", { title: "Sell shirts" });
      await world.sandbox.settled();
      rename(world, shop, "old");
      rename(world, other, "shop");
      await world.start();
      await expect.poll(() => told(world, "is not there by that name")).toBe(1);
      await world.settled();
      expect([botSaid(shop, issue), botSaid(other, issue)]).toEqual([[], []]);
      expect(told(world, "a job failed")).toBe(0);
    },
  );
});

describe("names and places", () => {
  const scenario = scenariosInOneWorld();
  scenario(
    "an owner with an underscore in their name is answered",
    async (world) => {
      const made = await another(world, "mona_octo/shop");
      const issue = await people.openIssue(world.sandbox.world, "mona_octo/shop", "maria", {
        title: "Shoes",
      });
      await people.comment(world.sandbox.world, "mona_octo/shop", issue, "maria", "/koryph hold");
      await world.settled();
      expect(botSaid(made, issue).join()).toContain("is held");
    },
    { long: true },
  );

  scenario("a branch below agent/ that can be no bead's is about no bead", async (world) => {
    const number = await world.opensAgentPull("foo/bar");
    const before = await world.events();
    await world.as("maria").says(number, "/koryph hold");
    expect(world.reply(number)).toContain("no_bead");
    expect(await world.events()).toEqual(before);
  });

  scenario("an answered comment is a line of the log, without its words", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world.as("maria").says(issue, "/koryph hold the word is swordfish\n/koryph drain\n/koryph dance");
    const lines = world.log.filter((line) => line.includes("koryph answered a comment"));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 30,
        by: "maria",
        thread: `${REPOSITORY}#${issue}`,
        commands: ["hold done", "drain refused no_run", "wrong unknown_verb"],
      },
    ]);
    // At the finest level the log has whole requests.
    const coarser = world.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 30);
    expect(coarser.join()).not.toContain("swordfish");
    world.reply(issue);
  });

  scenario(
    "a project that moves its ledger to another ref goes on there",
    async (world) => {
      const issue = await world.as("maria").opens("Sell shoes");
      await world.as("maria").says(issue, "/koryph hold");
      const project = JSON.parse(await projectText(world)) as object;
      const moved = JSON.stringify({ ...project, ledger: { ref: "refs/koryph/other" } });
      await world.sandbox.commit(REPOSITORY, "main", { "koryph.project.json": moved });
      await world.as("maria").says(issue, "/koryph unhold");
      await world.as("maria").says(issue, "/koryph hold");
      const [held, unheld, again] = world.replies(issue);
      expect(held).toContain("is held");
      expect(unheld).toContain("not_held");
      expect(again).toContain("is held");
    },
    { long: true },
  );
});
