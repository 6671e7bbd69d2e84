import { runGit } from "../../../src/adapters/git/exec/run-git.js";
import { type AppWorld, REPOSITORY } from "./app-world.js";
import { forgedApproval, postsCheck } from "./forged-proofs.js";
import { opens, passes, tip } from "./landing-stories.js";
import { runIds, runOf } from "./runner-stories.js";

/** A pull request on its way to the base branch, and what may come of it. */
interface RacedPull {
  readonly pull: number;
  readonly head: string;
  readonly branch: string;
}

export interface Race {
  readonly name: string;
  /** Whether its commits may ever be on the base branch. */
  readonly lands: boolean;
  /** Its branch, where that matters. */
  readonly branch?: (name: string) => string;
  /** Each step may be followed by a step of another race. */
  readonly steps: (world: AppWorld, raced: RacedPull) => AsyncGenerator<void>;
}

const approve = (world: AppWorld, { pull, head }: Pick<RacedPull, "pull" | "head">) =>
  world.as("walter").says(pull, `/koryph approve ${head.slice(0, 12)}`);
const land = (world: AppWorld, { pull }: Pick<RacedPull, "pull">) =>
  world.as("maria").says(pull, "/koryph land");

/** Other content under the same author and message, on the same parent. */
async function swaps(world: AppWorld, { branch }: RacedPull, parent?: string): Promise<string> {
  const by = { author: "ann", message: `feat: ${branch}`, parent: parent ?? (await tip(world)) ?? "" };
  const files = { [`${branch}.txt`]: "red\n", "package-lock.json": `swapped under ${branch}\n` };
  const head = await world.sandbox.commit(REPOSITORY, branch, files, by);
  world.clock.pass(60);
  return head;
}

const LEDGER = "refs/koryph/ledger";

type Steps = Race["steps"];

/** The opening of most races: approved and asked for. Others may act between the two. */
function asked(rest: Steps): Steps {
  return async function* (world, raced) {
    await approve(world, raced);
    yield;
    await land(world, raced);
    yield;
    yield* rest(world, raced);
  };
}

/** Somebody who may write puts a commit on the branch and approves it. */
function pushesAndApproves(author: string): Steps {
  return async function* (world, { pull, branch }) {
    const by = { author, message: "feat: more" };
    const files = { [`${branch.replace("/", "-")}-2.txt`]: "x\n" };
    const next = await world.sandbox.commit(REPOSITORY, branch, files, by);
    world.clock.pass(60);
    yield;
    await approve(world, { pull, head: next });
    await passes(world, next);
    yield;
    await land(world, { pull });
  };
}

