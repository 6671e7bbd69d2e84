import { describe, expect } from "vitest";
import { runStarted, slotDispatched, slotStarted } from "../../support/app/app-events.js";
import { scenario, scenariosInOneWorld } from "../../support/app/app-world.js";

describe("while no run is under way", () => {
  const idle = scenariosInOneWorld();

  idle("help lists what there is, and who may use it", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const asked = await world.as("rita").says(issue, "/koryph help");
    const reply = world.reply(issue);
    expect(reply).toContain("`/koryph help`");
    for (const verb of ["status", "why", "nudge", "drain", "land"]) expect(reply).toContain(verb);
    expect(world.reactions(issue, asked)).toEqual(["eyes", "+1"]);
  });

  idle(
    "help about one command shows how it is written",
    async (world) => {
      const issue = await world.as("maria").opens("Sell shoes");
      await world.as("rita").says(issue, "/koryph help resize");
      expect(world.reply(issue)).toMatch(/resize.*--force/s);
    },
    { long: true },
  );

  idle(
    "why names each condition, who can meet it and how, with the comment that caused it",
    async (world) => {
      const issue = await world.as("maria").opens("Sell shoes");
      await world.as("walter").says(issue, "/koryph hold until the law has changed");
      expect(world.replies(issue)).toHaveLength(1);
      await world.as("rita").says(issue, "/koryph why");
      const [, reply = ""] = world.replies(issue);
      expect(reply).toMatch(
        /held by @walter: until the law has changed \(\[there\]\(…\)\).*write.*\/koryph unhold/,
      );
      expect(reply).toContain("no run is under way");
      expect(reply).toContain('"code": "held"');
    },
  );

  idle("a hold is on record with its evidence, and unhold takes it back", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const comment = await world.as("walter").says(issue, "/koryph hold after the release");
    expect(world.reply(issue)).toContain(`\`gh-${issue}\` is held`);
    expect(world.reactions(issue, comment)).toEqual(["eyes", "+1"]);
    expect((await world.state()).holds[`gh-${issue}`]).toMatchObject({
      actor: "@walter",
      reason: "after the release",
      evidence: { source: `comment ${comment}`, login: "walter", url: expect.stringContaining(`${comment}`) },
    });
    await world.as("walter").says(issue, "/koryph unhold");
    expect(world.replies(issue)).toHaveLength(2);
    expect((await world.state()).holds).not.toHaveProperty(`gh-${issue}`);
  });

  idle(
    "a sixth command is not read, and the reply says so",
    async (world) => {
      const issue = await world.as("maria").opens("Sell shoes");
      await world.as("rita").says(issue, Array(6).fill("/koryph status").join("\n"));
      expect(world.reply(issue)).toMatch(/1 more command was not read: one comment holds 5 at most/);
    },
    { long: true },
  );

  idle(
    "the text of a review counts like a comment",
    async (world) => {
      const pull = await world.opensAgentPull("shop-2");
      await world.as("walter").reviews(pull, {
        state: "COMMENTED",
        body: "/koryph hold",
        comments: [{ path: "shoes.txt", line: 1, body: "/koryph why" }],
      });
      const replies = world.replies(pull);
      expect(replies).toHaveLength(2);
      expect(replies.join("\n")).toMatch(/`shop-2` is held/);
      expect(replies.join("\n")).toMatch(/things keep `\w{12}` from landing on `main`.*`not_approved`/s);
    },
    { long: true },
  );
});

describe("during a run", () => {
  const during = scenariosInOneWorld({}, (world) => world.record(runStarted()));

  during("status shows the run and the bead of the issue", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world.record(slotDispatched(`gh-${issue}`, "Sell shoes"), slotStarted(`gh-${issue}`));
    await world.as("rita").says(issue, "How is it going?\n\n/koryph status");
    expect(world.reply(issue)).toMatch(new RegExp(`gh-${issue} +running +attempt 1`));
  });

  during("an answer says how old it is when the engine was heard of a while ago", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const bead = `gh-${issue}`;
    await world.record(slotDispatched(bead, "Sell shoes"), slotStarted(bead));
    await world.as("rita").says(issue, "/koryph status");
    expect(world.reply(issue)).not.toContain("as of");
    world.clock.pass(30);
    await world.as("rita").says(issue, "/koryph why");
    expect(world.replies(issue)[1]).toMatch(
      new RegExp(`1 thing keeps \`${bead}\` from landing, as of [-\\d: ]+ UTC\\.`),
    );
  });

  during("a dry run tells what would be done and does nothing", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const before = await world.events();
    await world.as("maria").says(issue, "/koryph drain --dry-run");
    expect(world.reply(issue)).toMatch(/🔎.*would be done: agents at work finish/u);
    expect(await world.events()).toEqual(before);
  });

  during("once one has failed, those after it that would change something are left alone", async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    await world
      .as("maria")
      .says(issue, "/koryph resize 3\n/koryph stop gh-99\n/koryph drain\n/koryph status");
    const reply = world.reply(issue);
    expect(reply).toMatch(/🚀.*resize 3/u);
    expect(reply).toMatch(/❌.*no run knows of `gh-99`.*unknown_bead/u);
    expect(reply).toMatch(/⏭️.*drain.*one before it failed/u);
    expect(reply).toMatch(/✅.*status/u);
    expect((await world.state()).requests).toEqual([]);
  });

  during("the bead of a pull request goes by its branch", async (world) => {
    const pull = await world.opensAgentPull("shop-1");
    await world.record(slotDispatched("shop-1", "Shoes"), slotStarted("shop-1"));
    await world.as("tina").says(pull, "/koryph nudge make them blue");
    expect(world.reply(pull)).toContain("left for the agent of `shop-1`");
    expect((await world.state()).requests).toMatchObject([{ request: { verb: "nudge", bead: "shop-1" } }]);
  });
});

scenario("five commands in one comment run in order and get one reply with five rows", async (world) => {
  const issue = await world.as("maria").opens("Sell shoes");
  const bead = `gh-${issue}`;
  await world.record(runStarted(), slotDispatched(bead, "Sell shoes"), slotStarted(bead));
  const comment = await world
    .as("maria")
    .says(
      issue,
      [
        "Please:",
        "",
        "/koryph nudge use the interface",
        "/koryph stop",
        "/koryph resize 2",
        "/koryph drain",
        "/koryph status",
      ].join("\n"),
    );
  const rows = world
    .reply(issue)
    .split("\n")
    .filter((line) => /^\| (🚀|✅)/u.test(line));
  expect(rows).toHaveLength(5);
  expect(rows[0]).toContain("“use the interface”");
  expect(world.reactions(issue, comment)).toEqual(["eyes", "rocket"]);
  const { requests, resize } = await world.state();
  expect(requests.map(({ request, actor }) => `${actor} ${request.verb}`)).toEqual([
    "@maria nudge",
    "@maria stop",
    "@maria drain",
  ]);
  expect(resize).toEqual({ max: 2, force: false });
});
