import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import examples from "@octokit/webhooks-examples" with { type: "json" };
import { describe, expect } from "vitest";
import { USER_CAP } from "../../../src/core/commands/rate.js";
import { sign } from "../../support/app/app-server.js";
import { type AppWorld, REPOSITORY, scenario, scenariosInOneWorld } from "../../support/app/app-world.js";

type Payload = Record<string, unknown>;
type Writer = { readonly login: string; readonly id: number; readonly type: string } | null;

const EXAMPLES = (examples as unknown as { name: string; examples: Payload[] }[]).flatMap((each) =>
  each.examples.map((payload) => ({ event: each.name, payload })),
);
const WRITINGS = ["issue_comment", "pull_request_review", "pull_request_review_comment"];

const STRANGER: Writer = { login: "stranger", id: 98, type: "User" };
const BOT: Writer = { login: "helper[bot]", id: 99, type: "Bot" };
const DELETED: Writer = null;

/** No installation of anything in the sandbox. */
const NOWHERE = 987_654_321;

describe("GitHub's example deliveries", () => {
  const scenario = scenariosInOneWorld();

  scenario("are all taken and lead to nothing", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world.as("maria").says(issue, "nothing to see");
    const before = everything(world);

    const answers = await sendAll(world, EXAMPLES);

    expect(EXAMPLES).toHaveLength(329);
    expect(answers.filter((status) => status !== 202)).toEqual(Array(4).fill(200)); // the pings
    expect(everything(world)).toEqual(before);
    await expectNoTrouble(world);
  });

  scenario(
    "with a command lead to nothing where the App is not installed, whoever wrote it",
    async (world) => {
      const before = everything(world);
      const given = [STRANGER, BOT, DELETED].flatMap((writer) =>
        [NOWHERE, installation(world).id].flatMap((id) =>
          EXAMPLES.filter(({ event }) => WRITINGS.includes(event)).map(({ event, payload }) => ({
            event,
            payload: { ...written(payload, writer), installation: { id } },
          })),
        ),
      );

      const answers = await sendAll(world, given);

      expect(given).toHaveLength(18 * 6);
      expect(answers.filter((status) => status !== 202)).toEqual([]);
      expect(everything(world)).toEqual(before);
      await expectNoTrouble(world);
      // Eleven of the eighteen tell of something new, twice; of the bot's only as many are looked at as of anybody's.
      // Reviews that may be an approval are looked at for that, besides.
      expect(warnings(world)).toHaveLength(11 * 2 + 2 * 2 + USER_CAP.most);
    },
    { long: true },
  );

  scenario("with a command on a thread that is there get what anybody gets who may not", async (world) => {
    const { issue, comment: first } = await thread(world);
    const example = EXAMPLES.find(({ event }) => event === "issue_comment")?.payload ?? {};
    const said = (writer: Writer, comment = first) => ({
      event: "issue_comment",
      payload: pointedAt(world, written(example, writer), { issue, comment }),
    });
    const comment = await world.as("rita").says(issue, "nothing to see");
    const before = everything(world);
    await sendAll(world, [said(BOT), said(DELETED)]);
    expect(everything(world)).toEqual(before);

    await sendAll(world, [said({ login: "rita", id: 5, type: "User" }, comment)]);
    expect(world.reply(issue)).toContain("not_permitted");
    expect(world.reactions(issue, comment)).toEqual(["eyes", "-1"]);
    expect(await world.events()).toEqual([]);
    await expectNoTrouble(world);
  });
});

