import { expect, vi } from "vitest";
import { starterProject } from "../../../src/core/config/starter-project.js";
import type { NewEvent } from "../../../src/core/run/ledger/ledger-event.js";
import { runStarted } from "../../support/app/app-events.js";
import { type AppWorld, REPOSITORY, scenario } from "../../support/app/app-world.js";
import { dispatching } from "../../support/core/ledgers.js";
import { sha } from "../../support/core/slots.js";

/** Each look of the App's own begins with it. */
const BEGINNING = "apps/list-webhook-deliveries";

/** What an engine has on record of a bead whose work became this pull request. */
function openedPull(bead: string, pull: number): NewEvent[] {
  const run = "r-1";
  const id = `01HF7YAT0000000000000000${bead.slice(3).padStart(2, "0")}`;
  const usage = { cost_usd: 0, cost_known: true };
  const [from, base, head] = [sha("a"), sha("b"), sha("c")];
  const ended = { attempt: 1, outcome: "completed", detail: "", session: null, usage, commits: 1, head };
  const url = `https://github.example/pull/${pull}`;
  const work: NewEvent[] = [
    { type: "slot.dispatching", data: { ...dispatching, merge_policy: "pr" } },
    { type: "slot.started", data: { attempt: 1, process: { pid: 7, start: "1", boot: "b" } } },
    { type: "slot.ended", data: ended },
    { type: "slot.passed", data: { attempt: 1, note: "" } },
    { type: "slot.accepted", data: { branch: "main", from, base, head, commits: 1 } },
    { id, type: "pull.requested", data: { branch: "main", from, base, head, method: "ff" } },
    { type: "pull.opened", data: { request: id, pull, url, base, head } },
  ];
  return work.map((event) => ({ ...event, bead, run }));
}

