import { isSameWork, type ReplayedCommit } from "../../../src/core/land/pull/carry-approval.js";
import { OutsideFault } from "../../../src/ports/outside-fault.js";
import type { PullRepo } from "../../../src/ports/pull-repo.js";
import type { Candidate } from "../../../src/ports/repo.js";
import type { SimClones } from "../sim-clones.js";
import type { SimCommit } from "../sim-history.js";
import { BOT, type Hub } from "./hub.js";

export interface HubRepoWorld {
  readonly hasKey: boolean;
  readonly lossPercent: () => number;
  readonly conflictPercent: number;
  /** The base branch is about to be moved alone. */
  readonly onPushBase: (from: string, to: string) => void;
}

/** The commits of pull requests, as one machine has them. */
export function hubRepo(hub: Hub, clones: SimClones, world: HubRepoWorld): PullRepo {
  const { origin, chance } = clones;
  const { history } = origin;
  const maybeGone = () => {
    if (chance.percent(world.lossPercent()))
      throw new OutsideFault({ message: "GitHub is gone", hint: "wait for it" });
  };
  const between = ({ base, head }: Candidate) => {
    clones.mustKnow(head);
    clones.mustKnow(base);
    return history.since(head, base);
  };
  /** Null where it is not here, or does not fit. What begins there already stays as it is. */
  const replay = (head: string, onto: string): string | null => {
    if (!clones.knows(head) || isConflict(head, onto, world.conflictPercent)) return null;
    if (history.isAncestor(onto, head)) return head;
    return clones.bring(history.replay(between({ base: onto, head }), onto, { signed: world.hasKey }));
  };
  /** The same where what was found begins. */
  const replayBelow = (head: string, { found, base }: { found: string; base: string }) => {
    if (!clones.knows(found)) return null;
    const onto = history.since(found, base)[0]?.parent ?? base;
    const made = replay(head, onto);
    return made === null ? null : { made, onto };
  };
  return {
    objects: "/objects",
    fetch: async (into, { branch }) => {
      maybeGone();
      const head = origin.branches.get(branch) ?? null;
      if (head !== null) clones.bring(head);
      const base = into === "main" ? clones.fetch() : clones.bring(hub.dev);
      return { base, head, receipts: origin.receiptTip, unfit: null };
    },
    // No runners here: whoever lands has the key, or does without.
    signReplayed: async () => null,
    fetchJob: async () => null,
    pushJob: async () => ({ refused: "there are no runners" }),
    dropJobs: async () => {},
    // Nothing is shown here either.
    compare: async () => null,
    has: async (commit) => clones.knows(commit),
    isAncestor: async (ancestor, commit) =>
      clones.knows(ancestor) && clones.knows(commit) && history.isAncestor(ancestor, commit),
    range: async (candidate) => {
      const commits = between(candidate);
      return {
        total: commits.length,
        commits: commits.map(({ sha, parent, subject, by }) => ({
          ...{ sha, parents: parent === null ? [] : [parent], message: subject, authorName: `${by}` },
          ...{ authorEmail: "a@sim", committerEmail: "a@sim" },
        })),
        paths: commits.flatMap(({ paths }) => paths),
        findings: [],
        empty: commits.every(({ works }) => works.length === 0),
        tree: candidate.head,
      };
    },
    signatures: async (_allowed, candidate) =>
      between(candidate).map(({ sha, signed }) => ({
        ...{ sha, letter: signed ? ("G" as const) : ("N" as const), signer: "", fingerprint: "" },
      })),
    complete: async () => {},
    rebase: async (_pull, head, onto) => {
      // What was never brought here shares nothing with anything, as far as git can tell.
      if (!clones.knows(head)) return { kind: "merges" };
      const made = replay(head, onto);
      return made === null ? { kind: "conflict", files: ["src/file.ts"] } : { kind: "rebased", head: made };
    },
    isReplay: async (_pull, head, found, base) => {
      const replayed = replayBelow(head, { found, base });
      if (replayed === null) return false;
      const { made, onto } = replayed;
      return isSameWork(partsOf(hub, made, onto), partsOf(hub, found, onto));
    },
    squash: async ({ base, head }, message) => {
      const commits = between({ base, head });
      const works = commits.flatMap((each) => each.works);
      const paths = commits.flatMap((each) => each.paths);
      const by = commits[0]?.by;
      const person = { bead: null, signed: world.hasKey, person: true, by };
      return clones.bring(history.add({ parent: base, works, paths, subject: message, ...person }));
    },
    isSquash: async (_pull, head, found, base) => {
      const replayed = replayBelow(head, { found, base });
      if (replayed === null) return false;
      const { made, onto } = replayed;
      const works = history.since(made, onto).flatMap((each) => each.works);
      const [one, ...more] = history.since(found, onto);
      return one !== undefined && more.length === 0 && `${one.works}` === `${works}`;
    },
    pushBranch: async (branch, { from, to }) => {
      maybeGone();
      const pull = hub.pulls.findLast((each) => each.branch === branch);
      if (pull?.fork) origin.violate(`koryph pushed to the fork's branch ${branch}`);
      if (origin.branches.get(branch) !== from) return "moved";
      hub.push(branch, to, BOT);
      maybeGone();
      return "pushed";
    },
    pushBase: async (branch, { from, to }) => {
      maybeGone();
      if (branch !== "main") return { refused: "nothing lands there" };
      if (origin.tip !== from) return origin.has(to) ? "pushed" : "moved";
      world.onPushBase(from, to);
      maybeGone();
      return "pushed";
    },
  };
}

/** Whether two commits fit together is their own matter: it is the same on every machine, and every time. */
function isConflict(head: string, onto: string, percent: number): boolean {
  const mixed = Math.imul(
    Number.parseInt(head.slice(0, 8), 16) * 31 + Number.parseInt(onto.slice(0, 8), 16),
    2_654_435_761,
  );
  return (mixed >>> 8) % 100 < percent;
}

function partsOf({ origin }: Hub, head: string, base: string): ReplayedCommit[] {
  const works: number[] = [];
  return origin.history.since(head, base).map((commit: SimCommit) => {
    works.push(...commit.works);
    return { tree: `${works}`, author: `${commit.by}`, encoding: "", message: commit.subject };
  });
}
