import { expect, test, vi } from "vitest";
import { replyMarker } from "../../../src/core/replies/app/reply.js";
import { EventsWorld, expectGreen, type GivenRun } from "../../support/action/events-world.js";
import { REPOSITORY } from "../../support/app/app-world.js";
import { LANDING } from "../../support/app/landing-stories.js";
import { longTest } from "../../support/long.js";

vi.setConfig({ testTimeout: 120_000 });

test("a mark that another workflow wrote under the same name keeps nobody from their answer", async () => {
  const world = await EventsWorld.open();
  const issue = await world.app.as("maria").opens("Sell shoes");
  expectGreen(await world.runs(world.schedule));
  const { id, event } = await world.says("maria", issue, `/koryph hold gh-${issue} wait`);
  const forged = `${replyMarker(`comment ${id}`)}\n✅ nothing to see here`;
  const token = world.workflowToken();
  const write = (path: string, body: object) =>
    fetch(`${world.sandbox.url}/repos/${REPOSITORY}/issues/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await write(`${issue}/comments`, { body: forged })).status).toBe(201);
  expect((await write(`comments/${id}/reactions`, { content: "+1" })).status).toBe(201);

  // The comment's own run never came, so the schedule has to find it in spite of the mark.
  expectGreen(await world.runs(world.schedule));
  expect(await world.types()).toMatchObject({ "hold.placed": 1, "app.answered": 1 });
  expect(world.app.replies(issue).filter((text) => /✅ \[.*hold/.test(text))).toHaveLength(1);
  expectGreen(await world.runs(event));
  expect(await world.types()).toMatchObject({ "hold.placed": 1, "app.answered": 1 });
});

longTest("a fork's pull request is looked at, and nothing of it is run", async () => {
  const world = await EventsWorld.open(LANDING);
  const { sandbox } = world;
  sandbox.addUser("mallory");
  await sandbox.addFork(REPOSITORY, "mallory");
  const evil = "$(touch /tmp/koryph-was-here)`id`::error::owned";
  await sandbox.commit("mallory/shop", "patch", {
    "koryph.project.json": '{"bootstrap":["touch /tmp/koryph-was-here"]}',
    "package.json": '{"scripts":{"prepare":"touch /tmp/koryph-was-here"}}',
  });
  const pull = await sandbox.openPull(REPOSITORY, { author: "mallory", head: "mallory:patch", title: evil });
  const opened = await world.runs(await world.newest("pull_request", "pull_request_target"));
  expectGreen(opened);
  expect(opened.log).not.toContain("::error::owned");

  const { id, event } = await world.says("mallory", pull.number, "/koryph land");
  expectGreen(await world.runs(event));
  expect(world.app.reactions(pull.number, id)).toContain("-1");
  expect(world.app.replies(pull.number).join()).toContain("not_permitted");
  expect(await world.types()).not.toHaveProperty("pull.landing");
  expect(sandbox.problems).toEqual([]);
});

const WRONG: readonly { name: string; given: GivenRun; event?: string; says: string }[] = [
  { name: "an event that is null", given: { file: "null" }, says: "it is no JSON object" },
  { name: "a file that was cut off", given: { file: '{"action":' }, says: "is no event of GitHub's" },
  { name: "a file that is not there", given: { file: null }, says: "cannot be read" },
  {
    name: "an event without a repository",
    given: { file: '{"action":"created"}' },
    says: "it has no repository",
  },
  {
    name: "an event of another repository",
    given: { file: '{"action":"created","repository":{"id":1,"full_name":"other/shop"}}' },
    says: "the event is of other/shop",
  },
  {
    name: "an event that runs files of pull requests",
    event: "pull_request",
    given: {},
    says: "no pull_request events",
  },
];

longTest("what is no event is told in one sentence, and the step fails", async () => {
  const world = await EventsWorld.open();
  for (const { name, given, event = "issue_comment", says } of WRONG) {
    const result = await world.runs({ name: event, payload: {} }, given);
    expect(result.conclusion, name).toBe("failure");
    expect(result.annotations.map(({ message }) => message).join(), name).toContain(says);
    expect(result.log, name).not.toContain("fault in koryph");
  }
  const issue = await world.app.as("maria").opens("Sell shoes");
  const { event } = await world.says("maria", issue, "/koryph status");
  const personal = await world.runs(event, { token: world.sandbox.tokenFor("maria") });
  expect(personal.conclusion).toBe("failure");
  expect(personal.annotations[0]?.message).toContain("of maria, a person");
  expect(world.app.replies(issue)).toEqual([]);
});
