import { expect, vi } from "vitest";
import { starterProject } from "../../../src/core/config/starter-project.js";
import { AppProcess } from "../../support/app/app-process.js";
import { REPOSITORY, scenario } from "../../support/app/app-world.js";
import { last, opens, told } from "../../support/app/landing-stories.js";
import { REVIEWING, reviewerOf, shown } from "../../support/app/review-stories.js";

const PROJECT = JSON.parse(starterProject("shop", ["true"])) as Record<string, unknown>;

vi.setConfig({ testTimeout: 120_000 });

scenario(
  "a review by comment is posted on the head, and a second one says only what is new",
  async (world) => {
    await world.sandbox.commit(REPOSITORY, "main", { "AGENTS.md": "notes of the base\n" });
    const reviewer = reviewerOf(world);
    const { pull } = await opens(world);
    const orders = { "AGENTS.md": "orders of a stranger\n" };
    const head = await world.sandbox.commit(REPOSITORY, "shoes", orders, { author: "ann" });
    reviewer.answers([{ file: "shoes.txt", line: 1, summary: "Red does not sell." }], true);
    await world.as("tina").says(pull, "/koryph review");
    await told(world, pull, /✅.*was analysed at .*: 1 finding, and the verdict blocks; \[the review\]/u);
    const reviews = await shown(world, `/pulls/${pull}/reviews`);
    expect(reviews).toMatchObject([{ state: "COMMENTED", commit_id: head, user: { login: "koryph[bot]" } }]);
    const checks = await shown(world, `/commits/${head}/check-runs?check_name=koryph%20/%20review`);
    expect(checks.check_runs).toMatchObject([{ name: "koryph / review", conclusion: "failure" }]);
    expect((await world.state()).pulls[pull]?.analysis).toMatchObject({ head, verdict: "blocking" });
    expect(reviewer.noted("notes")).toBe("notes of the base\n");
    expect(reviewer.noted("env")).not.toMatch(/gh[a-z]_|AUTHORIZATION|PRIVATE_KEY|WEBHOOK/i);

    // The same head again is known; read again on request, it gives nothing new to say.
    await world.as("tina").says(pull, "/koryph review");
    expect(last(world, pull)).toMatch(/was analysed already: 1 finding.*review full/s);
    await world.as("tina").says(pull, "/koryph review full");
    await told(world, pull, /all of it stands on the pull request already/);
    expect(await shown(world, `/pulls/${pull}/reviews`)).toHaveLength(1);
    expect(reviewer.runs()).toBe(2);
    // One comment tells how it stands, however many reviews there were.
    await expect.poll(() => world.statuses(pull)).toEqual([expect.stringContaining(head.slice(0, 12))]);

    // Words of a person's own go where the change shows the line, and else into the review's text; no mark gets through.
    const finding = "<!-- koryph:finding id=1 -->";
    await world.as("tina").says(pull, `/koryph comment shoes.txt:1 why red? ${finding}`);
    expect(last(world, pull)).toMatch(/your words go on `shoes.txt:1`; \[here\]/);
    await world.as("tina").says(pull, "/koryph comment README.md:1 and this?");
    const [, onLine, inText] = await shown(world, `/pulls/${pull}/reviews`);
    expect([onLine.state, inText.state]).toEqual(["COMMENTED", "COMMENTED"]);
    expect(inText.body).toMatch(/README.*and this.*tina/s);
    const remark = (await shown(world, `/pulls/${pull}/comments`)).at(-1);
    expect(remark).toMatchObject({ path: "shoes.txt", line: 1, commit_id: head });
    expect(remark.body).not.toContain("<!--");
    await world.as("rita").says(pull, "/koryph review");
    expect(last(world, pull)).toMatch(/takes the `triage` role/);
  },
  REVIEWING,
);

scenario(
  "a server that stops while a reviewer reads goes on after its start, and a head that moved meanwhile is told",
  async (world) => {
    const reviewer = reviewerOf(world);
    const { pull } = await opens(world);
    reviewer.answers([{ file: "shoes.txt", line: 1, summary: "Red does not sell." }]);
    reviewer.slow();
    await world.as("tina").writes(pull, "/koryph review");
    await vi.waitFor(() => expect(reviewer.runs()).toBe(1), { timeout: 30_000, interval: 50 });
    expect(last(world, pull)).toMatch(/🚀.*a reviewer is about to read/u);
    await world.stop();
    reviewer.quick();
    await world.start();
    await told(world, pull, /was analysed at .*: 1 finding; \[the review\]/);
    expect(reviewer.runs()).toBe(2);
    expect(await shown(world, `/pulls/${pull}/reviews`)).toHaveLength(1);

    await world.sandbox.commit(REPOSITORY, "shoes", { "a.txt": "a\n" }, { author: "ann" });
    reviewer.slow();
    await world.as("tina").writes(pull, "/koryph review");
    await vi.waitFor(() => expect(reviewer.runs()).toBe(3), { timeout: 30_000, interval: 50 });
    await world.sandbox.commit(REPOSITORY, "shoes", { "a.txt": "b\n" }, { author: "ann" });
    reviewer.quick();
    await told(world, pull, /the head is .* by now, so nothing was posted.*head_moved/s);
    expect(await shown(world, `/pulls/${pull}/reviews`)).toHaveLength(1);

    await world.as("walter").says(pull, "/koryph close");
    await world.as("tina").says(pull, "/koryph review");
    expect(last(world, pull)).toMatch(/is closed, so there is nothing to analyse/);
  },
  { ...REVIEWING, long: true },
);

