import { expect, vi } from "vitest";
import { isProtected } from "../../../src/core/land/protected-paths.js";
import { type AppWorld, REPOSITORY, scenariosInOneWorld } from "../../support/app/app-world.js";
import {
  LANDING,
  landingScenario,
  lands,
  last,
  movesBase,
  passes,
  tip,
  told,
} from "../../support/app/landing-stories.js";
import { keepTokens, ruledBy } from "../../support/app/refusal-stories.js";
import { REVIEWING, reviewerOf } from "../../support/app/review-stories.js";
import { bareGit, bareGitWith } from "../../support/core/ledgers.js";
import { LONG } from "../../support/long.js";
import { beforehand, wasHarmless } from "../../support/pulls/harmless.js";
import { HOSTILE_BRANCHES, HOSTILE_MESSAGES } from "../../support/pulls/hostile-branches.js";
import { HOSTILE_FILES, REFUSED_FILES, UNTAKEN_FILES } from "../../support/pulls/hostile-files.js";
import { type HostileChange, opensHostile } from "../../support/pulls/hostile-pulls.js";

vi.setConfig({ testTimeout: 120_000 });

const OWNED = { require_code_owner_review: true, required_approving_review_count: 1 };

/** Every file has an owner, so that replies name each file that is changed. */
const hostile = scenariosInOneWorld({ ...REVIEWING, ...LANDING }, async (world) => {
  ruledBy(world, [{ type: "pull_request", parameters: OWNED }]);
  await world.sandbox.commit(REPOSITORY, "main", { CODEOWNERS: "* @tina\n" });
});

const ANALYSED = /was analysed at .*: 1 finding; \[the review\]/;

interface Case {
  readonly name: string;
  readonly change: HostileChange;
  /** What is read of the review, and of what keeps it from landing. */
  readonly told: readonly RegExp[];
}

const CASES: readonly Case[] = [
  ...HOSTILE_FILES.map((file, at) => ({
    name: `a file name that is ${file.what}: ${JSON.stringify(`${file.path}`).slice(0, 60)}`,
    change: { branch: `file-${at}`, files: [file] },
    told: [ANALYSED, /no code owner has approved/],
  })),
  ...REFUSED_FILES.map(({ code, ...file }, at) => ({
    name: `a file that is ${file.what}: ${JSON.stringify(file.path)}`,
    change: { branch: `refused-${at}`, files: [file] },
    told: [ANALYSED, new RegExp(code)],
  })),
  ...UNTAKEN_FILES.map((file, at) => ({
    name: `a tree that holds ${file.what}: ${JSON.stringify(file.path)}`,
    change: { branch: `untaken-${at}`, files: [file] },
    told: [
      /❌ \| `\/koryph review`/u,
      /(git does not take its objects|submodule changed): .*unsupported_change/,
    ],
  })),
  ...HOSTILE_BRANCHES.map(({ what, branch }, at) => ({
    name: `a branch that is ${what}: ${JSON.stringify(branch).slice(0, 60)}`,
    change: { branch, files: [{ what, path: `branch-${at}.txt` }] },
    told: [ANALYSED, /no code owner has approved branch-/],
  })),
  ...HOSTILE_MESSAGES.map((message, at) => ({
    name: `a message that says ${JSON.stringify(message.slice(0, 60))}`,
    change: { branch: `message-${at}`, message, files: [{ what: "x", path: `message-${at}.txt` }] },
    told: [ANALYSED, /no code owner has approved message-/],
  })),
];

/** Somebody has it read, asks how it stands, and wants it landed; all three are told of later. */
async function asksForAll(world: AppWorld, pull: number, head: string): Promise<string> {
  keepTokens(world);
  await world.as("maria").says(pull, `/koryph review\n/koryph why\n/koryph land ${head.slice(0, 12)}`);
  const over = () => expect(last(world, pull)).not.toMatch(/🚀|koryph looks, and answers/u);
  await vi.waitFor(over, { timeout: 60_000, interval: 50 });
  await world.settled();
  return last(world, pull);
}

for (const { name, change, told: words } of CASES.filter((_, at) => LONG || at % 120 === 0))
  hostile(name, async (world) => {
    const before = await beforehand(world);
    const opened = await opensHostile(world, change);
    const [{ path } = { path: "x" }] = change.files;
    reviewerOf(world).answers([{ file: `${path}`, line: 1, summary: `Look at ${path}` }]);
    const reply = await asksForAll(world, opened.pull, opened.head);
    for (const each of words) expect(reply).toMatch(each);
    expect(reply).toMatch(/not landed: /);
    await wasHarmless(world, opened, before);
  });

/** What a machine may read as no name at all is protected. */
const LANDABLE = HOSTILE_FILES.filter(({ path }) => !isProtected(`${path}`));

landingScenario(
  "what people have approved lands with any names, replayed on a base that moved",
  async (world) => {
    const branch = HOSTILE_BRANCHES[6]?.branch ?? "";
    const { pull, head } = await opensHostile(world, { branch, files: LANDABLE });
    await passes(world, head);
    await world.as("walter").says(pull, `/koryph approve ${head.slice(0, 12)}`);
    const moved = await movesBase(world);
    await world.as("maria").says(pull, `/koryph land ${head.slice(0, 12)}`);
    const next = (await world.sandbox.world.resolve(world.repository, `refs/heads/${branch}`)) ?? "";
    expect(next).not.toBe(head);
    await passes(world, next);
    await told(world, pull, /has landed, at/);
    expect(await tip(world)).toBe(next);
    const { gitDir } = world.repository;
    const files = (commit: string) => bareGit(gitDir, "ls-tree", "-r", "-z", commit).split("\0");
    const added = files(head).filter((line) => !files(moved).includes(line));
    expect(added.length).toBeGreaterThan(100);
    expect(files(next)).toEqual(expect.arrayContaining(added));
    const before = await beforehand(world);
    await wasHarmless(world, { pull, head: next }, before);
  },
  { long: true },
);

landingScenario(
  "slips of old tools in the history of a repository keep nothing from landing",
  async (world) => {
    const { gitDir } = world.repository;
    const main = (await tip(world)) ?? "";
    const by = "Old <old@example.invalid> 1 +01234567";
    const text = `tree ${bareGit(gitDir, "rev-parse", `${main}^{tree}`).trim()}\nparent ${main}\nauthor ${by}\ncommitter ${by}\n\nold\n`;
    const old = bareGitWith(
      text,
      gitDir,
      "hash-object",
      "-t",
      "commit",
      "-w",
      "--literally",
      "--stdin",
    ).trim();
    bareGit(gitDir, "update-ref", "refs/heads/main", old);
    const { pull, head } = await opensHostile(world, {
      branch: "shoes",
      files: [{ what: "x", path: "shoes.txt" }],
    });
    await passes(world, head);
    await world.as("walter").says(pull, `/koryph approve ${head.slice(0, 12)}`);
    await lands(world, pull, `/koryph land ${head.slice(0, 12)}`);
    expect(await tip(world)).toBe(head);
  },
  { long: true },
);