/** Asks GitHub for something as maria, by its API. */
async function changes(world: AppWorld, method: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${world.sandbox.url}/repos/${REPOSITORY}/pulls/${path}`, {
    method,
    headers: {
      authorization: `token ${world.sandbox.tokenFor("maria")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
}

scenario("the App takes in what becomes of pull requests, by webhook and when it is asked", async (world) => {
  const [first, second] = [await world.opensAgentPull("gh-11"), await world.opensAgentPull("gh-12")];
  await world.record(runStarted(), ...openedPull("gh-11", first), ...openedPull("gh-12", second));
  const statusOf = async (bead: string) => (await world.state()).slots[bead]?.status;
  expect([await statusOf("gh-11"), await statusOf("gh-12")]).toEqual(["pr-opened", "pr-opened"]);

  await changes(world, "PATCH", `${first}`, { state: "closed" });
  await world.settled();
  expect(await statusOf("gh-11")).toBe("blocked");
  await changes(world, "PATCH", `${first}`, { state: "open" });
  await world.settled();
  expect(await statusOf("gh-11")).toBe("pr-opened");
  await changes(world, "PUT", `${first}/merge`, { merge_method: "squash" });
  await world.settled();
  const { slots } = await world.state();
  expect(slots["gh-11"]).toMatchObject({ status: "merged", landed: expect.stringMatching(/^[0-9a-f]{40}$/) });

  // A webhook that never comes is made up for by a person's word.
  world.sandbox.faults.add({ webhooks: "lost", event: "pull_request", times: 2 });
  await changes(world, "PATCH", `${second}`, { state: "closed" });
  await world.settled();
  expect(await statusOf("gh-12")).toBe("pr-opened");
  await world.as("rita").says(second, "/koryph sync");
  expect(world.replies(second).at(-1)).toMatch(/takes the `triage` role/);
  await world.as("tina").says(second, "/koryph sync --dry-run");
  expect(world.replies(second).at(-1)).toContain(
    `would be done: #${second} (\`gh-12\`): closed without landing`,
  );
  expect(await statusOf("gh-12")).toBe("pr-opened");
  await world.as("tina").says(second, "/koryph sync");
  expect(await statusOf("gh-12")).toBe("blocked");
  await world.as("tina").says(second, "/koryph sync");
  expect(world.replies(second).at(-1)).toContain("1 pull request is as before");

  // Or by the App's own look, with which it starts.
  await world.stop();
  await changes(world, "PATCH", `${second}`, { state: "open" });
  await world.start();
  await expect.poll(() => statusOf("gh-12")).toBe("pr-opened");
  await world.settled();
  const closed = (await world.events()).filter(({ line }) => line.includes('"pull.closed"'));
  expect(closed).toHaveLength(2);
});

scenario(
  "a merge and a close whose webhooks never came are taken in by the timer, once",
  async (world) => {
    const [first, second] = [await world.opensAgentPull("gh-11"), await world.opensAgentPull("gh-12")];
    await world.record(runStarted(), ...openedPull("gh-11", first), ...openedPull("gh-12", second));
    await world.settled();
    const statuses = async () => {
      const { slots } = await world.state();
      return [slots["gh-11"]?.status, slots["gh-12"]?.status];
    };
    const told = async (type: string) =>
      (await world.events()).filter(({ line }) => line.includes(`"type":"${type}"`)).length;
    world.sandbox.faults.add({ webhooks: "lost", times: 50 });
    await changes(world, "PUT", `${first}/merge`, { merge_method: "squash" });
    await changes(world, "PATCH", `${second}`, { state: "closed" });
    await world.settled();
    expect(await statuses()).toEqual(["pr-opened", "pr-opened"]);

    // The round before may not have ended yet, and the next one is counted from its end.
    const rounds = () => world.sandbox.requests.filter(({ operation }) => operation === BEGINNING).length;
    const another = (before: number) =>
      vi.waitFor(
        () => {
          world.clock.pass(5 * 60);
          expect(rounds()).toBeGreaterThan(before);
        },
        { timeout: 60_000, interval: 500 },
      );
    await another(rounds());
    await expect.poll(statuses).toEqual(["merged", "blocked"]);
    // What it has taken in, the next round finds as it is.
    await another(rounds());
    await world.settled();
    expect([await told("pull.merged"), await told("pull.closed")]).toEqual([1, 1]);
    expect(await statuses()).toEqual(["merged", "blocked"]);
  },
  { long: true },
);

scenario(
  "the issue of a landed bead is closed at once, with its commit, and once",
  async (world) => {
    const [issue, other] = [
      await world.as("maria").opens("Sell shoes"),
      await world.as("maria").opens("Sell hats"),
    ];
    const pull = await world.opensAgentPull(`gh-${issue}`);
    await world.record(
      runStarted(),
      ...openedPull(`gh-${issue}`, pull),
      ...openedPull(`gh-${other}`, pull + 90),
    );
    // Somebody with write access to the ledger says that a commit has landed which nobody has seen.
    const forged = { pull: pull + 90, url: "", head: sha("d"), by: "x" };
    await world.record({
      type: "pull.merged",
      bead: `gh-${other}`,
      run: "r-1",
      data: forged,
    } as unknown as NewEvent);
    await changes(world, "PUT", `${pull}/merge`, { merge_method: "squash" });
    await world.settled();
    const { landed, settled } = (await world.state()).slots[`gh-${issue}`] ?? {};
    // What is left of it on a runner, an engine tidies up.
    expect(settled).toBe(false);
    expect(world.issue(issue).state).toBe("closed");
    expect(world.statuses(issue)).toEqual([expect.stringContaining(`landed: ${landed}`)]);
    expect((await world.state()).slots[`gh-${other}`]).toMatchObject({ status: "merged", landed: sha("d") });
    expect(world.issue(other).state).toBe("open");

    await world.as("tina").says(pull, "/koryph sync");
    expect(world.replies(pull)).toHaveLength(1);
    await world.stop();
    await world.start();
    await world.settled();
    const closings = world.sandbox.requests.filter(({ operation }) => operation === "issues/update");
    expect(closings).toHaveLength(1);
  },
  { project: { ...(JSON.parse(starterProject("shop", ["true"])) as object), work_source: "github" } },
);

scenario(
  "an issue shows that the pull request with its work was closed by hand, and that it is open again",
  async (world) => {
    const issue = await world.as("maria").opens("Sell shoes");
    const other = await world.as("maria").opens("Sell hats");
    const pull = await world.opensAgentPull(`gh-${issue}`);
    const untouched = await world.opensAgentPull(`gh-${other}`);
    await world.record(
      runStarted(),
      ...openedPull(`gh-${issue}`, pull),
      ...openedPull(`gh-${other}`, untouched),
    );
    await changes(world, "PATCH", `${pull}`, { state: "closed" });
    await world.settled();
    expect(world.issue(issue).labels).toContain("koryph:blocked");
    expect(world.statuses(issue)).toEqual([expect.stringContaining("was closed without landing")]);

    // What is shown already is not written again.
    const isWrite = /^issues\/(?:create|update|add|remove|set)/;
    const writes = () => world.sandbox.requests.filter(({ operation }) => isWrite.test(operation)).length;
    const before = writes();
    await world.stop();
    await world.start();
    await world.settled();
    expect([before > 0, writes() - before]).toEqual([true, 0]);

    await changes(world, "PATCH", `${pull}`, { state: "open" });
    await world.settled();
    expect(world.issue(issue).labels).toContain("koryph:in-progress");
    expect(world.issue(issue).labels).not.toContain("koryph:blocked");
    expect(world.statuses(issue)).toEqual([expect.not.stringContaining("closed without landing")]);
    expect(world.statuses(other)).toEqual([]);
  },
  { project: { ...(JSON.parse(starterProject("shop", ["true"])) as object), work_source: "github" } },
);