export const RACES: readonly Race[] = [
  {
    name: "approved, green and asked for, beside others",
    lands: true,
    steps: asked(async function* (world, raced) {
      await passes(world, raced.head);
      yield;
    }),
  },
  {
    name: "502 after the write",
    lands: true,
    steps: asked(async function* (world, raced) {
      world.sandbox.faults.add({ operation: "git-receive-pack", times: 1, kind: { applyThen: 502 } });
      await passes(world, raced.head);
      yield;
    }),
  },
  {
    name: "a webhook that never comes",
    lands: true,
    steps: asked(async function* (world, raced) {
      world.webhook = "http://127.0.0.1:1/";
      await passes(world, raced.head);
      world.webhook = `${world.url}/api/github/webhooks`;
      yield;
      world.clock.pass(120);
    }),
  },
  {
    name: "a base that is pushed to and taken back",
    lands: true,
    steps: asked(async function* (world, raced) {
      const before = (await tip(world)) ?? "";
      const files = { [`${raced.branch}-base.txt`]: "x\n" };
      const pushed = await world.sandbox.commit(REPOSITORY, "main", files, { author: "maria" });
      yield;
      // Only where nothing has landed on it meanwhile.
      await runGit(world.repository.gitDir, ["update-ref", "refs/heads/main", before, pushed]);
      await passes(world, raced.head);
    }),
  },
  {
    name: "a ledger that is rewound and put back",
    lands: true,
    async *steps(world, raced) {
      await approve(world, raced);
      await passes(world, raced.head);
      yield;
      const { gitDir } = world.repository;
      const { code, stdout } = await runGit(gitDir, ["rev-parse", LEDGER, `${LEDGER}~1`]);
      const [now = "", before = ""] = stdout.trim().split("\n");
      // The first of all events has nothing before it.
      if (code === 0) {
        await runGit(gitDir, ["update-ref", LEDGER, before]);
        await land(world, raced);
        // What somebody else wrote last the App may never have seen: then it went on from there, and that stays.
        await runGit(gitDir, ["update-ref", LEDGER, now, before]);
      }
      yield;
      await land(world, raced);
    },
  },
  {
    name: "a force-push between comment and landing",
    lands: false,
    steps: asked(async function* (world, raced) {
      const next = await swaps(world, raced);
      yield;
      await passes(world, next);
    }),
  },
  {
    name: "an approval that is re-anchored by a force-push",
    lands: false,
    async *steps(world, raced) {
      await world.as("walter").reviews(raced.pull, { state: "APPROVED", body: "fine" });
      yield;
      const next = await swaps(world, raced);
      await passes(world, next);
      yield;
      await land(world, raced);
    },
  },
  {
    name: "a lock file that is swapped under -diff while the base moves",
    lands: false,
    async *steps(world, raced) {
      await approve(world, raced);
      const files = { [`${raced.branch}-base.txt`]: "x\n" };
      const onto = await world.sandbox.commit(REPOSITORY, "main", files, { author: "maria" });
      yield;
      const next = await swaps(world, raced, onto);
      await land(world, raced);
      yield;
      await passes(world, next);
    },
  },
  {
    name: "a forged approval and a forged job.done",
    lands: false,
    async *steps(world, raced) {
      await passes(world, raced.head);
      const approval = await forgedApproval(world, raced);
      yield;
      await world.record(approval, {
        ...{ type: "job.done", data: { job: "01HF7YAZVGZ019QQ4F1T9E62GM", code: "green" } },
      });
      await land(world, raced);
    },
  },
  {
    name: "a writer who pushes and then approves",
    lands: false,
    steps: pushesAndApproves("walter"),
  },
  {
    name: "a writer who pushes to an agent's branch and then approves",
    lands: false,
    branch: (name) => `agent/${name}`,
    steps: pushesAndApproves("walter"),
  },
  {
    name: "a check run of another branch's workflow",
    lands: false,
    steps: asked(async function* (world, raced) {
      await postsCheck(world, raced.head);
      yield;
    }),
  },
  {
    name: "an approval that is deleted before the checks end",
    lands: false,
    async *steps(world, raced) {
      const id = await approve(world, raced);
      await land(world, raced);
      yield;
      await world.as("walter").deletes(id);
      yield;
      await passes(world, raced.head);
    },
  },
];

/** Where a runner runs the gate: whoever writes into the ledger that it is green is not believed. */
export const RUNNER_RACE: Race = {
  name: "a forged job.done while the job is open",
  lands: false,
  async *steps(world, raced) {
    await approve(world, raced);
    await passes(world, raced.head);
    yield;
    await land(world, raced);
    yield;
    // It may have been replayed since, or wait in line behind another.
    const head = await world.sandbox.world.resolve(world.repository, `refs/heads/${raced.branch}`);
    for (const id of runIds(world).filter((each) => runOf(world, each).inputs.head === head))
      await world.record({
        type: "job.done",
        data: { job: runOf(world, id).inputs.job ?? "", code: "green" },
      });
    yield;
    await passes(world, raced.head);
  },
};

/** A pull request of its own for each race. */
export async function openRaced(world: AppWorld, name: string, race: Race): Promise<RacedPull> {
  const branch = race.branch?.(name) ?? name;
  return { ...(await opens(world, { branch })), branch };
}
