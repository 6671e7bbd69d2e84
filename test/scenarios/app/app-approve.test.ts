import { expect } from "vitest";
import { type AppWorld, REPOSITORY, scenario } from "../../support/app/app-world.js";

/** A pull request of ann's, who may only read; it is there for a while before anybody writes. */
async function opensPull(world: AppWorld, branch = "shoes"): Promise<{ pull: number; head: string }> {
  world.sandbox.addUser("ann");
  const by = { author: "ann", message: "feat: shoes" };
  const head = await world.sandbox.commit(REPOSITORY, branch, { "shoes.txt": "red\n" }, by);
  const { number: pull } = await world.sandbox.openPull(REPOSITORY, {
    author: "ann",
    head: branch,
    title: "Shoes",
  });
  world.clock.pass(60);
  return { pull, head };
}

const approvals = async (world: AppWorld, pull: number) =>
  ((await world.state()).pulls[pull]?.approvals ?? []).map(({ head, via, evidence }) => ({
    head,
    via,
    by: evidence.login,
  }));

scenario(
  "an approval is bound to the head that was there, and is not for those who made it",
  async (world) => {
    const { pull, head } = await opensPull(world);
    await world.as("walter").says(pull, "/koryph approve");
    expect(world.replies(pull).at(-1)).toMatch(
      /is approved by you for landing; that is enough for koryph; for GitHub's own count, \[approve/,
    );
    expect(await approvals(world, pull)).toEqual([{ head, via: "comment", by: "walter" }]);
    await world.as("walter").says(pull, "/koryph approve");
    expect(world.replies(pull).at(-1)).toContain("you have approved");

    // maria pushes, so her approval is none. By GitHub's clock she does so after the next comments were written.
    world.clock.pass(600);
    const next = await world.sandbox.commit(
      REPOSITORY,
      "shoes",
      { "shoes.txt": "blue\n" },
      { author: "maria" },
    );
    world.clock.pass(-590);
    await world.as("maria").says(pull, `/koryph approve ${next.slice(0, 12)}`);
    expect(world.replies(pull).at(-1)).toMatch(/you are the author of one of its commits/);
    await world.as("walter").says(pull, "/koryph approve");
    expect(world.replies(pull).at(-1)).toMatch(
      /nothing shows that the head, `[0-9a-f]{12}`, was there before you wrote/,
    );
    await world.as("walter").says(pull, `/koryph approve ${head.slice(0, 12)}`);
    expect(world.replies(pull).at(-1)).toContain("and you named");
    await world.as("walter").says(pull, `/koryph approve ${next.slice(0, 12)}`);
    expect(world.replies(pull).at(-1)).toContain("is approved by you");
    expect(await approvals(world, pull)).toEqual([{ head: next, via: "comment", by: "walter" }]);
  },
);

scenario("an approval in GitHub's own form counts the same, and is taken back with it", async (world) => {
  const { pull, head } = await opensPull(world);
  const review = async (login: string, event: string) => {
    const answer = await fetch(`${world.sandbox.url}/repos/${REPOSITORY}/pulls/${pull}/reviews`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${world.sandbox.tokenFor(login)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ event, body: "I looked at it", commit_id: head }),
    });
    expect(answer.status).toBe(200);
    await world.settled();
    return ((await answer.json()) as { id: number }).id;
  };
  await review("rita", "APPROVE");
  expect(await approvals(world, pull)).toEqual([]);
  const id = await review("walter", "APPROVE");
  expect(await approvals(world, pull)).toEqual([{ head, via: "review", by: "walter" }]);
  await fetch(`${world.sandbox.url}/repos/${REPOSITORY}/pulls/${pull}/reviews/${id}/dismissals`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${world.sandbox.tokenFor("maria")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ message: "not yet" }),
  });
  await world.settled();
  expect(await approvals(world, pull)).toEqual([]);
});

scenario(
  "closing a pull request is on record, with its reason",
  async (world) => {
    const { pull } = await opensPull(world);
    await world.as("walter").says(pull, "/koryph close superseded");
    expect(world.reply(pull)).toContain("closed without landing");
    expect(world.issue(pull).state).toBe("closed");
    expect((await world.events()).at(-1)?.line).toContain('"type":"pull.closed"');
  },
  { long: true },
);
