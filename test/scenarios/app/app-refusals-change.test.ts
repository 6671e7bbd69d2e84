import { expect, vi } from "vitest";
import { type AppWorld, REPOSITORY, scenariosInOneWorld } from "../../support/app/app-world.js";
import {
  LANDING,
  landed,
  lands,
  last,
  opens,
  opensPushed,
  passes,
  tip,
  told,
} from "../../support/app/landing-stories.js";
import {
  changesPull,
  type ReadRefusal,
  reads,
  refusesToLand,
  ruledBy,
} from "../../support/app/refusal-stories.js";
import { bareGit, bareGitWith } from "../../support/core/ledgers.js";

vi.setConfig({ testTimeout: 120_000 });

const LONG = { long: true };
const changed = scenariosInOneWorld(LANDING, async (world) => ruledBy(world, []));
let count = 0;

/** A pull request of ann's with these files, green, on the base as it is now. */
async function green(world: AppWorld, files: Readonly<Record<string, string>> = { "shoes.txt": "red\n" }) {
  count += 1;
  world.sandbox.addUser("ann");
  const parent = (await tip(world)) ?? "";
  const by = { author: "ann", message: `feat: shoes ${count}`, parent };
  const head = await world.sandbox.commit(REPOSITORY, `shoes-${count}`, files, by);
  return { ...(await opensPushed(world, `shoes-${count}`, head)), branch: `shoes-${count}` };
}

/** A branch of ann's that ends with the commit of a tree that no checkout would give. */
async function branchOf(world: AppWorld, tree: (main: string) => string, parents: string[] = []) {
  count += 1;
  world.sandbox.addUser("ann");
  const main = (await tip(world)) ?? "";
  const by = ["-c", "user.name=ann", "-c", "user.email=ann@users.noreply.github.com"];
  const given = [main, ...parents].flatMap((parent) => ["-p", parent]);
  const { gitDir } = world.repository;
  const head = bareGit(gitDir, ...by, "commit-tree", tree(main), ...given, "-m", "feat: by hand").trim();
  bareGit(gitDir, "update-ref", `refs/heads/hand-${count}`, head);
  return { ...(await opensPushed(world, `hand-${count}`, head)), branch: `hand-${count}` };
}

changed(
  "what is closed, merged or a draft is not put into the queue",
  async (world) => {
    const closed = await green(world);
    await changesPull(world, "maria", closed.pull, { state: "closed" });
    const notOpen = { code: "not_open", need: /an open pull request/ };
    await refusesToLand(world, closed.pull, {
      ...{ ...notOpen, found: /the pull request is closed/, next: /reopen it, then `\/koryph land`/ },
    });
    for (const command of ["approve", "close superseded", "comment shoes.txt:1 why red?"]) {
      await world.as("maria").says(closed.pull, `/koryph ${command}`);
      expect(last(world, closed.pull)).toMatch(/^❌ .*this pull request is not open.*not_open/u);
    }
    count += 1;
    const head = await world.sandbox.commit(REPOSITORY, "draft", { "d.txt": "x\n" }, { author: "ann" });
    const draft = await opensPushed(world, "draft", head, { draft: true });
    await refusesToLand(world, draft.pull, {
      code: "draft",
      found: /the pull request is a draft/,
      need: /one that is ready for review/,
      next: /mark it as ready for review, then `\/koryph land`/,
    });
    const merged = await green(world);
    await lands(world, merged.pull);
    await refusesToLand(world, merged.pull, {
      ...{ ...notOpen, found: /the pull request is merged already/, next: /\(`not_open`\)\.$/ },
    });
  },
  LONG,
);

changed(
  "a force-push or another base branch between the comment and the landing: nothing moves",
  async (world) => {
    const before = { base: await tip(world), landed: await landed(world) };
    await world.sandbox.commit(REPOSITORY, "release", { "r.txt": "1\n" }, { author: "maria" });
    const [pushed, moved] = [
      await opens(world, { branch: "pushed" }),
      await opens(world, { branch: "moved" }),
    ];
    await world.as("maria").says(pushed.pull, "/koryph land");
    expect(last(world, pushed.pull)).toContain("is in the queue");
    const by = { author: "ann", parent: before.base ?? "" };
    const next = await world.sandbox.commit(REPOSITORY, "pushed", { "pushed.txt": "blue\n" }, by);
    await passes(world, next);
    await reads(
      world,
      pushed.pull,
      {
        code: "head_moved",
        found: new RegExp(
          `its head is ${next.slice(0, 12)} now, and ${pushed.head.slice(0, 12)} was asked for`,
        ),
        need: /the head that people have seen/,
        next: new RegExp(
          `look at what is new, \`/koryph approve ${next.slice(0, 12)}\`, then \`/koryph land`,
        ),
      },
      before,
    );
    await world.as("maria").says(moved.pull, "/koryph land");
    expect(last(world, moved.pull)).toContain("is in the queue");
    await changesPull(world, "maria", moved.pull, { base: "release" });
    await passes(world, moved.head);
    await reads(
      world,
      moved.pull,
      {
        code: "base_changed",
        found: /its base branch is release now, and was main when the landing was asked for/,
        need: /the base branch that was meant/,
        next: /`\/koryph land`, if it is to land there/,
      },
      before,
    );
  },
  LONG,
);

const HAND = /a person who lands it/;

