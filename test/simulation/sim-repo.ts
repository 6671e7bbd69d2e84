import { badSubjects } from "../../src/core/land/commit-style.js";
import { ORDINARY } from "../../src/core/land/content/range-content.js";
import { isProtected } from "../../src/core/land/protected-paths.js";
import { OutsideFault } from "../../src/ports/outside-fault.js";
import type { Candidate, Repo } from "../../src/ports/repo.js";
import type { SimClones } from "./sim-clones.js";

export interface RepoWorld {
  readonly target: Repo["target"];
  /** Whether there is a key to sign with. */
  readonly hasKey: boolean;
  readonly commitStyle: "conventional" | "none";
  readonly lossPercent: () => number;
  /** Around each step that only a landing takes. */
  readonly during: <T>(bead: string, work: () => Promise<T>) => Promise<T>;
  /** The landing whose intention to push this head is on record; null when there is none. */
  readonly intendedBy: (head: string) => string | null;
  readonly onLanding: (bead: string) => void;
}

/** The engine's own repository over the simulated default branch. */
export function simRepo(clones: SimClones, world: RepoWorld): Repo {
  const { origin, chance } = clones;
  const { history } = origin;
  const maybeGone = () => {
    if (chance.percent(world.lossPercent()))
      throw new OutsideFault({ message: "the remote is gone", hint: "look for it" });
  };
  const between = ({ base, head }: Candidate) => {
    clones.mustKnow(head);
    clones.mustKnow(base);
    return history.since(head, base);
  };
  return {
    target: world.target,
    objects: "/objects",
    fetchBase: async () => {
      maybeGone();
      return { branch: "main", tip: clones.fetch(), receipts: origin.receiptTip };
    },
    candidate: async (bead) => clones.candidate(bead),
    present: async () => [],
    has: async (sha) => clones.knows(sha),
    checkoutObstacle: async () => null,
    isDirty: async (bead) => clones.clones.get(bead)?.dirty ?? false,
    sign: async (_bead, candidate) => {
      const commits = between(candidate);
      const first = commits.findIndex(({ signed }) => !signed);
      const unsigned = first === -1 ? [] : commits.slice(first);
      if (!world.hasKey || unsigned.length === 0 || unsigned.some(({ person }) => person)) return candidate;
      const below = unsigned[0]?.parent ?? candidate.base;
      return { ...candidate, head: clones.bring(history.replay(unsigned, below, { signed: true })) };
    },
    range: async (candidate) => {
      const commits = between(candidate);
      return {
        total: commits.length,
        commits: commits.map(({ sha, parent, subject }) => {
          const by = { authorEmail: "a@sim", committerEmail: "a@sim" };
          return { sha, parents: parent === null ? [] : [parent], subject, ...by };
        }),
        paths: commits.flatMap(({ paths }) => paths),
        findings: [],
        secrets: [],
        content: ORDINARY,
        empty: commits.every(({ works }) => works.length === 0),
        tree: candidate.head,
      };
    },
    signatures: async (_base, candidate) =>
      between(candidate).map(({ sha, signed }) => ({
        sha,
        letter: signed ? "G" : "N",
        signer: "",
        fingerprint: "",
      })),
    isAncestor: async (ancestor, commit) => clones.knows(ancestor) && history.isAncestor(ancestor, commit),
    rebase: async (_bead, candidate, onto) => {
      between(candidate);
      const rebased = clones.rebase(candidate, onto);
      if (rebased.kind !== "rebased" || !world.hasKey) return rebased;
      const signed = history.replay(history.since(rebased.head, onto), onto, { signed: true });
      return { kind: "rebased", head: clones.bring(signed) };
    },
    squash: (bead, candidate) =>
      world.during(bead, async () => {
        const commits = between(candidate);
        const all = {
          works: commits.flatMap(({ works }) => works),
          paths: commits.flatMap(({ paths }) => paths),
        };
        const by = { bead, subject: "feat: work", signed: world.hasKey, person: false };
        return clones.bring(history.add({ parent: candidate.base, ...all, ...by }));
      }),
    keep: async (bead, head) => {
      clones.mustKnow(head);
      clones.candidates.set(bead, head);
    },
    pushBase: async ({ from, to }) => {
      const bead = world.intendedBy(to);
      if (bead === null) {
        // Somebody saw that it cannot arrive any more, and took it back.
        if (origin.tip !== from) return { kind: origin.has(to) ? "pushed" : "moved" };
        return origin.violate(`${to} was pushed without the intention on record`);
      }
      return world.during(bead, async () => {
        maybeGone();
        if (origin.tip !== from) return { kind: origin.has(to) ? "pushed" : "moved" };
        if (chance.percent(3)) return { kind: "refused", why: "a hook said no" };
        world.onLanding(bead);
        origin.land(bead, from, to);
        maybeGone();
        return { kind: "pushed" };
      });
    },
    pushBranch: async ({ branch, from, to }) => {
      maybeGone();
      const at = origin.branches.get(branch);
      if (at !== undefined && at !== to && !from.includes(at)) return { kind: "taken", at };
      if (chance.percent(3)) return { kind: "refused", why: "a hook said no" };
      origin.branches.set(branch, to);
      maybeGone();
      return { kind: "pushed" };
    },
    checkOut: async (name, head) => {
      clones.mustKnow(head);
      const own = history.since(head, origin.tip).filter(({ bead }) => name === `${bead}-review`);
      for (const { sha, subject, paths } of own)
        if (
          badSubjects([{ sha, subject }], world.commitStyle).length > 0 ||
          paths.some((path) => isProtected(path))
        )
          origin.violate(`${name}: ${sha} went to a reviewer, and could not have landed`);
      return `/checks/${name}`;
    },
    dropCheckout: async () => {},
    describe: async (candidate) => {
      between(candidate);
      return { stat: "", diff: "" };
    },
    isBranchAt: async (bead, head) => clones.branches.get(bead) === head,
    hasClone: async (bead) => clones.clones.has(bead),
    drop: async (bead, from) => {
      if (from !== null && clones.clones.has(bead) && (clones.tipOf(bead) ?? from) !== from) return;
      clones.remove(bead);
      origin.wip.delete(bead);
      clones.branches.delete(bead);
      clones.candidates.delete(bead);
    },
  };
}
