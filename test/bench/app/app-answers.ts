import { report } from "../measure.js";
import { AppBenchWorld, REPOSITORY, until } from "./app-world.js";

const COMMENTS = 50;

/** What one comment holds at most; GitHub is asked most about those that change something. */
const FIVE = ["hold", "unhold", "status", "why", "help"];
const FIVE_CHANGES = ["hold", "unhold", "hold", "unhold", "hold"];

/** From a comment to the App's eyes on it, when fifty people ask at the same moment. */
export async function benchEyes(): Promise<void> {
  const world = await AppBenchWorld.open();
  try {
    world.install();
    await world.start();
    const people = Array.from({ length: COMMENTS }, (_, index) => `user-${index}`);
    const issues: number[] = [];
    for (const login of people) {
      world.sandbox.addUser(login);
      issues.push(await world.opens(login, login));
    }
    await world.sandbox.settled();
    const took = await Promise.all(
      people.map(async (login, index) => {
        const issue = issues[index] ?? 0;
        const start = performance.now();
        const comment = await world.writes(login, issue, "/koryph status");
        await until(() => world.hasReaction(issue, comment, (content) => content === "eyes"));
        return performance.now() - start;
      }),
    );
    const sorted = took.sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(COMMENTS * share) - 1] ?? 0;
    report(`${COMMENTS} comments at once, comment to 👀: median ms`, at(0.5), "—");
    report("the same: 95th percentile ms", at(0.95), "—");
  } finally {
    await world.close();
  }
}

/** On a pull request, by an App that was just started and installed, so that the tokens are counted. */
export async function benchRequests(): Promise<void> {
  for (const { name, verbs } of [
    { name: "/koryph help", verbs: ["help"] },
    { name: "/koryph hold", verbs: ["hold"] },
    { name: "five commands in one comment", verbs: FIVE },
    { name: "five that change something", verbs: FIVE_CHANGES },
  ]) {
    const body = verbs.map((verb) => `/koryph ${verb}`).join("\n");
    const world = await AppBenchWorld.open();
    try {
      await world.start();
      world.install();
      world.sandbox.addUser("walter");
      world.sandbox.setRole(REPOSITORY, "walter", "write");
      await world.sandbox.commit(REPOSITORY, "agent/shop-1", { "shoes.txt": "red\n" });
      const pull = { author: "walter", head: "agent/shop-1", title: "Sell shoes" };
      const { number: thread } = await world.sandbox.openPull(REPOSITORY, pull);
      const first = await requestsFor(world, thread, body);
      const second = await requestsFor(world, thread, body);
      report(`GitHub requests for ${name}, tokens included`, first, "≤ 12");
      report("the same once more, with the tokens at hand", second, "≤ 12");
    } finally {
      await world.close();
    }
  }
}

async function requestsFor(world: AppBenchWorld, issue: number, body: string): Promise<number> {
  const before = world.sandbox.requests.length;
  const comment = await world.writes("walter", issue, body);
  // The last thing the App does about a comment is its second reaction.
  await until(() => world.hasReaction(issue, comment, (content) => content !== "eyes"));
  await world.sandbox.settled();
  return world.sandbox.requests.length - before;
}