describe("a comment is left alone, with one warning, when meanwhile", () => {
  const cases: { name: string; happens: (world: AppWorld) => void }[] = [
    { name: "the App was taken off", happens: (world) => world.sandbox.state.apps[0]?.installations.pop() },
    {
      name: "the App was suspended",
      happens: (world) => {
        installation(world).suspended = true;
      },
    },
    {
      name: "the repository was taken from the App",
      happens: (world) => installation(world).repositories.pop(),
    },
    {
      name: "a private repository was taken from the App",
      happens: (world) => {
        installation(world).repositories.pop();
        world.repository.private = true;
      },
    },
    {
      name: "the repository was deleted",
      happens: (world) => world.sandbox.state.repositories.pop(),
    },
  ];
  for (const [index, { name, happens }] of cases.entries())
    scenario(
      name,
      async (world) => {
        const { issue, comment } = await thread(world);
        const { payload = {} } = EXAMPLES.find(({ event }) => event === "issue_comment") ?? {};
        const maria = { login: "maria", id: 2, type: "User" };
        const told = pointedAt(world, written(payload, maria), { issue, comment });
        const { repository } = world;
        const before = JSON.stringify(repository.issues);
        happens(world);

        await sendAll(world, [{ event: "issue_comment", payload: told }]);

        expect(JSON.stringify(repository.issues)).toBe(before);
        expect(warnings(world)).toHaveLength(1);
        await expectNoTrouble(world);
        world.sandbox.state.repositories = [repository];
      },
      { long: index < 3 },
    );
});

/** A thread with a comment on it that no webhook told of as a command. */
async function thread(world: AppWorld): Promise<{ readonly issue: number; readonly comment: number }> {
  const issue = await world.as("maria").opens("Sell shoes");
  return { issue, comment: await world.as("maria").says(issue, "nothing to see") };
}

function installation(world: AppWorld) {
  const found = world.sandbox.state.apps[0]?.installations[0];
  if (found === undefined) throw new Error("the App is not installed");
  return found;
}

let ids = 1_000_000;

/** As if a command stood there, each time in another comment and by another stranger. */
function written(payload: Payload, writer: Writer): Payload {
  ids += 1;
  const user = writer === STRANGER ? { ...STRANGER, login: `stranger-${ids}` } : writer;
  const text = { body: "/koryph drain\n/koryph status", user, id: ids };
  const { comment, review, issue } = payload as Record<string, object | undefined>;
  return {
    ...payload,
    ...(comment && { comment: { ...comment, ...text } }),
    ...(review && { review: { ...review, ...text } }),
    ...(issue && { issue: { ...issue, pull_request: { url: "https://api.github.com/pulls/1" } } }),
  };
}

function pointedAt(
  world: AppWorld,
  payload: Payload,
  { issue: number, comment: id }: { readonly issue: number; readonly comment: number },
): Payload {
  const { comment, repository } = payload as Record<string, object>;
  return {
    ...payload,
    installation: { id: installation(world).id },
    repository: { ...repository, full_name: REPOSITORY, id: world.repository.id },
    issue: { number },
    comment: { ...comment, id },
  };
}

/** The statuses they were answered with, once nothing is left to do about them. */
async function sendAll(
  world: AppWorld,
  deliveries: readonly { readonly event: string; readonly payload: Payload }[],
): Promise<number[]> {
  const answers: number[] = [];
  for (const { event, payload } of deliveries) {
    const body = JSON.stringify(payload);
    const { status } = await fetch(`${world.url}/api/github/webhooks`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-github-event": event,
        "x-github-delivery": randomUUID(),
        "x-hub-signature-256": sign(body, world.env.WEBHOOK_SECRET),
      },
      body,
    });
    answers.push(status);
  }
  await world.settled();
  return answers;
}

/** All that anybody can see on the sandbox: what people and apps wrote and marked, and every ref. */
function everything(world: AppWorld): unknown {
  const refs = world.sandbox.state.repositories.map(({ gitDir }) =>
    execFileSync("git", ["--git-dir", gitDir, "for-each-ref"], { encoding: "utf8" }),
  );
  return { repositories: structuredClone(world.sandbox.state.repositories), refs };
}

function warnings(world: AppWorld): string[] {
  return world.log.filter((line) => line.includes("the App is not installed there"));
}

async function expectNoTrouble(world: AppWorld): Promise<void> {
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  expect(metrics).not.toMatch(/^koryph_jobs_total\{.*outcome="(failed|buried)"/m);
  const errors = world.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
  expect(errors).toEqual([]);
}