scenario(
  "a server that is killed while a reviewer reads comes back and posts one review",
  async (world) => {
    const reviewer = reviewerOf(world);
    reviewer.answers([{ file: "shoes.txt", line: 1, summary: "Red does not sell." }]);
    reviewer.slow();
    const { pull } = await opens(world);
    await world.stop();
    const app = await AppProcess.open(world);
    await app.start();
    await world.as("tina").writes(pull, "/koryph review");
    await vi.waitFor(() => expect(reviewer.runs()).toBe(1), { timeout: 30_000, interval: 50 });
    await app.kill();
    reviewer.quick();
    await app.start();
    await told(world, pull, /was analysed at .*: 1 finding; \[the review\]/);
    await app.settled(30_000, "analysis");
    expect(await shown(world, `/pulls/${pull}/reviews`)).toHaveLength(1);
    const ends = (await world.events()).filter(({ line }) => line.includes('"job.done"'));
    expect(ends).toHaveLength(1);
    expect(await app.stop()).toBe(0);
  },
  { ...REVIEWING, long: true },
);

scenario(
  "a pull request of koryph's own is analysed by itself, and the newest head only",
  async (world) => {
    const reviewer = reviewerOf(world);
    reviewer.answers([]);
    const { pull: other } = await opens(world, { branch: "hats" });
    reviewer.slow();
    const pull = await world.opensAgentPull("shoes");
    // A push on its heels: nobody looks at what was there before.
    await world.sandbox.commit(REPOSITORY, "agent/shoes", { "shoes.txt": "brown\n" });
    await world.settled();
    expect(reviewer.runs()).toBe(0);
    world.clock.pass(60);
    await vi.waitFor(() => expect(reviewer.runs()).toBe(1), { timeout: 30_000, interval: 50 });
    // Two pushes while that head is read: the one in the middle is nobody's concern any more.
    await world.sandbox.commit(REPOSITORY, "agent/shoes", { "shoes.txt": "blue\n" });
    const head = await world.sandbox.commit(REPOSITORY, "agent/shoes", { "shoes.txt": "green\n" });
    await world.sandbox.settled();
    reviewer.quick();
    const second = () => {
      // The server may hear of the pushes only now, and waits from then on.
      world.clock.pass(60);
      expect(reviewer.runs()).toBe(2);
    };
    await vi.waitFor(second, { timeout: 60_000, interval: 200 });
    await world.settled();
    expect(reviewer.runs()).toBe(2);
    const reviews = await shown(world, `/pulls/${pull}/reviews`);
    expect(reviews).toMatchObject([{ state: "COMMENTED", commit_id: head }]);
    expect(await shown(world, `/pulls/${other}/reviews`)).toEqual([]);
  },
  { ...REVIEWING, project: { ...PROJECT, review: { pulls: "own" } }, long: true },
);

scenario(
  "137 findings in a report of 60,000 characters, on 3,000 changed files: all of them can be read, and GitHub takes every request",
  async (world) => {
    const reviewer = reviewerOf(world);
    const { pull } = await opens(world);
    const files = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, n) => [`src/f${n}.txt`, `${"x".repeat(n % 50)}${n}\n`]),
    );
    const head = await world.sandbox.commit(REPOSITORY, "shoes", files, { author: "ann" });
    const end = (n: number) => `(finding number ${n})`;
    const summary = (n: number) => `${"Red does not sell, é. ".repeat(20)}${end(n)}`;
    // Most are of lines that the change does not show, of files that it does not have, or of no file at all.
    const places = (n: number) => {
      if (n % 4 === 1) return { file: `src/f${n}.txt`, line: 900 + n };
      if (n % 4 === 2) return { file: `elsewhere/f${n}.txt`, line: n };
      return n % 4 === 3 ? { file: "", line: null } : { file: `src/f${n}.txt`, line: 1 };
    };
    const findings = Array.from({ length: 137 }, (_, n) => ({ ...places(n), summary: summary(n) }));
    expect(JSON.stringify(findings).length).toBeGreaterThan(60_000);
    reviewer.answers(findings, true);

    await world.as("tina").says(pull, "/koryph review");
    await told(world, pull, /✅.*was analysed at .*: 137 findings, and the verdict blocks; \[the review\]/u);
    const all = async (path: string) => [
      ...(await shown(world, `${path}?per_page=100`)),
      ...(await shown(world, `${path}?per_page=100&page=2`)),
    ];
    const reviews = await all(`/pulls/${pull}/reviews`);
    const comments = await all(`/pulls/${pull}/comments`);
    const { check_runs: checks } = await shown(
      world,
      `/commits/${head}/check-runs?check_name=koryph%20/%20review`,
    );
    expect(checks).toMatchObject([{ conclusion: "failure" }]);
    const annotations = await all(`/check-runs/${checks[0].id}/annotations`);
    expect(comments).toHaveLength(35);
    expect(annotations).toHaveLength(103);
    const posted: string = [...reviews, ...comments]
      .map(({ body }) => body)
      .join("\n")
      .replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)));
    expect(findings.filter((_, n) => !posted.includes(end(n)))).toEqual([]);
    expect(world.sandbox.requests.filter(({ status }) => status === 422)).toEqual([]);

    // Read once more, there is nothing new to say.
    await world.as("tina").says(pull, "/koryph review full");
    await told(world, pull, /all of it stands on the pull request already/);
    expect(await all(`/pulls/${pull}/reviews`)).toHaveLength(reviews.length);
  },
  { ...REVIEWING, long: true },
);