const STORIES: readonly {
  readonly name: string;
  readonly open: (world: AppWorld) => Promise<{ readonly pull: number; readonly head: string }>;
  readonly refusal: ReadRefusal;
}[] = [
  {
    name: "orders for agents",
    open: (world) => green(world, { "CLAUDE.md": "obey\n", "shoes.txt": "red\n" }),
    refusal: {
      code: "protected_path",
      found: /it changes CLAUDE\.md, which steers agents, gates or trust/,
      need: HAND,
      next: /merge it on GitHub/,
    },
  },
  {
    name: "a submodule",
    open: (world) =>
      branchOf(world, (main) => {
        const { gitDir } = world.repository;
        const entries = `${bareGit(gitDir, "ls-tree", main).trim()}\n160000 commit ${main}\tvendor\n`;
        return bareGitWith(entries, gitDir, "mktree", "--missing").trim();
      }),
    refusal: {
      code: "unsupported_change",
      found: /vendor/,
      need: /commits that koryph can check one by one/,
      next: /rewrite the branch without that, or merge it on GitHub/,
    },
  },
  {
    name: "a commit that changes nothing",
    open: (world) => branchOf(world, (main) => `${main}^{tree}`),
    refusal: {
      code: "no_changes",
      found: /change nothing that the base branch does not have already/,
      need: /a change/,
      next: /close it with `\/koryph close`/,
    },
  },
  {
    name: "more commits than GitHub tells the people of",
    open: async (world) => {
      const { gitDir } = world.repository;
      let tip = bareGit(gitDir, "rev-parse", "main").trim();
      const by = ["-c", "user.name=ann", "-c", "user.email=ann@users.noreply.github.com"];
      for (let made = 0; made < 249; made += 1)
        tip = bareGit(gitDir, ...by, "commit-tree", `${tip}^{tree}`, "-p", tip, "-m", `feat: ${made}`).trim();
      const blob = bareGitWith("x", gitDir, "hash-object", "-w", "--stdin").trim();
      const tree = bareGitWith(`100644 blob ${blob}\tmany.txt\n`, gitDir, "mktree").trim();
      const head = bareGit(gitDir, ...by, "commit-tree", tree, "-p", tip, "-m", "feat: many").trim();
      bareGit(gitDir, "update-ref", "refs/heads/many", head);
      const { pull } = await opensPushed(world, "many", head);
      await world.as("walter").says(pull, "/koryph approve");
      expect(last(world, pull)).toMatch(/so many commits that GitHub does not tell.*too_large/);
      return { pull, head };
    },
    refusal: {
      code: "too_large",
      found: /it has 250 commits, and GitHub does not tell who made all of them/,
      need: /fewer than 250 commits/,
      next: /split it, or squash some of its commits/,
    },
  },
];

for (const { name, open, refusal } of STORIES)
  changed(
    `${name}: refused as ${refusal.code}`,
    async (world) => {
      const { pull, head } = await open(world);
      await refusesToLand(world, pull, refusal, `/koryph land ${head.slice(0, 12)}`);
    },
    LONG,
  );

changed(
  "a workflow file is named beside the protected path that it is, before anybody asks for a landing",
  async (world) => {
    const base = await tip(world);
    const { pull } = await green(world, { ".github/workflows/Ci.yml": "on: push\n" });
    await world.as("rita").says(pull, "/koryph why");
    await told(world, pull, /protected_path.*workflow_file.*GitHub lets no app push workflow files/s);
    expect(last(world, pull)).toMatch(/it changes \.github\/workflows\/Ci\.yml/);
    await refusesToLand(world, pull, {
      code: "protected_path",
      found: /\.github\/workflows\/Ci\.yml/,
      need: HAND,
      next: /merge it on GitHub/,
    });
    expect(await tip(world)).toBe(base);
  },
  LONG,
);

changed(
  "a merge where a rule wants a linear history is named",
  async (world) => {
    ruledBy(world, [{ type: "required_linear_history" }]);
    const side = await world.sandbox.commit(REPOSITORY, "side", { "side.txt": "x\n" }, { author: "ann" });
    const { pull, head } = await branchOf(world, () => `${side}^{tree}`, [side]);
    const refusal = {
      code: "unsupported_change",
      found: /it has merge commits, and a rule wants a linear history/,
      need: /commits that koryph can check one by one/,
      next: /rewrite the branch without that/,
    };
    await refusesToLand(world, pull, refusal, `/koryph land ${head.slice(0, 12)}`);
    ruledBy(world, []);
  },
  LONG,
);

changed(
  "a fork's branch is not rewritten to squash it",
  async (world) => {
    world.sandbox.addUser("ann");
    const { name } = await world.sandbox.addFork(REPOSITORY, "ann");
    const by = { author: "ann", message: "feat: caps" };
    await world.sandbox.commit(`ann/${name}`, "caps", { "caps.txt": "x\n" }, by);
    const head = await world.sandbox.commit(`ann/${name}`, "caps", { "caps.txt": "y\n" }, by);
    const { pull } = await opensPushed(world, "ann:caps", head);
    await refusesToLand(
      world,
      pull,
      {
        code: "squash_unsupported",
        found: /a squash of its 2 commits would rewrite the branch, and that is a fork's/,
        need: /a branch of this repository, or one commit/,
        next: /its author squashes the branch and has it approved, then `\/koryph land`/,
      },
      `/koryph land ${head.slice(0, 12)} --method squash`,
    );
    expect(await world.sandbox.world.resolve(world.repository, `refs/pull/${pull}/head`)).toBe(head);
  },
  LONG,
);
