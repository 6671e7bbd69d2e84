import { OutsideFault } from "../../src/ports/outside-fault.js";
import type { PullFacts, Pulls } from "../../src/ports/pulls.js";
import type { Chance } from "./chance.js";
import type { SimOrigin } from "./sim-origin.js";

/** GitHub's pull requests over the simulated origin. Whatever goes wrong may do so before or after it was done. */
export function simPulls(origin: SimOrigin, chance: Chance, lossPercent: () => number): Pulls {
  const maybeGone = () => {
    if (chance.percent(lossPercent()))
      throw new OutsideFault({ message: "GitHub is gone", hint: "wait for it" });
  };
  const open = (branch: string) => origin.pulls.find((pull) => pull.branch === branch && pull.isOpen);
  return {
    read: async (number) => factsOf(origin, origin.pulls[number - 1]),
    listOpen: async () =>
      origin.pulls.filter(({ isOpen }) => isOpen).flatMap((pull) => factsOf(origin, pull) ?? []),
    findByBranch: async (branch) => factsOf(origin, open(branch)),
    open: async ({ branch }) => {
      maybeGone();
      if (chance.percent(3)) return { kind: "refused", why: "GitHub says no" };
      const head = origin.branches.get(branch) ?? origin.violate(`${branch} was opened before it was pushed`);
      if (!origin.green.has(head))
        origin.violate(`${branch} was opened with ${head}, on which no gate was green`);
      if (open(branch) === undefined)
        origin.pulls.push({ number: origin.pulls.length + 1, branch, isOpen: true });
      maybeGone();
      const pull = factsOf(origin, open(branch));
      return pull === null ? origin.violate(`${branch} has no pull request`) : { kind: "open", pull };
    },
    isOn: async (_branch, commit) => origin.has(commit),
    close: async (number) => {
      const pull = origin.pulls[number - 1];
      if (pull !== undefined) pull.isOpen = false;
    },
    deleteBranch: async () => "gone",
  };
}

function factsOf({ branches }: SimOrigin, pull: SimOrigin["pulls"][number] | undefined): PullFacts | null {
  if (pull === undefined) return null;
  const { number, branch, isOpen } = pull;
  const sha = branches.get(branch) ?? "";
  return {
    ...{ number, url: `https://github.sim/pull/${number}`, title: "", body: "", draft: false, merged: null },
    author: { login: "sim", id: 1, isBot: false },
    state: isOpen ? "open" : "closed",
    head: { branch, sha, fork: false, repository: "sim/sim" },
    base: { branch: "main", sha: "" },
    updatedAt: "",
  };
}
